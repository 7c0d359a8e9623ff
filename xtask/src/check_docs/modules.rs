//! Tables of files in the documentation of modules name files that lie beside them, each once.

use std::path::Path;

use super::markdown::tables;
use super::tables::FILES;
use crate::Complaints;
use crate::files::{below, name, read, shown};

/// Where sources are.
const SOURCES: [&str; 4] = ["crates", "simulate", "fuzz", "xtask"];

/// Files that are named and do not exist, or are named twice.
pub fn complaints(root: &Path) -> Result<Complaints, String> {
    let mut complaints = Vec::new();
    for folder in SOURCES.map(|folder| root.join(folder)).into_iter().filter(|folder| folder.is_dir()) {
        for path in below(&folder, &|folder| name(folder) != "target")? {
            if path.extension().is_none_or(|e| e != "rs") {
                continue;
            }
            let text = read(&path)?;
            let lines = text.lines().filter_map(|line| line.strip_prefix("//! "));
            let page = lines.collect::<Vec<_>>().join("\n");
            let titles = |title| tables(&page).into_iter().filter_map(move |table| table.codes(title));
            let mut named: Vec<String> = FILES.iter().flat_map(|title| titles(*title)).flatten().collect();
            let beside = path.parent().unwrap_or(root);
            let is_there =
                |file: &str| beside.join(file).exists() || beside.join(format!("{file}.rs")).exists();
            // `REQUEST_NAME` is a constant: that table says where else a value stands.
            let is_file = |file: &&String| file.contains(|c: char| c.is_ascii_lowercase());
            let absent = named.iter().filter(is_file).filter(|file| !is_there(file));
            let mut wrong: Complaints =
                absent.map(|file| format!("names `{file}`, which does not exist")).collect();
            named.sort();
            let twice = named.windows(2).filter(|pair| pair[0] == pair[1]);
            wrong.extend(twice.map(|pair| format!("names `{}` twice", pair[0])));
            complaints.extend(wrong.into_iter().map(|why| format!("{}: {why}", shown(root, &path))));
        }
    }
    Ok(complaints)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_docs::tree::Tree;

    #[test]
    fn a_file_that_is_gone_or_named_twice_is_found() {
        let table = "//! A.\n//!\n//! | file | what |\n//! | --- | --- |\n//! | `a.rs`, `b`, `c/` | `x` |\n//! | `b`, `d.rs` | `y` |\n";
        let tree = Tree::new("modules")
            .with("crates/a/src/mod.rs", table)
            .with("crates/a/src/a.rs", "")
            .with("crates/a/src/b.rs", "")
            .with("crates/a/src/c/mod.rs", "");
        assert_eq!(
            complaints(tree.root()).unwrap(),
            [
                "crates/a/src/mod.rs: names `d.rs`, which does not exist",
                "crates/a/src/mod.rs: names `b` twice"
            ]
        );
    }
}
