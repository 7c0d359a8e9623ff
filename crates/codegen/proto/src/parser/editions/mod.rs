//! Files of editions 2023 and 2024, which protox does not read.
//!
//! ```text
//! new.proto ── rewrite ──► the same in proto2 ── protox ──► descriptors ──┐
//!           └─ features ─► what its options say of features, by place ────┴─► descriptors of the edition
//! ```
//!
//! An edition differs from proto2 in a few words of its syntax, and in the meaning of fields, which features
//! define. The words are changed in the text, so that protox reports mistakes at the right lines; the
//! features, which protox does not support, are removed from the text and added to the descriptors. Later
//! steps resolve them.
//!
//! Source: protobuf.dev/editions/overview, protobuf.dev/editions/features

mod features;
mod rewrite;

use super::GoogleFiles;
use buffa_descriptor::generated::descriptor::{Edition, FileDescriptorProto};
use features::Features;
use protox::file::{File, FileResolver, IncludeFileResolver};
use std::{
    cell::RefCell,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    rc::Rc,
};

/// Editions that were read, by name of the file.
#[derive(Clone, Default)]
pub(super) struct Read(Rc<RefCell<BTreeMap<String, OfEdition>>>);

struct OfEdition {
    path: PathBuf,
    edition: Edition,
    features: Features,
}

impl Read {
    /// The paths of these files.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.0.borrow().values().map(|file| file.path.clone()).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// Restores the edition in a descriptor, if its file has one.
    ///
    /// # Errors
    /// If features contradict the declarations of the file.
    pub fn restore(&self, file: &mut FileDescriptorProto) -> Result<(), String> {
        let read = self.0.borrow();
        let Some(of) = file.name.as_ref().and_then(|name| read.get(name)) else { return Ok(()) };
        file.syntax = Some("editions".to_owned());
        file.edition = Some(of.edition);
        of.features.apply(file)
    }
}

/// Finds files as protox does: in directories, then among Google's own.
pub(super) struct Resolver {
    directories: Vec<(PathBuf, IncludeFileResolver)>,
    google: GoogleFiles,
    read: Read,
}

impl Resolver {
    pub fn new(directories: Vec<PathBuf>, read: Read) -> Resolver {
        let directories =
            directories.into_iter().map(|path| (path.clone(), IncludeFileResolver::new(path))).collect();
        Resolver { directories, google: GoogleFiles::new(), read }
    }
}

impl FileResolver for Resolver {
    fn resolve_path(&self, path: &Path) -> Option<String> {
        let found = self.directories.iter().find_map(|(_, resolver)| resolver.resolve_path(path));
        found.or_else(|| self.google.resolve_path(path))
    }

    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        for (directory, resolver) in &self.directories {
            let path = directory.join(name);
            let source = fs::read_to_string(&path).unwrap_or_default();
            let source = source.trim_start_matches('\u{feff}');
            if let Some(begin) = rewrite::edition(source) {
                return self.open_edition(name, path, source, begin);
            }
            match resolver.open_file(name) {
                Err(error) if error.is_file_not_found() => {}
                opened => return opened,
            }
        }
        self.google.open_file(name)
    }
}

impl Resolver {
    /// `begin`: the result of [`rewrite::edition`] for the source.
    fn open_edition(
        &self,
        name: &str,
        path: PathBuf,
        source: &str,
        begin: (usize, &str, &str),
    ) -> Result<File, protox::Error> {
        let failed = |what: String| protox::Error::new(format!("{name}:{what}"));
        let (line, statement, value) = begin;
        let edition = match value {
            "2023" => Edition::EDITION_2023,
            "2024" => Edition::EDITION_2024,
            _ => {
                return Err(failed(format!("{line}: `{statement}` is not supported: 2023 and 2024 are")));
            }
        };
        let rewritten = rewrite::proto2(source).map_err(failed)?;
        // The text that is compiled is parsed first, so that syntax errors refer to it. If the parser refuses
        // only the text with features, that is an error, too: without it, the file would be compiled as if it
        // had no features.
        let file = File::from_source(name, &rewritten.without_features)?;
        let with_features = protox_parse::parse(name, &rewritten.with_features)?;
        let features = Features::of(&with_features).map_err(|what| failed(format!(" {what}")))?;
        self.read.0.borrow_mut().insert(name.to_owned(), OfEdition { path, edition, features });
        Ok(file)
    }
}
