//! Files and folders of the tree, in a stable order.

use std::fs;
use std::path::{Path, PathBuf};

/// Entries of a folder by name.
pub fn children(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Files below a folder, except in folders that are not entered.
pub fn below(folder: &Path, enters: &dyn Fn(&Path) -> bool) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for path in children(folder)? {
        if path.is_dir() && enters(&path) {
            files.extend(below(&path, enters)?);
        } else if path.is_file() {
            files.push(path);
        }
    }
    Ok(files)
}

pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

pub fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// A path as shown in a complaint.
pub fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}
