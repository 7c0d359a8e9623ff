//! The output of a build script, written by one or several calls of `compile`.

use crate::{
    Error,
    emit::{self, File},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// Packages that this process has written, by directory, so that a second call of `compile` in one build
/// script keeps those of the first. A static is the only state that the calls share.
static EARLIER: Mutex<BTreeMap<PathBuf, BTreeSet<String>>> = Mutex::new(BTreeMap::new());

/// The directory of generated files.
pub(crate) struct Written {
    directory: PathBuf,
    packages: BTreeSet<String>,
}

impl Written {
    pub fn at(directory: PathBuf) -> Written {
        let earlier = EARLIER.lock().unwrap_or_else(PoisonError::into_inner);
        let packages = earlier.get(&directory).cloned().unwrap_or_default();
        Written { directory, packages }
    }

    /// Writes the files of these packages.
    ///
    /// # Errors
    /// If an earlier call has written a different file of the same name, which would be lost.
    pub fn packages(&mut self, files: &[File], packages: BTreeSet<String>) -> Result<(), Error> {
        for package in packages.intersection(&self.packages) {
            let source = format!("{}.rs", emit::file_name(package));
            let same =
                |file: &File| fs::read(self.directory.join(&file.name)).is_ok_and(|old| old == file.content);
            if !files.iter().filter(|file| file.name == source).all(same) {
                let what = "is made by two calls of `compile`, each from other files: name all its files in one call";
                return Err(Error::Names(format!("package `{package}` {what}")));
            }
        }
        self.packages.extend(packages);
        files.iter().try_for_each(|file| self.write(file))
    }

    /// Writes the modules of all packages, including those of earlier calls, and passes their directory to
    /// the compiler.
    pub fn finish(self) -> Result<(), Error> {
        for tree in emit::trees(self.packages.iter().map(String::as_str)) {
            self.write(&tree)?;
            if let Some(prefix) = tree.name.strip_prefix("include/").and_then(|name| name.strip_suffix(".rs"))
            {
                let path = self.directory.join(&tree.name);
                println!("cargo:rustc-env=POLYWIRE_PACKAGE_{prefix}={}", path.display());
            }
        }
        let names: Vec<_> = self.packages.iter().map(|name| format!("`{}`", emit::file_name(name))).collect();
        println!("cargo:rustc-env=POLYWIRE_PACKAGES={}", names.join(", "));
        let mut earlier = EARLIER.lock().unwrap_or_else(PoisonError::into_inner);
        earlier.insert(self.directory, self.packages);
        Ok(())
    }

    /// Leaves an unchanged file alone, so that it does not cause a rebuild.
    fn write(&self, file: &File) -> Result<(), Error> {
        let path: &Path = &self.directory.join(&file.name);
        let failed = |source| Error::Write { path: path.to_owned(), source };
        if fs::read(path).is_ok_and(|old| old == file.content) {
            return Ok(());
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        fs::write(path, &file.content).map_err(failed)
    }
}
