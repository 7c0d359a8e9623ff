//! What is known of the messages of a cluster: from files, or from its servers by reflection.

use super::{
    document::{Placed, Table},
    news::tell,
};
use crate::{
    failure::Failure,
    reflection::{self, Version},
    terminal,
};
use polywire::{Channel, Code, ConfigError, gateway::Schemas};
use polywire_formats::generated::buffa_descriptor::generated::descriptor::FileDescriptorProto;
use std::{
    fs::{self, File},
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::{
    sync::{Notify, watch},
    task::{JoinHandle, spawn_blocking},
    time::{Instant, sleep, timeout_at},
};

/// Bytes of a descriptor set; [`Schemas`] have the same limit.
const LONGEST: u64 = 16 << 20;
/// The least time between two questions to servers that have answered. It doubles while they answer the same:
/// callers of what nobody has do not keep them busy.
const AGAIN: Duration = Duration::from_secs(10);
/// The longest time between two: servers are replaced by others without a word.
const ANYWAY: Duration = Duration::from_secs(300);
/// The interval of looks whether they are to be asked again.
const LOOK: Duration = Duration::from_secs(1);
/// How long the start waits for the first answer.
pub const FIRST: Duration = Duration::from_secs(5);

/// Where the schemas of a cluster come from.
#[derive(Clone)]
pub enum Source {
    Files(Schemas),
    Reflection(Arc<Asking>),
}

impl Source {
    pub fn schemas(&self) -> &Schemas {
        match self {
            Source::Files(schemas) => schemas,
            Source::Reflection(asking) => &asking.schemas,
        }
    }

    pub fn asking(&self) -> Option<&Arc<Asking>> {
        match self {
            Source::Files(_) => None,
            Source::Reflection(asking) => Some(asking),
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
    Reflection,
    Files(Schemas),
}

impl Named {
    /// Reads the keys `schemas` and `include`.
    pub fn read(table: &Table<'_>) -> Named {
        let (named, includes) = (table.texts("schemas"), table.texts("include").unwrap_or_default());
        let has_files = named.as_ref().is_some_and(|named| !is_reflection(named));
        if let (Some(include), false) = (includes.first(), has_files) {
            table.wrong(include.at, "include", "it is for the .proto files of `schemas`");
        }
        if named.as_ref().is_some_and(Vec::is_empty) && table.is_well() {
            let text = "an empty list knows nothing: write files, or \"reflection\"";
            table.wrong(table.at_key("schemas"), "schemas", text);
        }
        Named { named, includes }
    }

    /// Reads the files. `None`: a mistake was found.
    pub fn load(self, table: &Table<'_>) -> Option<Said> {
        let Some(named) = self.named else { return Some(Said::Nothing) };
        if is_reflection(&named) {
            return Some(Said::Reflection);
        }
        let (mut set, mut protos, mut first, mut is_well) = (Vec::new(), Vec::new(), None, true);
        for Placed { value, at } in &named {
            if let Err(wrong) = add_named(&mut set, &mut protos, value) {
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

fn is_reflection(named: &[Placed<String>]) -> bool {
    matches!(named, [Placed { value, .. }] if value == REFLECTION)
}

/// In place of files: the servers are asked.
const REFLECTION: &str = "reflection";

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

/// Asks the servers of a cluster what they have, by gRPC reflection: at the start, then until they answer.
/// Afterwards every five minutes, when the settings are read again, and when a call was made that does not
/// fit what is known, at most every 10 seconds. No call waits for an answer.
pub struct Asking {
    schemas: Schemas,
    /// How it went the first time, for the operator.
    first: watch::Sender<Option<Result<String, String>>>,
    /// Whether that is told when it comes; otherwise it is returned by [`Asking::first`].
    is_loud: Arc<AtomicBool>,
    again: Arc<Notify>,
    task: OnceLock<JoinHandle<()>>,
}

impl Asking {
    pub fn new() -> Arc<Asking> {
        let schemas = Schemas::new();
        schemas.lacking("the servers were asked");
        Asking::with(schemas)
    }

    /// Asks the same servers in another way. What they have said before is known until they answer again.
    pub fn after(before: &Asking) -> Arc<Asking> {
        Asking::with(before.schemas.clone())
    }

    fn with(schemas: Schemas) -> Arc<Asking> {
        Arc::new(Asking {
            schemas,
            first: watch::Sender::new(None),
            is_loud: Arc::default(),
            again: Arc::default(),
            task: OnceLock::new(),
        })
    }

    /// Begins to ask, or asks again. `channel`: to the servers, in gRPC. `is_loud`: nobody waits for the
    /// first answer.
    pub fn begin(&self, cluster: &str, channel: &Channel, is_loud: bool) {
        if self.task.get().is_some() {
            return self.again.notify_one();
        }
        let (schemas, first, again) = (self.schemas.clone(), self.first.clone(), self.again.clone());
        let (cluster, channel, loud) = (cluster.to_owned(), channel.clone(), self.is_loud.clone());
        self.task.get_or_init(|| {
            loud.store(is_loud, Relaxed);
            tokio::spawn(async move {
                let mut told = None;
                let mut wait = Duration::from_secs(1);
                let (mut before, mut rest, mut is_missed) = (None, AGAIN, false);
                let mut version = Version::default();
                loop {
                    let asked = Instant::now();
                    let (answer, said) = ask(&channel, &mut version, &schemas).await;
                    let news = match answer {
                        Ok(text) => Ok(format!("schemas of {cluster}: {text}")),
                        Err(text) => Err(format!("schemas of {cluster}: {text}")),
                    };
                    // A failure has many texts, of which one is enough.
                    let is_new = told.as_ref().is_none_or(|told: &Result<_, _>| match (told, &news) {
                        (Ok(before), Ok(now)) => before != now,
                        (before, now) => before.is_ok() != now.is_ok(),
                    });
                    if is_new && (told.is_some() || loud.load(Relaxed)) {
                        tell(&news);
                    }
                    if said.is_some() && is_new {
                        for text in left_out(&schemas) {
                            eprintln!("polywire: schemas of {cluster}: {}", terminal::line(&text));
                        }
                    }
                    told = Some(news.clone());
                    first.send_if_modified(|first| match first {
                        None => {
                            *first = Some(news);
                            true
                        }
                        Some(_) => false,
                    });
                    if said.is_some() {
                        rest = if is_missed && before == said { ANYWAY.min(2 * rest) } else { AGAIN };
                        before = said;
                        wait = Duration::from_secs(1);
                        schemas.take_missed();
                        // Calls do not wake this: an hour of them costs no more than the looks.
                        is_missed = tokio::select! {
                            is_missed = due(asked, rest, &schemas) => is_missed,
                            () = again.notified() => false,
                        };
                    } else {
                        sleep(wait).await;
                        wait = AGAIN.min(2 * wait);
                    }
                }
            })
        });
    }

    /// How it went the first time; `None`: there is no answer by then, and it is told when it comes.
    pub async fn first(&self, until: Instant) -> Option<Result<String, String>> {
        let mut first = self.first.subscribe();
        let seen = timeout_at(until, first.wait_for(Option::is_some)).await;
        let Ok(Ok(seen)) = seen else {
            self.is_loud.store(true, Relaxed);
            return None;
        };
        seen.clone()
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.task.get().into_iter().for_each(JoinHandle::abort);
    }
}

/// Waits until servers that answered are to be asked again. Returns whether calls want it.
async fn due(asked: Instant, rest: Duration, schemas: &Schemas) -> bool {
    loop {
        if asked.elapsed() >= rest && schemas.take_missed() {
            return true;
        }
        if asked.elapsed() >= ANYWAY {
            return false;
        }
        sleep(LOOK).await;
    }
}

/// Asks once. Returns what came of it, for the operator, and a hash of what the servers said, if they
/// answered.
async fn ask(
    channel: &Channel,
    version: &mut Version,
    schemas: &Schemas,
) -> (Result<String, String>, Option<u64>) {
    match reflection::all(channel, version).await {
        Ok(set) => {
            let said = BuildHasherDefault::<DefaultHasher>::default().hash_one(&set);
            let news = match replaced(schemas, set).await {
                Ok(()) => Ok(format!("by reflection, {}", counted(schemas))),
                Err(wrong) => {
                    schemas.lacking("reflection gave no schemas");
                    Err(format!("reflection: {wrong}"))
                }
            };
            (news, Some(said))
        }
        Err(status) if status.code() == Code::Unimplemented => {
            schemas.lacking("the servers offered no reflection");
            let text = "the servers offer no reflection, so that messages in JSON are refused";
            (Err(text.to_owned()), Some(0))
        }
        Err(status) => {
            schemas.lacking(&format!("reflection failed with {}", status.code()));
            (Err(format!("reflection failed: {status}")), None)
        }
    }
}

/// Reads what servers said: up to 16 MiB, which is no work for a thread that other clusters wait for.
async fn replaced(schemas: &Schemas, set: Vec<u8>) -> Result<(), ConfigError> {
    let schemas = schemas.clone();
    let read = spawn_blocking(move || schemas.replace(&set)).await;
    read.unwrap_or_else(|stopped| Err(ConfigError::new("schemas", stopped.to_string())))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn servers_are_asked_again_when_calls_want_it_and_every_five_minutes() {
        let schemas = Schemas::new();
        let begin = Instant::now();
        assert!(!due(begin, AGAIN, &schemas).await);
        assert_eq!(begin.elapsed(), ANYWAY);
        for rest in [AGAIN, 4 * AGAIN] {
            assert!(!schemas.knows("shop.Orders", "Place"));
            let begin = Instant::now();
            assert!(due(begin, rest, &schemas).await);
            assert_eq!(begin.elapsed(), rest, "no sooner, whatever calls want");
        }
        assert!(!schemas.take_missed());
    }
}
