//! Compares what is generated with the golden files.

use super::samples::Sample;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

pub fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(path)
}

/// Generates a sample into a folder of its own.
pub fn generated(sample: &Sample) -> BTreeMap<PathBuf, Vec<u8>> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden").join(sample.name);
    let _ = fs::remove_dir_all(&out);
    sample.compile(&here(""), &out).unwrap_or_else(|e| panic!("{e}"));
    files(&out.join("polywire"))
}

/// Compares a sample with its golden files. Some are chosen to be whole; of the others there is our part of
/// the code below the outline of its messages, and no descriptors.
#[cfg(feature = "parser")]
pub fn compare(sample: &Sample, is_whole: fn(&str) -> bool) {
    let made = generated(sample).into_iter().filter_map(|(name, content)| {
        let is_tree = name == Path::new("all.rs") || name.starts_with("include");
        let content = match name.extension().unwrap().to_str() {
            _ if is_tree || is_whole(name.to_str().unwrap()) => content,
            Some("rs") => super::outline::of(str::from_utf8(&content).unwrap()).into_bytes(),
            _ => return None,
        };
        Some((name, content))
    });
    same(&format!("golden_{}", sample.name), made.collect());
}

/// Compares files with those of a golden folder, which has no others.
pub fn same(golden: &str, made: BTreeMap<PathBuf, Vec<u8>>) {
    let folder = here(golden);
    if std::env::var_os("POLYWIRE_GOLDEN").is_some() {
        let _ = fs::remove_dir_all(&folder);
        for (name, content) in made {
            let file = folder.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, content).unwrap();
        }
        return;
    }
    let remedy = "read the difference after `POLYWIRE_GOLDEN=write cargo test -p polywire-build --test generator`, \
                  and again with `--features prost`";
    let golden = files(&folder);
    for (name, content) in &made {
        let expected = golden.get(name).map_or(&[][..], Vec::as_slice);
        let lines = content.split(|b| *b == b'\n').zip(expected.split(|b| *b == b'\n'));
        let line = lines.take_while(|(a, b)| a == b).count() + 1;
        let name = folder.join(name);
        assert!(content == expected, "{} is stale from line {line} on: {remedy}", name.display());
    }
    let left: Vec<_> = golden.keys().filter(|name| !made.contains_key(*name)).collect();
    assert!(left.is_empty(), "nothing makes {left:?} in {} any more: {remedy}", folder.display());
}

/// The files of a folder, by their paths below it.
pub fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    collect(folder, Path::new(""), &mut found);
    found
}

fn collect(folder: &Path, below: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.unwrap();
        let name = below.join(entry.file_name());
        if entry.path().is_dir() {
            collect(&entry.path(), &name, found);
        } else {
            found.insert(name, fs::read(entry.path()).unwrap());
        }
    }
}
