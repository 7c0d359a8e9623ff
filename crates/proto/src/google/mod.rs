//! Files of Google's that come with this crate: programs import them without having them.

use protox::file::{File, FileResolver, GoogleFileResolver};
use std::path::Path;

/// By name, with what they declare.
const FILES: [(&str, &str); 3] = [
    ("google/api/annotations.proto", include_str!("annotations.proto")),
    ("google/api/http.proto", include_str!("http.proto")),
    ("google/api/httpbody.proto", include_str!("httpbody.proto")),
];

/// Whether a file comes with this crate, unless the user has it.
pub(super) fn has(name: &str) -> bool {
    FILES.iter().any(|(known, _)| *known == name)
}

/// Finds them, and those of `google/protobuf`.
pub(super) struct Resolver(GoogleFileResolver);

impl Resolver {
    pub fn new() -> Resolver {
        Resolver(GoogleFileResolver::new())
    }
}

impl FileResolver for Resolver {
    fn resolve_path(&self, path: &Path) -> Option<String> {
        self.0.resolve_path(path)
    }

    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match FILES.iter().find(|(known, _)| *known == name) {
            Some((name, source)) => File::from_source(name, source),
            None => self.0.open_file(name),
        }
    }
}
