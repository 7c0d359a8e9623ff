//! The folders, and the names in them, that decide which file is found at a path.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    ffi::{OsStr, OsString},
    path::{Component, Path, PathBuf},
};

/// The maximum number of links that are followed, Linux's own limit.
const MAX_LINKS: u32 = 40;

/// Folders to watch, and the names in them that matter.
pub(super) type Places = BTreeMap<PathBuf, BTreeSet<OsString>>;

/// Follows an absolute path as the kernel does, and notes the places where a change would lead elsewhere:
/// each link, the file itself, and the first part that is missing. Folders on the way are not watched from
/// above; inotify reports the renaming of a folder on the folder itself.
pub(super) fn places(path: &Path) -> Places {
    let mut places = Places::new();
    let mut note = |folder: &Path, name: &OsStr| {
        places.entry(folder.to_owned()).or_default().insert(name.to_owned());
    };
    let mut at = PathBuf::new();
    let mut left: VecDeque<OsString> = parts(path);
    let mut links = 0;
    while let Some(part) = left.pop_front() {
        match Path::new(&part).components().next() {
            Some(Component::ParentDir) => {
                at.pop();
                continue;
            }
            Some(Component::Normal(_)) => {}
            Some(Component::CurDir) | None => continue,
            Some(Component::RootDir | Component::Prefix(_)) => {
                at.push(part);
                continue;
            }
        }
        let next = at.join(&part);
        match std::fs::read_link(&next) {
            Ok(target) => {
                note(&at, &part);
                links += 1;
                if links > MAX_LINKS {
                    break;
                }
                // An absolute target begins anew: pushing its root replaces what is there.
                for part in parts(&target).into_iter().rev() {
                    left.push_front(part);
                }
            }
            Err(_) if left.is_empty() || !next.is_dir() => {
                note(&at, &part);
                break;
            }
            Err(_) => at = next,
        }
    }
    places
}

fn parts(path: &Path) -> VecDeque<OsString> {
    path.components().map(|part| part.as_os_str().to_owned()).collect()
}
