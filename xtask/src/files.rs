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

/// Folders with a manifest below a folder, of crates and of floors of crates.
pub fn crates(folder: &Path) -> Vec<PathBuf> {
    let below = children(folder).unwrap_or_default().into_iter().filter(|child| child.is_dir());
    below
        .flat_map(|child| match child.join("Cargo.toml").is_file() {
            true => vec![child],
            false => children(&child).unwrap_or_default(),
        })
        .filter(|child| child.join("Cargo.toml").is_file())
        .collect()
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
