//! What a call costs in instructions, allocations and bytes, and what hello world costs to compile, compared
//! with the record.
//!
//! ```text
//! main ── measure ── program ── valgrind polywire-cost client │ gate │ valgrind polywire-cost server
//!   │        └────── callgrind      what both have counted, by function
//!   ├──── memory                    bytes of a shard and of a connection
//!   ├──── hello                     lines of LLVM IR of hello world
//!   └──── record, functions         the files; `compare`: what is more or less than in them
//! ```

#![forbid(unsafe_code)]

mod asleep;
mod atomics;
mod callgrind;
mod client;
mod compare;
mod functions;
mod gate;
mod hello;
mod load;
mod marks;
mod measure;
mod memory;
mod program;
mod record;
mod server;

use functions::Functions;
use load::Load;
use measure::Cost;
use polywire_machine_testing::Counting;
use record::{Record, Row, Table};
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    sync::Mutex,
    thread,
};

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const USAGE: &str = "usage: cost/run [--write | --show [calls|memory|hello]]";

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("cost: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        // The programs that are measured.
        ["server", shards] => server::run(shards.parse()?, || ALLOCATOR.in_use())?,
        ["client", load, address] => client::run(Load::of_name(load).ok_or(USAGE)?, address)?,
        ["--show"] => print!("{}", measured(None)?.0.text()),
        ["--show", only] => print!("{}", measured(Some(only))?.0.text()),
        [] => return against_record(false),
        ["--write"] => return against_record(true),
        _ => return Err(USAGE.into()),
    }
    Ok(ExitCode::SUCCESS)
}

/// Measures everything, or only what is named.
fn measured(only: Option<&str>) -> Result<(Record, Functions)> {
    let mut record = Record { facts: facts()?, tables: Vec::new() };
    let mut functions = Functions::new();
    let wanted = |name| only.is_none_or(|only| only == name);
    let work = work()?;
    if wanted("calls") {
        record.tables.push(calls(&work, &mut functions)?);
    }
    if wanted("memory") {
        let rows = memory::bytes()?.into_iter().map(|(name, bytes)| Row { name, values: vec![bytes] });
        record.tables.push(table("Memory", &["what", "bytes of the server"], rows));
    }
    if wanted("hello") {
        let lines = hello::lines(&root(), &work.join("hello"))?;
        let all = lines.values().sum();
        let rows = lines.into_iter().chain([(compare::WHOLE.to_owned(), all)]);
        let rows = rows.map(|(name, lines)| Row { name, values: vec![lines as f64] });
        record.tables.push(table("Hello world", &["crate", "lines of LLVM IR"], rows));
    }
    Ok((record, functions))
}

fn calls(work: &Path, functions: &mut Functions) -> Result<Table> {
    const COLUMNS: [&str; 7] = [
        "load",
        "client, instructions",
        "server, instructions",
        "client, allocations",
        "server, allocations",
        "client, atomics",
        "server, atomics",
    ];
    let mut costs = side_by_side(work)?;
    costs.sort_by_key(|cost| (cost.callers, cost.load.name()));
    let rows = costs.into_iter().map(|Cost { load, callers, client, server }| {
        let name = match callers {
            1 => format!("{}, 1 caller", load.name()),
            _ => format!("{}, {callers} callers", load.name()),
        };
        let values = [&client, &server].map(|side| [side.instructions, side.allocations, side.atomics]);
        let values = (0..3).flat_map(|what| values.map(|side| side[what])).collect();
        functions.insert(functions::key(&name, COLUMNS[1]), client.functions);
        functions.insert(functions::key(&name, COLUMNS[2]), server.functions);
        functions.insert(functions::key(&name, COLUMNS[5]), client.atomic_functions);
        functions.insert(functions::key(&name, COLUMNS[6]), server.atomic_functions);
        Row { name, values }
    });
    Ok(table("Calls", &COLUMNS, rows))
}

