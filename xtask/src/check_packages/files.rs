//! Files that a crate is built from but that its package has not: those beyond its folder, and those of its
//! tests.

use std::path::{Component, Path, PathBuf};

use crate::Complaints;
use crate::files::{below, name, read, shown};

const NAMES_A_FILE: [&str; 4] = ["include!(\"", "include_str!(\"", "include_bytes!(\"", "#[path = \""];

/// What the sources in `folder`, a crate of the repository at `root`, name and the package of it would lack.
/// Examples and tests are not looked at: nobody builds them from a package.
pub fn missing(root: &Path, folder: &Path) -> Result<Complaints, String> {
    let mut complaints = Vec::new();
    for file in below(&folder.join("src"), &|_| true)?.into_iter().chain([folder.join("build.rs")]) {
        let in_tests = name(&file) == "tests.rs" || file.components().any(|part| part.as_os_str() == "tests");
        if file.extension().is_none_or(|extension| extension != "rs") || in_tests || !file.is_file() {
            continue;
        }
        let parent = file.parent().expect("a file lies in a folder");
        for path in named(&read(&file)?) {
            let target = resolved(parent, path);
            if !target.starts_with(folder) || target.starts_with(folder.join("tests")) {
                complaints.push(format!("{} needs {path}, which is not in its package", shown(root, &file)));
            }
        }
    }
    Ok(complaints)
}

/// Paths that a source names, without those of the tests at its end.
fn named(source: &str) -> impl Iterator<Item = &str> {
    let source = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    NAMES_A_FILE.into_iter().flat_map(move |before| {
        source.match_indices(before).filter_map(move |(at, _)| source[at + before.len()..].split('"').next())
    })
}

/// `path` as seen from `folder`, without `..`.
fn resolved(folder: &Path, path: &str) -> PathBuf {
    let mut resolved = folder.to_owned();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => drop(resolved.pop()),
            part => resolved.push(part),
        }
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_sources_are_found_but_not_those_of_tests() {
        let source = "const A: &str = include_str!(\"../a.txt\");\n#[path = \"b.rs\"]\nmod b;\n#[cfg(test)]\nmod tests { include!(\"c\"); }";
        assert_eq!(named(source).collect::<Vec<_>>(), ["../a.txt", "b.rs"]);
    }

    #[test]
    fn a_path_is_followed_upwards() {
        assert_eq!(resolved(Path::new("/x/crates/a/src"), "../../b/c.txt"), Path::new("/x/crates/b/c.txt"));
        assert_eq!(resolved(Path::new("/x/crates/a/src"), "c.txt"), Path::new("/x/crates/a/src/c.txt"));
    }
}
