//! Reads files with protox, without an external program.

mod editions;
mod explain;

use crate::{Error, Files, decoded, google, list, no_such_file};
use protox::file::{File, FileResolver, GoogleFileResolver};
use std::path::{Path, PathBuf};

pub(crate) fn read(
    files: &[impl AsRef<Path>],
    includes: &[PathBuf],
    directories: &[PathBuf],
) -> Result<Files, Error> {
    let of_editions = editions::Read::default();
    let resolver = editions::Resolver::new(directories.to_vec(), of_editions.clone());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).include_source_info(true);
    for file in files {
        let file = file.as_ref();
        let exists = file.exists() || directories.iter().any(|directory| directory.join(file).exists());
        compiler.open_file(file).map_err(|e| match (e.is_file_not_found(), exists) {
            (true, false) => no_such_file(file, includes),
            (true, true) => Error(format!("{e:?}\nimports are looked up in: {}", list(directories))),
            _ => Error(explain::error(&e)),
        })?;
    }
    let on_disk = || compiler.files().filter(|file| file.path().is_some());
    let mut sources: Vec<_> = on_disk().filter_map(|file| file.path().map(Path::to_owned)).collect();
    sources.extend(of_editions.paths());
    let bundled = compiler.files().filter(|file| file.path().is_none() && google::has(file.name()));
    let bundled = bundled.map(|file| file.name().to_owned()).collect();
    let mut files = decoded(&compiler.encode_file_descriptor_set())?;
    files.iter_mut().try_for_each(|file| of_editions.restore(file)).map_err(Error)?;
    Ok(Files { files, sources, bundled, has_editions: !of_editions.is_empty() })
}

/// Finds the files of Google that come with this crate, and those of `google/protobuf`.
struct GoogleFiles(GoogleFileResolver);

impl GoogleFiles {
    fn new() -> GoogleFiles {
        GoogleFiles(GoogleFileResolver::new())
    }
}

impl FileResolver for GoogleFiles {
    fn resolve_path(&self, path: &Path) -> Option<String> {
        self.0.resolve_path(path)
    }

    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match google::FILES.iter().find(|(known, _)| *known == name) {
            Some((name, source)) => File::from_source(name, source),
            None => self.0.open_file(name),
        }
    }
}
