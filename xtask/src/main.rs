//! Repository chores: what the compiler cannot check, and the benchmark driver.
//!
//! ```text
//! cargo xtask check-deps     the arrows between crates still point one way
//! cargo xtask check-crates   licences, sources and duplicate versions of the crates of others
//! cargo xtask check-rooms    inside the client, too, imports point one way; no crate has large circles
//! cargo xtask check-packages  what a package of each crate needs to be published; no package has tests that nobody runs
//! cargo xtask check-docs     what pages and READMEs say about the tree is right, and their links are not dead
//! cargo xtask check-book     the links of the built book are not dead
//! cargo xtask book-links     a preprocessor of mdBook, see book/book.toml
//! cargo xtask bench [..]     builds and runs the benchmarks of bench/ (see bench/README.md)
//! cargo xtask bench --page   makes docs/benchmarks.md and the charts of the README from bench/results
//! cargo xtask simulate [..]  builds and runs the simulator of simulate/ (see simulate/README.md)
//! ```
//!
//! `cargo test` runs those that only read the tree; what has to know our own crates is a test alone
//! (`check_names`, `check_docs::protocols`).
//!
//! Exit codes: 0 success, 1 a check failed, 2 wrong use.
#![forbid(unsafe_code)]

mod bench;
mod bench_page;
mod book;
mod check_crates;
mod check_deps;
mod check_docs;
#[cfg(test)]
mod check_names;
mod check_packages;
mod check_rooms;
mod files;
mod lost_tests;
mod repository;
mod simulate;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask CHORE

  check-deps         fails on a dependency between our crates that points the wrong way
  check-crates       fails on a foreign crate with another licence, from another source, or in more versions than named
  check-rooms        fails on an import inside the client that points the wrong way, and on files that import each other in a circle
  check-packages     fails on a crate that cannot be published as it is: what its manifest, its folder or its dependencies lack
  check-docs         fails on links to nowhere, and on READMEs whose modules, features or protocols are not the tree's
  check-book         fails on links to nowhere in the book that `mdbook build book` made
  book-links         the preprocessor that book/book.toml names; reads and writes mdBook's JSON
  bench [--quick]    builds the program and its rivals, runs them in turn, writes bench/results
                     (further options: cargo xtask bench --help)
  bench --tables     the same with all that docs/benchmarks.md shows, recorded; --budget MINUTES says how long it may take
  bench --page       makes docs/benchmarks.md and the charts of the README from bench/results; measures nothing
  simulate [NAME...] compares load balancers in virtual time (options: cargo xtask simulate --help)";

/// The findings of a check, one line each; empty if there are none.
type Complaints = Vec<String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((chore, rest)) = arguments.split_first() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match (chore.as_str(), rest) {
        ("check-deps", []) => report(chore, check_deps::run(&root())),
        ("check-crates", []) => report(chore, check_crates::run(&root())),
        ("check-rooms", []) => report(chore, check_rooms::run(&root())),
        ("check-packages", []) => report(chore, check_packages::run(&root())),
        ("check-docs", []) => report(chore, check_docs::run(&root())),
        ("check-book", []) => report(chore, book::check(&root().join("target/book"))),
        ("book-links", [supports, _renderer]) if supports == "supports" => ExitCode::SUCCESS,
        ("book-links", []) => done(chore, book::links(&root())),
        ("bench", [page]) if page == "--page" => done(chore, bench_page::write(&root())),
        ("bench", options) => bench::run(&root(), options),
        ("simulate", options) => simulate::run(&root(), options),
        ("help" | "--help" | "-h", []) => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("cargo xtask: cannot do `{}`\n\n{USAGE}", arguments.join(" "));
            ExitCode::from(2)
        }
    }
}

fn done(chore: &str, result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(broken) => {
            eprintln!("{chore}: {broken}");
            ExitCode::FAILURE
        }
    }
}

fn report(chore: &str, found: Result<Complaints, String>) -> ExitCode {
    match found {
        Ok(complaints) if complaints.is_empty() => {
            println!("{chore}: ok");
            ExitCode::SUCCESS
        }
        Ok(complaints) => {
            for complaint in &complaints {
                eprintln!("{chore}: {complaint}");
            }
            ExitCode::FAILURE
        }
        Err(broken) => {
            eprintln!("{chore}: {broken}");
            ExitCode::FAILURE
        }
    }
}

/// The repository this program was built from.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository's root").to_owned()
}
