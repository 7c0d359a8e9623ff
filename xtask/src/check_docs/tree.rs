//! A small repository for the tests of the checks.

use std::fs;
use std::path::{Path, PathBuf};

/// Files in a temporary folder, removed at the end.
pub struct Tree(PathBuf);

impl Tree {
    pub fn new(name: &str) -> Tree {
        let root = std::env::temp_dir().join(format!("polywire-xtask-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).unwrap();
        Tree(root)
    }

    pub fn with(self, path: &str, text: &str) -> Tree {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub fn root(&self) -> &Path {
        &self.0
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
