//! Tests that nobody runs. `test = false` and `doctest = false` of a target without tests save a program to
//! link; cargo says nothing when a test is written there later, and this does.

use std::path::{Path, PathBuf};

use cargo_metadata::{Package, Target};

use crate::Complaints;
use crate::files::read;

/// Targets of a package that run no tests and have some.
pub fn of(package: &Package) -> Result<Complaints, String> {
    let mut complaints = Vec::new();
    for target in package.targets.iter().filter(|target| target.is_lib() || target.is_bin()) {
        for (option, finds) in options(target) {
            for file in sources(target.src_path.as_std_path())? {
                if let Some(line) = finds(&read(&file)?) {
                    let (name, file) = (&target.name, file.display());
                    complaints.push(format!("{name} says `{option} = false` and has a test: {file}:{line}"));
                }
            }
        }
    }
    Ok(complaints)
}

/// The line of a file, counted from 1, with the first test that an option has to do with.
type Finds = fn(&str) -> Option<usize>;

/// The options by which a target goes without tests, each with what finds one. Cargo looks for
/// documentation's in libraries alone.
fn options(target: &Target) -> Vec<(&'static str, Finds)> {
    let all: [(&str, bool, Finds); 2] =
        [("test", target.test, test), ("doctest", target.doctest || !target.is_lib(), doc_test)];
    all.into_iter().filter(|(_, is_run, _)| !is_run).map(|(option, _, finds)| (option, finds)).collect()
}

fn test(text: &str) -> Option<usize> {
    let is_test = |line: &str| {
        let line = line.trim_start();
        line.starts_with("#[test]") || line.starts_with("#[cfg(test)]") || line.starts_with("#[tokio::test")
    };
    text.lines().position(is_test).map(|line| line + 1)
}

/// A block of code in documentation that is Rust, as rustdoc reads it: it has no name of another language.
fn doc_test(text: &str) -> Option<usize> {
    const OF_RUST: [&str; 6] = ["rust", "ignore", "no_run", "should_panic", "compile_fail", "test_harness"];
    let mut open: Option<&str> = None;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let Some(line) = line.strip_prefix("///").or(line.strip_prefix("//!")) else {
            open = None;
            continue;
        };
        let line = line.trim();
        let name = line.trim_start_matches('`');
        let fence = &line[..line.len() - name.len()];
        match open {
            Some(begun) if name.is_empty() && fence.len() >= begun.len() => open = None,
            None if fence.len() >= 3 => {
                let is_rust =
                    |word: &str| word.is_empty() || OF_RUST.contains(&word) || word.starts_with("edition");
                if name.split([',', ' ']).all(is_rust) {
                    return Some(number + 1);
                }
                open = Some(fence);
            }
            _ => {}
        }
    }
    None
}

/// The files of a target: its root and the modules that are declared there and below.
fn sources(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = vec![root.to_owned()];
    let mut at = 0;
    while let Some(file) = files.get(at).cloned() {
        at += 1;
        let folder = file.parent().expect("a file lies in a folder");
        let below = match file.file_stem() {
            Some(stem) if at > 1 && stem != "mod" => folder.join(stem),
            _ => folder.to_owned(),
        };
        for name in read(&file)?.lines().filter_map(declared) {
            let candidates = [below.join(format!("{name}.rs")), below.join(name).join("mod.rs")];
            files.extend(candidates.into_iter().filter(|path| path.is_file()));
        }
    }
    Ok(files)
}

/// The module that a line declares: `mod name;`, whoever sees it.
fn declared(line: &str) -> Option<&str> {
    let (before, name) = line.trim().strip_suffix(';')?.split_once("mod ")?;
    (before.is_empty() || before.starts_with("pub")).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_found_wherever_they_stand() {
        assert_eq!(test("fn a() {}\n\n    #[test]\n"), Some(3));
        assert_eq!(test("#[tokio::test(start_paused = true)]"), Some(1));
        assert_eq!(test("#[cfg(test)]\nmod tests;"), Some(1), "a macro may write its tests");
        assert_eq!(test("// what #[test] means\n#[cfg(not(test))]"), None);
    }

    #[test]
    fn blocks_of_rust_in_documentation_are_tests_and_those_of_other_languages_are_none() {
        assert_eq!(doc_test("/// One:\n/// ```\n/// a();\n/// ```\n"), Some(2));
        assert_eq!(doc_test("//! ```no_run,edition2024\n"), Some(1));
        assert_eq!(doc_test("//! ```text\n//! a\n//! ```\n//! ```sh\n//! ls\n//! ```\n"), None);
        assert_eq!(doc_test("//! ````text\n//! ```\n//! ````\n"), None, "shown, not meant");
        assert_eq!(doc_test("/// ```text\n/// no end\nfn a() {}\n/// ```\n"), Some(4));
    }

    #[test]
    fn modules_are_followed() {
        assert_eq!(declared("pub(crate) mod rules;"), Some("rules"));
        assert_eq!(declared("mod tests {"), None);
        assert_eq!(declared("use the_mod ;"), None);
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/main.rs");
        let files = sources(&root).expect("they can be read");
        for name in ["src/lost_tests.rs", "src/check_docs/mod.rs", "src/check_docs/tables.rs"] {
            assert!(files.iter().any(|file| file.ends_with(name)), "{name}: {files:?}");
        }
    }
}
