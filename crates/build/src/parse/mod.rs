//! Compiles `.proto` files to descriptors, with protox.

mod editions;
mod explain;
mod google;

use crate::{Config, Error};
use buffa::DecodeOptions;
use buffa_descriptor::generated::descriptor::{FileDescriptorProto, FileDescriptorSet};
use std::path::{Path, PathBuf};

/// The requested files and their imports.
#[derive(Clone)]
pub(crate) struct Parsed {
    /// All files, imported ones before those that import them, with comments.
    pub files: Vec<FileDescriptorProto>,
    /// Names of the files for which code is generated.
    pub wanted: Vec<String>,
    /// Paths of all files that were read from disk.
    pub sources: Vec<PathBuf>,
}

impl Parsed {
    /// The files for which code is generated.
    pub fn wanted_files(&self) -> impl Iterator<Item = &FileDescriptorProto> {
        self.files.iter().filter(|f| f.name.as_ref().is_some_and(|name| self.wanted.contains(name)))
    }
}

/// Parses `files`. Code is generated for them and for their imports, except for Google's own and for packages
/// that exist elsewhere (`extern_path`).
pub(crate) fn files(config: &Config, files: &[impl AsRef<Path>]) -> Result<Parsed, Error> {
    let failed = |e: protox::Error| Error::Proto(explain::error(&e));
    let of_editions = editions::Read::default();
    let resolver = editions::Resolver::new(includes(config, files), of_editions.clone());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).include_source_info(true);
    for file in files {
        let file = file.as_ref();
        compiler.open_file(file).map_err(|e| match (e.is_file_not_found(), file.exists()) {
            (true, false) => Error::Proto(format!("{}: no such file", file.display())),
            (true, true) => {
                Error::Proto(format!("{e:?}\nimports are looked up in: {}", list(&includes(config, files))))
            }
            _ => failed(e),
        })?;
    }
    let mut sources: Vec<_> = compiler.files().filter_map(|f| f.path().map(Path::to_owned)).collect();
    let on_disk = compiler.files().filter(|f| f.path().is_some());
    let from_disk: Vec<String> = on_disk.map(|f| f.name().to_owned()).collect();
    sources.extend(of_editions.paths());
    let bytes = compiler.encode_file_descriptor_set();
    let mut set: FileDescriptorSet = DecodeOptions::new()
        .with_element_memory_limit(usize::MAX)
        .with_unknown_field_limit(usize::MAX)
        .decode_from_slice(&bytes)
        .map_err(|e| Error::Proto(e.to_string()))?;
    set.file.iter_mut().try_for_each(|file| of_editions.restore(file)).map_err(Error::Proto)?;
    #[cfg(feature = "prost")]
    if config.prost && !of_editions.is_empty() {
        return Err(Error::Options("prost(true): prost's generator reads no editions".to_owned()));
    }
    let is_bundled = |file: &FileDescriptorProto| {
        let name = file.name.as_deref().unwrap_or_default();
        google::has(name) && !from_disk.iter().any(|known| known == name)
    };
    let wanted = set.file.iter().filter(|f| is_wanted(config, f) && !is_bundled(f));
    let wanted = wanted.filter_map(|f| f.name.clone()).collect();
    Ok(Parsed { files: set.file, wanted, sources })
}

fn is_wanted(config: &Config, file: &FileDescriptorProto) -> bool {
    let package = format!(".{}", file.package.as_deref().unwrap_or_default());
    let exists = |path: &str| {
        path == "." || package.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    (config.well_known_types || !exists_at_google(&package))
        && !config.extern_paths.iter().any(|(path, _)| exists(path))
}

fn exists_at_google(package: &str) -> bool {
    package == ".google.protobuf"
}

fn includes(config: &Config, files: &[impl AsRef<Path>]) -> Vec<PathBuf> {
    if !config.includes.is_empty() {
        return config.includes.clone();
    }
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

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ")
}
