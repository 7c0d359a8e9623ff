//! Reads files and their includes.

use crate::{Error, Schema, lexer::Wrong, parse, resolve::Resolver};
use std::{
    fs,
    path::{Path, PathBuf},
};

impl Schema {
    /// Reads files and everything they include, from their own directories or from these.
    ///
    /// # Errors
    /// A file that cannot be read, or an error in a file, with its line.
    pub fn read(files: &[PathBuf], includes: &[PathBuf]) -> Result<Schema, Error> {
        let mut reader = Reader { includes, read: Vec::new() };
        for file in files {
            reader.file(file)?;
        }
        Resolver::new(reader.read)?.resolve()
    }

    /// Parses a text without includes. `name` is used in messages.
    ///
    /// # Errors
    /// An error in a file, with its line.
    pub fn parse(name: &str, text: &str) -> Result<Schema, Error> {
        let path = PathBuf::from(name);
        let file = parse::file(text).map_err(|wrong| located(&path, wrong))?;
        if let Some((line, included)) = file.includes.first() {
            return Err(located(&path, (*line, format!("\"{included}\" is not found"))));
        }
        if let Some((line, name)) = file.foreign_attributes.first() {
            return Err(located(&path, undeclared(*line, name)));
        }
        Resolver::new(vec![Read { whole: path.clone(), path, file }])?.resolve()
    }
}

pub(crate) struct Read {
    pub path: PathBuf,
    /// The path without links and dots, by which equal files are recognised.
    pub whole: PathBuf,
    pub file: parse::File,
}

struct Reader<'i> {
    includes: &'i [PathBuf],
    read: Vec<Read>,
}

impl Reader<'_> {
    fn file(&mut self, path: &Path) -> Result<(), Error> {
        // A file may be included by several paths, `a.fbs` and `sub/../a.fbs`.
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if self.read.iter().any(|known| known.whole == whole) {
            return Ok(());
        }
        let source = fs::read_to_string(path).map_err(|why| Error(format!("{}: {why}", path.display())))?;
        let file = parse::file(&source).map_err(|wrong| located(path, wrong))?;
        // Registered before its includes are read, because includes may be circular.
        let place = self.read.len();
        let includes = file.includes.clone();
        self.read.push(Read { path: path.to_owned(), whole, file });
        for (line, name) in includes {
            let beside = path.parent().unwrap_or(Path::new("")).join(&name);
            let others = self.includes.iter().map(|directory| directory.join(&name));
            let found = std::iter::once(beside).chain(others).find(|candidate| candidate.exists());
            let found = found.ok_or_else(|| located(path, (line, format!("\"{name}\" is not found"))))?;
            self.file(&found)?;
        }
        let own = self.read.remove(place);
        for (line, name) in &own.file.foreign_attributes {
            if !self.read.iter().any(|other| other.file.attributes.contains(name)) {
                return Err(located(path, undeclared(*line, name)));
            }
        }
        self.read.push(own);
        Ok(())
    }
}

/// The error for an unknown attribute. It may change the layout of a message, so it is not ignored.
fn undeclared(line: usize, name: &str) -> Wrong {
    (
        line,
        format!(
            "`{name}` is not an attribute of FlatBuffers, and `attribute \"{name}\";` does not precede it"
        ),
    )
}

pub(crate) fn located(path: &Path, (line, what): Wrong) -> Error {
    Error(format!("{}:{line}: {what}", path.display()))
}
