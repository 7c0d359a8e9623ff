//! `cargo xtask check-crates`: the crates of others that we depend on.
//!
//! Four rules, on everything that the lock file names, tests and chores included:
//! - each crate's licence is one of [`LICENCES`], or offers one of them as a choice;
//! - each crate comes from the one public registry, not from a repository or a folder outside ours;
//! - no crate asks for a newer compiler than our `rust-version` promises; such a compiler itself is in no
//!   registry;
//! - no crate is there in two versions, except those of [`TWICE`], each with its reason.
//!
//! Known vulnerabilities are not looked up: their database is a repository, not a package.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cargo_metadata::{Metadata, MetadataCommand};

use crate::Complaints;

/// Licences that are compatible with the licence of this project, Apache-2.0. SPDX identifiers.
const LICENCES: &[&str] = &[
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "OpenSSL",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// The prefix with which cargo names the registry as the source of a crate.
const REGISTRY: &str = "registry+";

/// Crates that may be present in more than one version, with the crates that still require the older one.
const TWICE: &[(&str, &str)] = &[
    ("base64", "buffa"),
    ("core-foundation", "hickory-resolver, by system-configuration; no part of a build for Linux"),
    ("cpufeatures", "crypto_box, by curve25519-dalek and poly1305"),
    ("foldhash", "buffa"),
    ("getrandom", "ring"),
    ("gimli", "framehop; backtrace asks for the next one. Both only with the feature profile"),
    ("hashbrown", "buffa, and protox by petgraph"),
    ("r-efi", "getrandom, by rand; no part of a build for Linux"),
    ("rand", "axum's WebSocket, which a test mounts, by tungstenite"),
    ("rand_core", "axum's WebSocket, by rand"),
    ("syn", "most crates with macros, which ask for 2"),
    ("synstructure", "rcgen, by asn1-rs"),
    ("unicode-width", "protox by miette"),
    ("windows-sys", "ring; no part of a build for other systems"),
];

/// Reads the workspace at `root` and lists the crates that break a rule.
pub fn run(root: &Path) -> Result<Complaints, String> {
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .other_options(vec!["--locked".into()])
        .exec()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    Ok(complaints(&metadata))
}

fn complaints(metadata: &Metadata) -> Complaints {
    let ours: BTreeSet<_> = metadata.workspace_members.iter().collect();
    let promised =
        metadata.workspace_packages().iter().filter_map(|package| package.rust_version.clone()).min();
    let mut found = Complaints::new();
    let mut versions: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for package in metadata.packages.iter().filter(|package| !ours.contains(&package.id)) {
        let name = package.name.as_str();
        versions.entry(name).or_default().insert(package.version.to_string());
        if let (Some(wanted), Some(promised)) = (&package.rust_version, &promised)
            && wanted > promised
        {
            found.push(format!("{name} wants Rust {wanted}, and we promise {promised}"));
        }
        match &package.source {
            Some(source) if source.repr.starts_with(REGISTRY) => {}
            other => found.push(format!("{name} comes from {other:?}, not from the registry")),
        }
        match &package.license {
            Some(licence) if is_allowed(licence) => {}
            other => {
                found.push(format!("{name} has the licence {other:?}, which check_crates.rs does not list"))
            }
        }
    }
    found.extend(in_two_versions(&versions));
    found
}

fn in_two_versions(versions: &BTreeMap<&str, BTreeSet<String>>) -> Complaints {
    let named = |name: &str| TWICE.iter().any(|(known, _)| *known == name);
    let mut found = Complaints::new();
    for (name, versions) in versions {
        if versions.len() > 1 && !named(name) {
            let versions = versions.iter().cloned().collect::<Vec<_>>().join(" and ");
            found
                .push(format!("{name} is there as {versions}: give a reason in check_crates.rs, or use one"));
        }
    }
    for (name, _) in TWICE {
        if versions.get(name).is_none_or(|versions| versions.len() < 2) {
            found.push(format!("{name} is there once by now: take it out of check_crates.rs"));
        }
    }
    found
}

/// Whether an SPDX expression can be satisfied by licences of the list: every part of an AND, one part of an
/// OR. Older manifests write `/` for OR.
fn is_allowed(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    let expression = expression.trim();
    if let Some(parts) = split(expression, " OR ") {
        return parts.iter().any(|part| is_allowed(part));
    }
    if let Some(parts) = split(expression, " AND ") {
        return parts.iter().all(|part| is_allowed(part));
    }
    match expression.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => is_allowed(inner),
        None => LICENCES.contains(&expression),
    }
}

/// The parts between the separators that are outside of parentheses; `None` if there are no separators.
fn split<'a>(expression: &'a str, separator: &str) -> Option<Vec<&'a str>> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0_i32, 0);
    for (at, letter) in expression.char_indices() {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        if depth == 0 && at >= from && expression[at..].starts_with(separator) {
            parts.push(&expression[from..at]);
            from = at + separator.len();
        }
    }
    if parts.is_empty() {
        return None;
    }
    parts.push(&expression[from..]);
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_choice_is_enough_and_all_of_a_conjunction_are_needed() {
        for allowed in [
            "MIT",
            "MIT OR GPL-3.0",
            "MIT/Apache-2.0",
            "(MIT OR GPL-2.0) AND ISC",
            "Apache-2.0 WITH LLVM-exception OR MIT",
        ] {
            assert!(is_allowed(allowed), "{allowed}");
        }
        for refused in ["GPL-3.0", "MIT AND GPL-3.0", "(GPL-2.0 OR GPL-3.0) AND MIT", ""] {
            assert!(!is_allowed(refused), "{refused}");
        }
    }

    #[test]
    fn a_second_version_without_a_reason_is_named() {
        let versions = |list: &[&str]| list.iter().map(|v| (*v).to_owned()).collect::<BTreeSet<_>>();
        let found = in_two_versions(&BTreeMap::from([
            ("one", versions(&["1.0.0"])),
            ("two", versions(&["1.0.0", "2.0.0"])),
        ]));
        assert!(found.iter().any(|line| line.starts_with("two is there as 1.0.0 and 2.0.0")), "{found:?}");
        assert!(!found.iter().any(|line| line.starts_with("one ")), "{found:?}");
    }
}
