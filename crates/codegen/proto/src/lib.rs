//! Converts `.proto` files to descriptors, with the files of Google that programs import without having them.
//!
//! With the feature `parser`, which is on by default, protox reads the files; those of editions 2023 and
//! 2024, which protox does not support, are rewritten for it. Without the feature, the program `protoc` reads
//! them, found in the path or by the variable `PROTOC`: then no parser is compiled.
//!
//! ```no_run
//! let read = polywire_proto::read(&["proto/echo.proto"], &[])?;
//! let set: Vec<u8> = read.descriptor_set(); // a google.protobuf.FileDescriptorSet
//! # Ok::<(), polywire_proto::Error>(())
//! ```

#![forbid(unsafe_code)]

mod google;
#[cfg(feature = "parser")]
mod parser;
#[cfg(not(feature = "parser"))]
mod protoc;

use buffa::{DecodeOptions, Message};
use buffa_descriptor::generated::descriptor::{FileDescriptorProto, FileDescriptorSet};
use std::{
    error, fmt,
    path::{Path, PathBuf},
};

/// The requested files and their imports.
#[derive(Clone)]
pub struct Files {
    /// The files, imported ones before those that import them, with comments.
    pub files: Vec<FileDescriptorProto>,
    /// Paths of all files that were read from disk.
    pub sources: Vec<PathBuf>,
    /// Names of the imported files that come with this crate: `google/api/annotations.proto`, `http.proto`
    /// and `httpbody.proto`, unless they are on disk.
    pub bundled: Vec<String>,
    /// Some are of an edition.
    pub has_editions: bool,
}

/// A file is missing or invalid. The text begins with file, line and column where they are known.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(String);

/// Reads `files` and their imports. Imports are looked up in `includes`, or in the directories of the files
/// if there are none.
///
/// # Errors
/// The first mistake in a file, or a file that is missing.
pub fn read(files: &[impl AsRef<Path>], includes: &[PathBuf]) -> Result<Files, Error> {
    let directories = if includes.is_empty() { own_directories(files) } else { includes.to_vec() };
    #[cfg(feature = "parser")]
    use parser as reader;
    #[cfg(not(feature = "parser"))]
    use protoc as reader;
    reader::read(files, includes, &directories)
}

/// The files of an encoded `google.protobuf.FileDescriptorSet`.
fn decoded(bytes: &[u8]) -> Result<Vec<FileDescriptorProto>, Error> {
    let options =
        DecodeOptions::new().with_element_memory_limit(usize::MAX).with_unknown_field_limit(usize::MAX);
    let set: FileDescriptorSet = options.decode_from_slice(bytes).map_err(|e| Error(e.to_string()))?;
    Ok(set.file)
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

/// The error for a missing file: names the file and the folders that were searched.
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
