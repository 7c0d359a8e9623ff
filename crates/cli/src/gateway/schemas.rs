//! What is known of the messages of a cluster: from files, or from its servers.

use super::{
    asking::{Asking, Ways},
    document::{Placed, Table},
};
use crate::{failure::Failure, terminal};
use polywire::{ConfigError, gateway::Schemas};
use polywire_formats::generated::buffa_descriptor::generated::descriptor::FileDescriptorProto;
use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

/// Bytes of a descriptor set; [`Schemas`] have the same limit.
const LONGEST: u64 = 16 << 20;
/// Where the schemas of a cluster come from.
#[derive(Clone)]
pub enum Source {
    Files(Schemas),
    Servers(Arc<Asking>),
}

impl Source {
    pub fn schemas(&self) -> &Schemas {
        match self {
            Source::Files(schemas) => schemas,
            Source::Servers(asking) => asking.schemas(),
        }
    }

    pub fn asking(&self) -> Option<&Arc<Asking>> {
        match self {
            Source::Files(_) => None,
            Source::Servers(asking) => Some(asking),
        }
    }

    /// Where they come from, for readers.
    pub fn words(&self) -> &'static str {
        match self {
            Source::Files(_) => "files",
            Source::Servers(asking) => asking.words(),
        }
    }
}

/// What a file of settings says of the schemas of a cluster.
pub struct Named {
    named: Option<Vec<Placed<String>>>,
    includes: Vec<Placed<String>>,
}

/// Where they come from.
pub enum Said {
    Nothing,
    Servers(Ways),
    Files(Schemas),
}

impl Named {
    /// Reads the keys `schemas` and `include`.
    pub fn read(table: &Table<'_>) -> Named {
        let (named, includes) = (table.texts("schemas"), table.texts("include").unwrap_or_default());
        let has_files = named.as_ref().is_some_and(|named| Ways::named(texts_of(named)).is_none());
        if let (Some(include), false) = (includes.first(), has_files) {
            table.wrong(include.at, "include", "it is for the .proto files of `schemas`");
        }
        if named.as_ref().is_some_and(Vec::is_empty) && table.is_well() {
            let text = "an empty list knows nothing: write files, \"reflection\" or \"protobufs\"";
            table.wrong(table.at_key("schemas"), "schemas", text);
        }
        Named { named, includes }
    }

    /// Reads the files. `None`: a mistake was found.
    pub fn load(self, table: &Table<'_>) -> Option<Said> {
        let Some(named) = self.named else { return Some(Said::Nothing) };
        if let Some(ways) = Ways::named(texts_of(&named)) {
            return Some(Said::Servers(ways));
        }
        let (mut set, mut protos, mut first, mut is_well) = (Vec::new(), Vec::new(), None, true);
        for Placed { value, at } in &named {
            if Ways::named([&**value].into_iter()).is_some() {
                table.wrong(
                    *at,
                    "schemas",
                    format_args!("{value:?} asks the servers: files are not beside it"),
                );
                is_well = false;
            } else if let Err(wrong) = add_named(&mut set, &mut protos, value) {
                table.wrong(*at, "schemas", wrong);
                is_well = false;
            }
            if first.is_none() && !protos.is_empty() {
                first = Some(*at);
            }
        }
        if !is_well {
            return None;
        }
        let includes: Vec<_> =
            self.includes.into_iter().map(|include| PathBuf::from(include.value)).collect();
        if let Some(at) = first {
            let added = add_protos(&mut set, &protos, &includes);
            added.map_err(|wrong| table.wrong(at, "schemas", wrong)).ok()?;
        }
        let schemas = Schemas::from_descriptor_set(&set);
        let wrong = |wrong| table.wrong(table.at_key("schemas"), "schemas", wrong);
        let schemas = schemas.map_err(wrong).ok()?;
        for text in left_out(&schemas) {
            table.warn(table.at_key("schemas"), "schemas", text);
        }
        Some(Said::Files(schemas))
    }
}

fn texts_of(named: &[Placed<String>]) -> impl Iterator<Item = &str> {
    named.iter().map(|one| &*one.value)
}

