//! `cargo xtask check-packages`: each crate below `crates/` can be published as it is.
//!
//! - Its manifest says what registries and docs.rs want to know: description, licence, repository,
//!   documentation, README, one to five keywords, categories, and that docs.rs builds it with all features.
//! - Its folder has the licence, as a link to the root's: a package holds nothing from beyond its folder.
//! - It depends on crates of ours by path and by exactly their version: they are released together, and what
//!   is public in one only for the next above it may change with any release.
//! - Its tests depend on them by path alone. They go around in circles (`machine_testing` needs `engine`,
//!   whose tests need it), in which no crate could be published first; cargo leaves such dependencies out of
//!   the package, and the workspace's manifest keeps the folders `tests` out of it, which could not be built
//!   there.
//! - Its sources name no file that a package lacks: see [`files`].
//!
//! In no package of the workspace are there tests that nobody runs ([`lost_tests`]).
//!
//! That the packages build, each from the packages of the others, is what `cargo package` tries
//! (`.ci/run package`).

mod files;

use std::path::Path;

use cargo_metadata::{DependencyKind, MetadataCommand, Package};

use crate::files::read;
use crate::{Complaints, lost_tests};

/// Reads the workspace below `root` and lists what its packages lack.
pub fn run(root: &Path) -> Result<Complaints, String> {
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .exec()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let licence = read(&root.join("LICENSE"))?;
    let mut complaints = Vec::new();
    let (ours, others): (Vec<_>, Vec<_>) = metadata.packages.iter().partition(|package| {
        package.manifest_path.starts_with(root.join("crates").to_string_lossy().as_ref())
    });
    for package in &ours {
        let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
        complaints.extend(files::missing(root, folder.as_std_path())?);
        complaints.extend(manifest(package));
        complaints.extend(dependencies(package, &ours));
        if read(folder.join("LICENSE").as_std_path()).ok().as_ref() != Some(&licence) {
            complaints.push(format!(
                "{} has no LICENSE in its folder, or another than the repository's",
                package.name
            ));
        }
    }
    let meant = others.iter().filter(|package| package.publish.as_ref().is_none_or(|to| !to.is_empty()));
    complaints
        .extend(meant.map(|package| {
            format!("{} is no part of the product and lacks `publish = false`", package.name)
        }));
    for package in &metadata.packages {
        complaints.extend(lost_tests::of(package)?);
    }
    Ok(complaints)
}

/// What a manifest does not say.
fn manifest(package: &Package) -> Complaints {
    let said = [
        ("description", package.description.is_some()),
        ("license", package.license.is_some()),
        ("repository", package.repository.is_some()),
        ("documentation", package.documentation.is_some()),
        ("readme", package.readme.is_some()),
        ("one to five keywords", (1..=5).contains(&package.keywords.len())),
        ("categories", !package.categories.is_empty()),
        (
            "all-features for docs.rs",
            package.metadata["docs"]["rs"]["all-features"] == true || is_program(package),
        ),
    ];
    let missing = said.into_iter().filter(|(_, there)| !there);
    missing.map(|(what, _)| format!("the manifest of {} lacks {what}", package.name)).collect()
}

/// A crate that is used as a program: its library is for its own tests.
fn is_program(package: &Package) -> bool {
    package.targets.iter().any(|target| target.is_bin())
}

/// Dependencies on crates of ours that a package could not keep.
fn dependencies(package: &Package, ours: &[&Package]) -> Complaints {
    let mut complaints = Vec::new();
    for dependency in &package.dependencies {
        let Some(other) = ours.iter().find(|other| other.name.as_str() == dependency.name) else { continue };
        let wanted = match dependency.kind {
            DependencyKind::Development => "*".to_owned(),
            _ => format!("={}", other.version),
        };
        if dependency.req.to_string() != wanted {
            complaints.push(format!(
                "{} depends on {} at {}: {}",
                package.name,
                other.name,
                dependency.req,
                if wanted == "*" {
                    "tests name a path and no version".into()
                } else {
                    format!("it must be {wanted}")
                }
            ));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A package as `cargo metadata` shows it, with dependencies of (name, version, kind).
    fn package(name: &str, dependencies: &[(&str, &str, Option<&str>)]) -> Package {
        let dependencies: Vec<_> = dependencies
            .iter()
            .map(|(name, req, kind)| {
                serde_json::json!({
                    "name": name, "req": req, "kind": kind, "optional": false, "uses_default_features": true,
                    "features": [],
                })
            })
            .collect();
        serde_json::from_value(serde_json::json!({
            "name": name, "version": "1.2.3", "id": name, "dependencies": dependencies, "targets": [], "features": {},
            "manifest_path": "/crates/x/Cargo.toml", "authors": [],
        }))
        .unwrap()
    }

    #[test]
    fn crates_of_ours_are_named_at_exactly_their_version_and_by_tests_at_none() {
        let base = package("base", &[]);
        let wrong = |dependency| dependencies(&package("call", &[dependency]), &[&base]);
        assert_eq!(wrong(("base", "=1.2.3", None)), Complaints::new());
        assert_eq!(wrong(("base", "*", Some("dev"))), Complaints::new());
        assert_eq!(wrong(("bytes", "^1", None)), Complaints::new());
        assert_eq!(wrong(("base", "*", None)), ["call depends on base at *: it must be =1.2.3"]);
        assert_eq!(wrong(("base", "^1.2.3", Some("build"))).len(), 1);
        assert_eq!(
            wrong(("base", "=1.2.3", Some("dev"))),
            ["call depends on base at =1.2.3: tests name a path and no version"]
        );
    }

    #[test]
    fn what_a_manifest_does_not_say_is_named() {
        let mut bare = package("base", &[]);
        assert_eq!(manifest(&bare).len(), 8);
        bare.keywords = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
        assert_eq!(manifest(&bare).len(), 7);
        bare.keywords.push("f".into());
        assert_eq!(manifest(&bare).len(), 8);
    }
}
