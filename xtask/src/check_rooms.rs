//! `cargo xtask check-rooms`: inside a crate, too, imports point one way.
//!
//! ```text
//! crates/rpc/client:   combination -> builder -> recipe, channel -> channelz, call, options -> core -> interceptor -> retry_budget, hedging, naming -> servers -> health, tries, pool -> connection -> retry_policy, service_config, subchannel_metrics, call_metrics -> busiest, timeline, cluster_tls, address
//! ```
//!
//! Read `a -> b` as "a may import b and whatever b may import". A module that is a folder counts as one.
//! Beside that, no more than [`MOST`] files of any crate may import each other in a circle.
//!
//! Not here: paths that code names without importing them, and `mod` lines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::Complaints;
use crate::files::{crates, shown};

/// A crate's source folder, and its modules from the lowest to the highest: each may import those before it.
const HOUSES: &[(&str, &[&str])] = &[(
    "crates/rpc/client/src",
    &[
        "address",
        "cluster_tls",
        "timeline",
        "busiest",
        "call_metrics",
        "subchannel_metrics",
        "why",
        "below",
        "service_config",
        "retry_policy",
        "connection",
        "pool",
        "tries",
        "health",
        "servers",
        "naming",
        "hedging",
        "retry_budget",
        "further_requests",
        "interceptor",
        "core",
        "channels",
        "metrics",
        "options",
        "call",
        "channelz",
        "channel",
        "recipe",
        "builder",
        "combination",
        "stub",
    ],
)];

/// The most files that may import each other in a circle.
const MOST: usize = 3;

/// A module by the names on the way to it; empty for the crate's root.
type Module = Vec<String>;

/// For each module the ones that it imports.
type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// Reads the source below `root` and lists the imports that point the wrong way.
pub fn run(root: &Path) -> Result<Complaints, String> {
    let mut complaints = Vec::new();
    for (folder, floors) in HOUSES {
        let sources = sources(&root.join(folder)).map_err(|error| format!("{folder}: {error}"))?;
        let wrong = wrong_imports(&imports(&sources), floors);
        complaints.extend(wrong.into_iter().map(|what| format!("{folder}: {what}")));
    }
    for folder in crates(&root.join("crates")) {
        let shown = shown(root, &folder);
        let sources = sources(&folder.join("src")).map_err(|error| format!("{shown}: {error}"))?;
        let wrong = wrong_circles(&imports(&sources));
        complaints.extend(wrong.into_iter().map(|what| format!("{shown}: {what}")));
    }
    Ok(complaints)
}

/// The source of each module below a folder, tests left out.
fn sources(folder: &Path) -> io::Result<BTreeMap<Module, String>> {
    let mut found = BTreeMap::new();
    let mut left: Vec<(PathBuf, Module)> = vec![(folder.to_owned(), Vec::new())];
    while let Some((path, module)) = left.pop() {
        for entry in fs::read_dir(path)? {
            let path = entry?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let mut module = module.clone();
            if path.is_dir() {
                module.push(name);
                left.push((path, module));
            } else if name != "tests" && path.extension().is_some_and(|extension| extension == "rs") {
                if name != "mod" && name != "lib" {
                    module.push(name);
                }
                found.insert(module, fs::read_to_string(path)?);
            }
        }
    }
    Ok(found)
}

/// Names that modules hand out for others to import, and where they are from: `pub use below::Name`.
type HandedOut = BTreeMap<Module, BTreeMap<String, String>>;

fn imports(sources: &BTreeMap<Module, String>) -> Imports {
    let handed_out: HandedOut = sources
        .iter()
        .map(|(module, source)| {
            let paths = used(source).into_iter().filter(|used| used.is_handed_out).map(|used| used.path);
            let name = |path: &String| path.rsplit("::").next().unwrap_or_default().to_owned();
            (module.clone(), paths.map(|path| (name(&path), path)).collect())
        })
        .collect();
    let of = |(module, source): (&Module, &String)| {
        let paths = used(source).into_iter().filter(|used| !used.is_handed_out);
        let named = paths.filter_map(|used| resolve(module, &used.path, sources, &handed_out));
        (module.clone(), named.filter(|named| named != module).collect())
    };
    sources.iter().map(of).collect()
}