/// Measures the loads, two at a time: of a client and its server one works at a time, so a pair uses one
/// processor.
fn side_by_side(work: &Path) -> Result<Vec<Cost>> {
    let (loads, costs) = (Mutex::new(Load::ALL.into_iter()), Mutex::new(Vec::new()));
    let measure = || -> std::io::Result<()> {
        loop {
            let next = loads.lock().expect("no other panics").next();
            let Some(load) = next else { return Ok(()) };
            let measured = measure::cost(load, work)?;
            costs.lock().expect("no other panics").extend(measured);
        }
    };
    thread::scope(|scope| {
        let threads = [scope.spawn(measure), scope.spawn(measure)];
        threads.into_iter().try_for_each(|thread| thread.join().expect("it does not panic"))
    })?;
    Ok(costs.into_inner()?)
}

fn table(title: &str, columns: &[&str], rows: impl Iterator<Item = Row>) -> Table {
    let columns = columns.iter().map(|&column| column.to_owned()).collect();
    Table { title: title.to_owned(), columns, rows: rows.collect() }
}

/// What the values depend on besides the sources.
const COMPILER: &str = "compiler";

fn facts() -> Result<Vec<(String, String)>> {
    let said = |program: &str, arguments: &[&str]| -> Result<String> {
        let output = Command::new(program).args(arguments).current_dir(root()).output();
        let output = output.map_err(|error| format!("{program}: {error}"))?;
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    };
    let mut commit = said("git", &["rev-parse", "--short=12", "HEAD"])?;
    if !said("git", &["status", "--porcelain", "--untracked-files=no"])?.is_empty() {
        commit += " and what was changed after it";
    }
    Ok(vec![
        ("commit".into(), commit),
        (COMPILER.into(), format!("{}, {}", env!("COST_COMPILER"), env!("COST_TARGET"))),
        ("counted by".into(), said("valgrind", &["--version"])?),
        ("C library".into(), said("getconf", &["GNU_LIBC_VERSION"])?),
    ])
}

/// Measures, compares and writes back.
fn against_record(write: bool) -> Result<ExitCode> {
    let (record_file, functions_file) = (root().join("cost/record.md"), root().join("cost/functions.txt"));
    let before = match fs::read_to_string(&record_file) {
        Ok(text) => Record::parse(&text).map_err(|line| format!("record.md: {line}"))?,
        Err(_) if write => Record::default(),
        Err(error) => return Err(format!("{}: {error}", record_file.display()).into()),
    };
    let compiler = facts()?.into_iter().find(|(name, _)| name == COMPILER).map(|(_, value)| value);
    if !write && before.fact(COMPILER) != compiler.as_deref() {
        let (before, now) = (before.fact(COMPILER).unwrap_or("?"), compiler.unwrap_or_default());
        println!("The record was made by {before}; this is {now}.");
        println!("Instructions of different compilers cannot be compared. To make it anew: cost/run --write");
        return Ok(ExitCode::FAILURE);
    }
    let (now, functions) = measured(None)?;
    let known = functions::parse(&fs::read_to_string(&functions_file).unwrap_or_default());
    let changes = compare::changes(&before, &now);
    for change in changes.above.iter().chain(&changes.below) {
        let percent = (change.now / change.before - 1.0) * 100.0;
        println!(
            "{}: {}: {:.2} -> {:.2}, {percent:+.1} %",
            change.row, change.column, change.before, change.now
        );
        if change.now > change.before {
            let key = functions::key(&change.row, &change.column);
            let none = Default::default();
            let grown = functions::grown(known.get(&key), functions.get(&key).unwrap_or(&none));
            grown.iter().for_each(|line| println!("    {line}"));
        }
    }
    changes.strange.iter().for_each(|line| println!("{line}"));
    let may_write = changes.above.is_empty() && (changes.strange.is_empty() || before == Record::default());
    if write || may_write && !changes.below.is_empty() {
        let (record, functions) = match write {
            true => (now, functions),
            false => (compare::lower(&before, &now), functions),
        };
        fs::write(record_file, record.text())?;
        fs::write(functions_file, functions::text(&functions))?;
        println!("written to cost/record.md");
        return Ok(ExitCode::SUCCESS);
    }
    if may_write {
        println!("nothing costs more than 1 % above the record");
        return Ok(ExitCode::SUCCESS);
    }
    println!("If that is meant, and the commit says why: cost/run --write");
    Ok(ExitCode::FAILURE)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .expect("the program runs where it was built")
}

/// A folder beside the program, in `target`.
fn work() -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let target = program.ancestors().nth(2).ok_or("the program is in no target folder")?;
    Ok(target.join("cost"))
}
