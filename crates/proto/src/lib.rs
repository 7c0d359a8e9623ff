//! `.proto` files to descriptors, with protox: those of editions 2023 and 2024 included, which protox does not read, and with
//! the files of Google's that programs import without having them.
//!
//! ```no_run
//! let read = polywire_proto::read(&["proto/echo.proto"], &[])?;
//! let set: Vec<u8> = read.descriptor_set(); // a google.protobuf.FileDescriptorSet
//! # Ok::<(), polywire_proto::Error>(())
//! ```

#![forbid(unsafe_code)]

mod editions;
mod explain;
mod google;

use buffa::{DecodeOptions, Message};
use buffa_descriptor::generated::descriptor::{FileDescriptorProto, FileDescriptorSet};
use std::{
    error, fmt,
    path::{Path, PathBuf},
};

/// The requested files and their imports.
#[derive(Clone)]
pub struct Files {
    /// Imported ones before those that import them, with comments.
    pub files: Vec<FileDescriptorProto>,
    /// Paths of all files that were read from disk.
    pub sources: Vec<PathBuf>,
    /// Names of those that come with this crate: `google/api/annotations.proto`, `http.proto` and `httpbody.proto`, unless they
    /// are on disk.
    pub bundled: Vec<String>,
    /// Some are of an edition.
    pub has_editions: bool,
}

/// A file is missing or wrong. The text begins with file, line and column where they are known.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(String);

/// Reads `files` and what they import. Imports are looked up in `includes`, or in the directories of the files if there are none.
///
/// # Errors
/// The first mistake in a file, or a file that is missing.
pub fn read(files: &[impl AsRef<Path>], includes: &[PathBuf]) -> Result<Files, Error> {
    let directories = if includes.is_empty() { own_directories(files) } else { includes.to_vec() };
    let of_editions = editions::Read::default();
    let resolver = editions::Resolver::new(directories.clone(), of_editions.clone());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).include_source_info(true);
    for file in files {
        let file = file.as_ref();
        let exists = file.exists() || directories.iter().any(|directory| directory.join(file).exists());
        compiler.open_file(file).map_err(|e| match (e.is_file_not_found(), exists) {
            (true, false) => no_such_file(file, includes),
            (true, true) => Error(format!("{e:?}\nimports are looked up in: {}", list(&directories))),
            _ => Error(explain::error(&e)),
        })?;
    }
    let on_disk = || compiler.files().filter(|file| file.path().is_some());
    let mut sources: Vec<_> = on_disk().filter_map(|file| file.path().map(Path::to_owned)).collect();
    sources.extend(of_editions.paths());
    let bundled = compiler.files().filter(|file| file.path().is_none() && google::has(file.name()));
    let bundled = bundled.map(|file| file.name().to_owned()).collect();
    let bytes = compiler.encode_file_descriptor_set();
    let mut set: FileDescriptorSet = DecodeOptions::new()
        .with_element_memory_limit(usize::MAX)
        .with_unknown_field_limit(usize::MAX)
        .decode_from_slice(&bytes)
        .map_err(|e| Error(e.to_string()))?;
    set.file.iter_mut().try_for_each(|file| of_editions.restore(file)).map_err(Error)?;
    Ok(Files { files: set.file, sources, bundled, has_editions: !of_editions.is_empty() })
}

impl Files {
    /// All files as an encoded `google.protobuf.FileDescriptorSet`.
    pub fn descriptor_set(&self) -> Vec<u8> {
        FileDescriptorSet { file: self.files.clone(), ..FileDescriptorSet::default() }.encode_to_vec()
    }
}

fn own_directories(files: &[impl AsRef<Path>]) -> Vec<PathBuf> {
    let mut own: Vec<PathBuf> = Vec::new();
    for file in files {
        let parent = file.as_ref().parent().unwrap_or(Path::new(""));
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        if !own.iter().any(|known| known == parent) {
            own.push(parent.to_owned());
        }
    }
    own
}

/// A file that is wanted, and where it was looked for.
fn no_such_file(file: &Path, includes: &[PathBuf]) -> Error {
    let mut searched = includes.to_vec();
    searched.extend(std::env::current_dir());
    match file.is_absolute() {
        true => Error(format!("{}: no such file", file.display())),
        false => Error(format!("{}: no such file in {}", file.display(), list(&searched))),
    }
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl error::Error for Error {}
