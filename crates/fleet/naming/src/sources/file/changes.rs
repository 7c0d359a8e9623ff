//! Waits until a file may have changed.

use super::{places::places, read::Stamp};
use crate::Updates;
use std::{io, path::Path, time::Duration};
use tokio::time::{Instant, sleep, timeout};

/// The time that a file written in place has to become complete, counted from the last change, and from the
/// first.
const QUIET: Duration = Duration::from_millis(50);
const AT_MOST: Duration = Duration::from_secs(1);
/// The interval of checks of the file's time and length: with inotify, which does not report changes by other
/// machines to a file on a network, and without it.
const LOOK_BESIDES: Duration = Duration::from_secs(30);
const LOOK_ALONE: Duration = Duration::from_secs(1);

/// Waits for the times when a file may have changed.
pub(super) struct Changes<'a> {
    path: &'a Path,
    /// `None` if inotify is not available.
    notices: Option<Notices>,
    read: Option<Stamp>,
}

impl<'a> Changes<'a> {
    /// `notices`: makes the source of the kernel's notifications.
    pub fn of(path: &'a Path, notices: fn() -> io::Result<Notices>, updates: &Updates) -> Self {
        let notices = notices().map_err(|error| no_notices(updates, &error)).ok();
        Changes { path, notices, read: None }
    }

    /// Watches the folders that matter now.
    pub async fn follow(&mut self) {
        let path = self.path.to_owned();
        let Ok(places) = tokio::task::spawn_blocking(move || places(&path)).await else { return };
        if let Some(notices) = &mut self.notices {
            notices.watch(places);
        }
    }

    /// Records the version that has been read; `None`: none could be read.
    pub fn has_read(&mut self, stamp: Option<Stamp>) {
        self.read = stamp;
    }

    /// Waits until the file may have changed.
    pub async fn next(&mut self) {
        loop {
            let Some(notices) = &mut self.notices else {
                sleep(LOOK_ALONE).await;
                if Stamp::at(self.path.to_owned()).await != self.read {
                    sleep(QUIET).await;
                    return;
                }
                continue;
            };
            match timeout(LOOK_BESIDES, notices.next()).await {
                Ok(Ok(())) => {
                    let first = Instant::now();
                    while first.elapsed() < AT_MOST
                        && timeout(QUIET, notices.next()).await.is_ok_and(|next| next.is_ok())
                    {
                    }
                    return;
                }
                Ok(Err(_)) => self.notices = None,
                Err(_) if Stamp::at(self.path.to_owned()).await != self.read => return,
                Err(_) => {}
            }
        }
    }
}

fn no_notices(updates: &Updates, error: &io::Error) {
    updates.warn(format_args!(
        "the system does not tell when the file changes, it is looked at every second: {error}"
    ));
}

#[cfg(target_os = "linux")]
pub(super) use linux::Notices;
#[cfg(not(target_os = "linux"))]
pub(super) use others::Notices;

#[cfg(target_os = "linux")]
mod linux {
    use super::super::places::Places;
    use inotify::{EventMask, Inotify, WatchDescriptor, WatchMask};
    use std::{collections::HashMap, io};
    use tokio::io::{Interest, unix::AsyncFd};

    /// Notifications of the kernel that something has changed in a folder.
    pub struct Notices {
        inotify: AsyncFd<Inotify>,
        places: Places,
        /// The folder of each watch.
        folders: HashMap<WatchDescriptor, std::path::PathBuf>,
    }

    impl Notices {
        // What took its place is unsafe, for the sake of types whose descriptor may be closed by others.
        // `Inotify` owns its own.
        #[allow(deprecated)]
        pub fn new() -> io::Result<Self> {
            let inotify = AsyncFd::with_interest(Inotify::init()?, Interest::READABLE)?;
            Ok(Notices { inotify, places: Places::new(), folders: HashMap::new() })
        }

        /// Watches these folders, and no others.
        ///
        /// A folder that cannot be watched, because it no longer exists or the user's watches are used up, is
        /// left to the periodic checks.
        pub fn watch(&mut self, places: Places) {
            // A file that is being written (`MODIFY`) is read when it is closed: until then it is not
            // complete.
            let mask = WatchMask::CLOSE_WRITE
                | WatchMask::CREATE
                | WatchMask::DELETE
                | WatchMask::MOVE
                | WatchMask::ATTRIB
                | WatchMask::DELETE_SELF
                | WatchMask::MOVE_SELF
                | WatchMask::ONLYDIR;
            let mut watches = self.inotify.get_ref().watches();
            let mut folders = HashMap::new();
            for folder in places.keys() {
                if let Ok(descriptor) = watches.add(folder, mask) {
                    folders.insert(descriptor, folder.clone());
                }
            }
            for descriptor in self.folders.keys().filter(|descriptor| !folders.contains_key(descriptor)) {
                let _ = watches.remove(descriptor.clone()); // gone with its folder, maybe
            }
            (self.places, self.folders) = (places, folders);
        }

        /// Waits until one of the watched names may have changed.
        pub async fn next(&mut self) -> io::Result<()> {
            loop {
                let mut ready = self.inotify.readable_mut().await?;
                let mut buffer = [0; 4096];
                let read = ready.try_io(|inotify| {
                    let events = inotify.get_mut().read_events(&mut buffer)?;
                    Ok(events
                        .map(|event| (event.wd, event.mask, event.name.map(ToOwned::to_owned)))
                        .collect::<Vec<_>>())
                });
                let Ok(events) = read else { continue }; // nothing to read after all
                for (descriptor, mask, name) in events? {
                    if mask.contains(EventMask::Q_OVERFLOW) {
                        return Ok(());
                    }
                    let Some(names) =
                        self.folders.get(&descriptor).and_then(|folder| self.places.get(folder))
                    else {
                        continue;
                    };
                    if name.is_none_or(|name| names.contains(&name)) {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// On other systems the file is polled.
#[cfg(not(target_os = "linux"))]
mod others {
    use super::super::places::Places;
    use std::io;

    pub enum Notices {}

    impl Notices {
        pub fn new() -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }
        pub fn watch(&mut self, _: Places) {
            match *self {}
        }
        pub async fn next(&mut self) -> io::Result<()> {
            match *self {}
        }
    }
}
