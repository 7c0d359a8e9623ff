//! The files for which code is generated, and those that they import.

use crate::{Config, Error};
use buffa_descriptor::generated::descriptor::FileDescriptorProto;
use std::path::{Path, PathBuf};

/// The only file of Google outside `google/protobuf` that declares a message which programs use.
const HTTP_BODY: &str = "google/api/httpbody.proto";

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
    /// Parses `files`. Code is generated for them and for their imports, except for Google's own and for
    /// packages that exist elsewhere (`extern_path`).
    pub fn read(config: &Config, files: &[impl AsRef<Path>]) -> Result<Self, Error> {
        let read = polywire_proto::read(files, &config.includes);
        let read = read.map_err(|error| Error::Proto(error.to_string()))?;
        #[cfg(feature = "prost")]
        if config.prost && read.has_editions {
            return Err(Error::Options("prost(true): prost's generator reads no editions".to_owned()));
        }
        let names =
            read.files.iter().filter(|file| is_wanted(config, file)).filter_map(|file| file.name.clone());
        let wanted = names.filter(|name| !is_in_runtime(config, &read.bundled, name)).collect();
        Ok(Parsed { files: read.files, wanted, sources: read.sources })
    }

    /// Whether `google.api.HttpBody` is the runtime's.
    pub fn has_http_body(&self) -> bool {
        let is_read = self.files.iter().any(|file| file.name.as_deref() == Some(HTTP_BODY));
        is_read && !self.wanted.iter().any(|name| name == HTTP_BODY)
    }

    /// The files for which code is generated.
    pub fn wanted_files(&self) -> impl Iterator<Item = &FileDescriptorProto> {
        self.files.iter().filter(|f| f.name.as_ref().is_some_and(|name| self.wanted.contains(name)))
    }
}

/// Whether the runtime has the types that this file declares. It has none of prost's types.
fn is_in_runtime(config: &Config, bundled: &[String], name: &String) -> bool {
    let is_made = config.has_prost() && name == HTTP_BODY;
    bundled.contains(name) && !is_made
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

/// Whether this is the syntax of files whose strings may hold any bytes.
pub(crate) fn is_proto2(syntax: Option<&str>) -> bool {
    matches!(syntax, None | Some("proto2"))
}
