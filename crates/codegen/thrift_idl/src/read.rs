//! Reads files and their includes.

use crate::{
    Error,
    ast::{self, Name},
    parse,
    place::{Wrong, wrong},
};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The maximum depth of includes.
const MAX_INCLUDES: usize = 64;

/// Reads files and everything they include, from their own directories or from these.
pub(crate) fn files(files: &[PathBuf], includes: &[PathBuf]) -> Result<Vec<Read>, Error> {
    let mut reader = Reader { includes, read: Vec::new(), open: Vec::new() };
    for file in files {
        reader.file(file).map_err(|why| match why {
            Failed::Wrong(error) => error,
            Failed::Read(why) => Error(format!("{}: {why}", file.display())),
        })?;
    }
    Ok(reader.read)
}

/// Parses a text without includes.
pub(crate) fn text(name: &str, text: &str) -> Result<Read, Error> {
    let path = PathBuf::from(name);
    let file = parse::file(text).map_err(|wrong| located(&path, wrong))?;
    if let Some(include) = file.includes.first() {
        return Err(located(&path, not_found(include, &[])));
    }
    Ok(Read { canonical: path.clone(), path, file, includes: Vec::new() })
}

/// A file that was read and parsed.
pub(crate) struct Read {
    pub path: PathBuf,
    canonical: PathBuf,
    pub file: ast::File,
    /// The name by which the file refers to each file that it includes, and the index of that file.
    pub includes: Vec<(String, usize)>,
}

struct Reader<'i> {
    includes: &'i [PathBuf],
    read: Vec<Read>,
    /// The files whose includes are being read.
    open: Vec<PathBuf>,
}

enum Failed {
    Read(io::Error),
    Wrong(Error),
}

impl Reader<'_> {
    /// Reads a file that is not known yet; returns its index.
    fn file(&mut self, path: &Path) -> Result<usize, Failed> {
        let canonical = fs::canonicalize(path).map_err(Failed::Read)?;
        if let Some(known) = self.read.iter().position(|known| known.canonical == canonical) {
            return Ok(known);
        }
        let source = fs::read_to_string(path).map_err(Failed::Read)?;
        let failed = |wrong| Failed::Wrong(located(path, wrong));
        let file = parse::file(&source).map_err(failed)?;
        self.open.push(canonical.clone());
        let mut includes = Vec::new();
        for include in &file.includes {
            let found = self.find(path, include).map_err(failed)?;
            let place = include.place;
            if fs::canonicalize(&found).is_ok_and(|found| self.open.contains(&found)) {
                let what =
                    format!("\"{}\" includes this file again, directly or through others", include.text);
                return Err(failed(wrong(place, what)));
            }
            if self.open.len() > MAX_INCLUDES {
                let what = format!("files include each other more than {MAX_INCLUDES} deep");
                return Err(failed(wrong(place, what)));
            }
            let index = self.file(&found).map_err(|why| match why {
                Failed::Read(why) => failed(wrong(place, format!("{}: {why}", found.display()))),
                other => other,
            })?;
            includes.push((prefix(&include.text), index));
        }
        self.open.pop();
        self.read.push(Read { path: path.to_owned(), canonical, file, includes });
        Ok(self.read.len() - 1)
    }

    fn find(&self, from: &Path, include: &Name) -> Result<PathBuf, Wrong> {
        let beside = from.parent().unwrap_or(Path::new(""));
        let directories: Vec<&Path> =
            std::iter::once(beside).chain(self.includes.iter().map(PathBuf::as_path)).collect();
        let found =
            directories.iter().map(|directory| directory.join(&include.text)).find(|path| path.is_file());
        found.ok_or_else(|| not_found(include, &directories))
    }
}

/// The name before the dot that refers to an included file's declarations.
fn prefix(include: &str) -> String {
    let file = include.rsplit('/').next().unwrap_or(include);
    file.strip_suffix(".thrift").unwrap_or(file).to_owned()
}

fn not_found(include: &Name, directories: &[&Path]) -> Wrong {
    let shown = |directory: &&Path| match directory.as_os_str().is_empty() {
        true => ".".to_owned(),
        false => directory.display().to_string(),
    };
    let searched: Vec<String> = directories.iter().map(shown).collect();
    let what = match searched.is_empty() {
        true => format!("\"{}\" is not found", include.text),
        false => {
            format!("\"{}\" is not found; includes are looked up in {}", include.text, searched.join(", "))
        }
    };
    wrong(include.place, what)
}

pub(crate) fn located(path: &Path, Wrong { place, what }: Wrong) -> Error {
    Error(format!("{}:{}:{}: {what}", path.display(), place.line, place.column))
}