/// A path that a source imports.
struct Used {
    path: String,
    /// Others may import it from here; the module itself does not count as using it.
    is_handed_out: bool,
}

/// Every path that a source imports, tests left out.
fn used(source: &str) -> Vec<Used> {
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut all = Vec::new();
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let private = line
            .trim_start_matches("pub ")
            .trim_start_matches("pub(crate) ")
            .trim_start_matches("pub(super) ");
        let is_handed_out = private.len() < line.len();
        let Some(begin) = private.strip_prefix("use ") else { continue };
        let mut statement = begin.to_owned();
        while !statement.contains(';') {
            let Some(next) = lines.next() else { break };
            statement.push_str(next.trim());
        }
        let mut paths = Vec::new();
        flatten("", statement.split(';').next().unwrap_or_default(), &mut paths);
        all.extend(paths.into_iter().map(|path| Used { path, is_handed_out }));
    }
    all
}

/// The paths of a tree such as `a::{b, c::{d, e}}`.
fn flatten(before: &str, tree: &str, paths: &mut Vec<String>) {
    let Some((stem, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        return paths.push(format!("{before}{}", path.trim()));
    };
    let before = format!("{before}{}", stem.trim());
    let (mut depth, mut from) = (0, 0);
    let inside = rest.trim_end().strip_suffix('}').unwrap_or(rest);
    for (at, c) in inside.char_indices().chain([(inside.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !inside[from..at].trim().is_empty() {
                    flatten(&before, &inside[from..at], paths);
                }
                from = at + 1;
            }
            _ => {}
        }
    }
}

/// The module of this crate in which a path ends, as seen from `module`; `None` if it is of another crate. A
/// name that a module hands out ends where it is from.
fn resolve(
    module: &[String],
    path: &str,
    sources: &BTreeMap<Module, String>,
    handed_out: &HandedOut,
) -> Option<Module> {
    let mut names = path.split("::").peekable();
    let mut at = match *names.peek()? {
        "crate" => {
            names.next();
            Vec::new()
        }
        "self" => {
            names.next();
            module.to_vec()
        }
        "super" => {
            let mut at = module.to_vec();
            while names.next_if_eq(&"super").is_some() {
                at.pop();
            }
            at
        }
        first => {
            let child = [module, &[first.to_owned()]].concat();
            sources.contains_key(&child).then(|| module.to_vec())?
        }
    };
    for name in names {
        at.push(name.to_owned());
        if !sources.contains_key(&at) {
            at.pop();
            let from = handed_out.get(&at).and_then(|names| names.get(name));
            return from.and_then(|from| resolve(&at, from, sources, handed_out)).or(Some(at));
        }
    }
    Some(at)
}

/// Imports that do not point from a higher module to a lower one. The root and a module's own files are free.
fn wrong_imports(imports: &Imports, floors: &[&str]) -> Complaints {
    let floor = |module: &Module| module.first().map(|name| floors.iter().position(|known| known == name));
    let mut complaints = Vec::new();
    for (module, named) in imports {
        let Some(from) = floor(module) else { continue };
        let Some(from) = from else {
            complaints
                .push(format!("{} has no place in the table of xtask/src/check_rooms.rs", module.join("::")));
            continue;
        };
        for other in named {
            let is_below = match floor(other) {
                Some(to) => to.is_some_and(|to| to <= from),
                None => false, // the root hands out what lies below it
            };
            if !is_below {
                complaints.push(format!("{} must not import crate::{}", module.join("::"), other.join("::")));
            }
        }
    }
    complaints
}

/// Circles of more than [`MOST`] modules: those from which each can be reached from each.
fn wrong_circles(imports: &Imports) -> Complaints {
    let reach: BTreeMap<_, _> = imports.keys().map(|module| (module, reachable(module, imports))).collect();
    let circle = |module: &Module| -> BTreeSet<Module> {
        let returns = |other: &&Module| reach.get(*other).is_some_and(|back| back.contains(module));
        reach[module].iter().filter(returns).cloned().collect()
    };
    let circles: BTreeSet<BTreeSet<Module>> = imports.keys().map(circle).collect();
    let too_many = circles.into_iter().filter(|circle| circle.len() > MOST);
    let names = |circle: BTreeSet<Module>| {
        circle.iter().map(|module| module.join("::")).collect::<Vec<_>>().join(", ")
    };
    too_many
        .map(|circle| format!("{} files import each other in a circle: {}", circle.len(), names(circle)))
        .collect()
}

fn reachable(from: &Module, imports: &Imports) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    let mut left = vec![from];
    while let Some(module) = left.pop() {
        for named in imports.get(module).into_iter().flatten() {
            if found.insert(named.clone()) {
                left.push(named);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crate_of(files: &[(&str, &str)]) -> Imports {
        let module =
            |path: &str| path.split("::").filter(|name| !name.is_empty()).map(String::from).collect();
        imports(&files.iter().map(|(path, source)| (module(path), (*source).to_owned())).collect())
    }

    #[test]
    fn every_form_of_an_import_is_found() {
        let imports = crate_of(&[
            ("", ""),
            ("a", "use crate::{\n    b::{self, c::Thing},\n    d,\n};\nuse std::io;\n//! use crate::e::X;\n"),
            ("b", "mod c;\npub(crate) use c::Thing;\n"),
            ("b::c", "use super::super::d::{One, Two};\n"),
            (
                "d",
                "use crate::b::c as x;\nuse crate::{a as y, e};\nfn f() {}\n#[cfg(test)]\nmod tests {\n    use crate::f::X;\n}\n",
            ),
            ("e", ""),
            ("f", ""),
            ("g", "use crate::b::Thing;\n"),
        ]);
        let named = |of: &str| -> Vec<_> {
            imports[&of.split("::").map(String::from).collect::<Module>()]
                .iter()
                .map(|to| to.join("::"))
                .collect()
        };
        assert_eq!(named("a"), ["b", "b::c", "d"]);
        assert_eq!(named("b"), [""; 0], "it hands out what c has");
        assert_eq!(named("g"), ["b::c"], "and who imports that from b, imports it from c");
        assert_eq!(named("b::c"), ["d"]);
        assert_eq!(named("d"), ["a", "b::c", "e"]);
        assert_eq!(named("e"), [""; 0]);
    }

    #[test]
    fn imports_upwards_and_modules_without_a_place_are_named() {
        let imports = crate_of(&[
            ("", ""),
            ("low", "use crate::high::Thing;\n"),
            ("high", "use crate::low::Thing;\nuse crate::Face;\n"),
            ("new", ""),
        ]);
        let complaints = wrong_imports(&imports, &["low", "high"]);
        assert_eq!(
            complaints,
            [
                "high must not import crate::",
                "low must not import crate::high",
                "new has no place in the table of xtask/src/check_rooms.rs"
            ]
        );
    }

    #[test]
    fn circles_of_many_files_are_named() {
        let ring = |n| {
            [("", ""), ("a", "use crate::b;\n"), ("b", "use crate::c;\n"), ("c", n), ("d", "use crate::a;\n")]
        };
        assert_eq!(wrong_circles(&crate_of(&ring("use crate::a;\n"))), [""; 0]);
        let four = crate_of(&ring("use crate::d;\n"));
        assert_eq!(wrong_circles(&four), ["4 files import each other in a circle: a, b, c, d"]);
    }

    #[test]
    fn the_rooms_of_this_repository_are_in_order() {
        assert_eq!(run(&crate::root()), Ok(Vec::new()));
    }
}