/// The schemas in these files, as `--schemas` names them.
///
/// # Errors
/// A file is missing or wrong.
pub fn of_files(named: &[String], includes: &[PathBuf]) -> Result<Schemas, Failure> {
    let wrong = |text: String| Failure::usage(format!("--schemas {text}"));
    let (mut set, mut protos) = (Vec::new(), Vec::new());
    for name in named {
        add_named(&mut set, &mut protos, name).map_err(wrong)?;
    }
    if !protos.is_empty() {
        add_protos(&mut set, &protos, includes).map_err(wrong)?;
    }
    let schemas = Schemas::from_descriptor_set(&set).map_err(|error| wrong(error.to_string()))?;
    for text in left_out(&schemas) {
        eprintln!("polywire: --schemas: {}", terminal::line(&text));
    }
    Ok(schemas)
}

/// Adds the files that a text names: descriptor sets to the set, `.proto` files to those to be read together.
fn add_named(set: &mut Vec<u8>, protos: &mut Vec<PathBuf>, text: &str) -> Result<(), String> {
    for file in files_of(text)? {
        match is_proto(&file) {
            true => protos.push(file),
            false => add_set(set, &file)?,
        }
    }
    Ok(())
}

/// The files that a text names: one, or with a star in its last part all that are there, by their names.
fn files_of(text: &str) -> Result<Vec<PathBuf>, String> {
    let path = Path::new(text);
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let Some((begin, end)) = name.split_once('*') else { return Ok(vec![path.to_owned()]) };
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = directory.unwrap_or(Path::new("."));
    let read = |wrong: io::Error| format!("{}: {wrong}", directory.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).map_err(read)? {
        let entry = entry.map_err(read)?;
        let is_it = entry.file_name().to_str().is_some_and(|name| {
            name.len() >= begin.len() + end.len() && name.starts_with(begin) && name.ends_with(end)
        });
        if is_it {
            found.push(entry.path());
        }
    }
    if found.is_empty() {
        return Err(format!("{text}: no such file"));
    }
    found.sort();
    Ok(found)
}

fn is_proto(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "proto")
}

/// Adds a file that is a descriptor set. Of a type that several sets have, the first is used.
fn add_set(set: &mut Vec<u8>, file: &Path) -> Result<(), String> {
    let read = || {
        let mut bytes = Vec::new();
        File::open(file)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let wrong = |why: &dyn std::fmt::Display| format!("{}: {why}", file.display());
    let bytes = read().map_err(|error: io::Error| wrong(&error))?;
    // By itself first: so a mistake is that of a file.
    Schemas::from_descriptor_set(&bytes)
        .map_err(|error: ConfigError| wrong(&format_args!("no descriptor set: {error}")))?;
    set.extend_from_slice(&bytes);
    Ok(())
}

fn add_protos(set: &mut Vec<u8>, files: &[PathBuf], includes: &[PathBuf]) -> Result<(), String> {
    for file in files {
        let wrong = |error: io::Error| format!("{}: {error}", file.display());
        if fs::metadata(file).map_err(wrong)?.len() > LONGEST {
            return Err(format!("{}: longer than {LONGEST} bytes", file.display()));
        }
    }
    let read = polywire_proto::read(files, includes).map_err(|error| error.to_string())?;
    for file in read.files.iter().filter(|file| is_empty(file)) {
        let name = Path::new(file.name.as_deref().unwrap_or_default());
        if let Some(named) = files.iter().find(|named| named.ends_with(name)) {
            return Err(format!("{}: nothing is declared in it", named.display()));
        }
    }
    set.extend_from_slice(&read.descriptor_set());
    Ok(())
}

fn is_empty(file: &FileDescriptorProto) -> bool {
    file.message_type.is_empty()
        && file.enum_type.is_empty()
        && file.service.is_empty()
        && file.extension.is_empty()
        && file.dependency.is_empty()
}

/// How many services and methods are known, and how many rules for HTTP they have.
pub fn counted(schemas: &Schemas) -> String {
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let (services, methods) = schemas.count();
    let mut text = format!("{}, {}", count(services, "service"), count(methods, "method"));
    let (rules, left_out) = schemas.count_rules();
    if rules > 0 {
        text += &format!(", {}", count(rules, "HTTP rule"));
    }
    if left_out > 0 {
        text += &format!(", {} left out", count(left_out, "HTTP rule"));
    }
    text
}

/// The rules for HTTP that are left out, a line each, and how many more there are.
pub fn left_out(schemas: &Schemas) -> Vec<String> {
    let mut lines: Vec<_> =
        schemas.left_out_rules().into_iter().map(|text| format!("left out: {text}")).collect();
    let (_, all) = schemas.count_rules();
    if all > lines.len() {
        lines.push(format!("left out: {} further HTTP rules", all - lines.len()));
    }
    lines
}
