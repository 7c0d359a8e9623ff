//! Compares what is generated with the golden files.

use polywire_build::Config;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

pub fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(path)
}

fn is_written_anew() -> bool {
    std::env::var_os("POLYWIRE_GOLDEN").is_some()
}

/// Generates into a directory of its own and compares it with the one of the golden files.
#[cfg(feature = "parser")]
pub fn compare(golden: &str, config: Config, files: &[&str]) {
    compare_where(golden, config, files, |_| true);
}

/// The same with those of the files whose names are chosen.
pub fn compare_where(golden: &str, config: Config, files: &[&str], chosen: impl Fn(&Path) -> bool) {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(golden);
    let _ = fs::remove_dir_all(&out);
    let files: Vec<PathBuf> = files.iter().map(|f| here("protos").join(f)).collect();
    config.include(here("protos")).out_dir(&out).compile(&files).unwrap_or_else(|e| panic!("{e}"));
    let mut made = BTreeMap::new();
    collect(&out.join("polywire"), Path::new(""), &mut made);
    for (name, content) in made.into_iter().filter(|(name, _)| chosen(name)) {
        let golden = here(golden).join(&name);
        if is_written_anew() {
            fs::create_dir_all(golden.parent().unwrap()).unwrap();
            fs::write(&golden, content).unwrap();
            continue;
        }
        let expected = fs::read(&golden).unwrap_or_default();
        let lines = content.split(|b| *b == b'\n').zip(expected.split(|b| *b == b'\n'));
        let line = lines.take_while(|(a, b)| a == b).count() + 1;
        assert!(content == expected, "{} differs from its golden file, first at line {line}", name.display());
    }
}

fn collect(directory: &Path, below: &Path, made: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let name = below.join(entry.file_name());
        if entry.path().is_dir() {
            collect(&entry.path(), &name, made);
        } else {
            made.insert(name, fs::read(entry.path()).unwrap());
        }
    }
}

/// The options of the golden files for mcpack.
pub fn of_mcpack() -> Config {
    let config = Config::new().mcpack(true).bytes(".mcpack.All.y").bytes(".mcpack.All.ry");
    config.bytes(".mcpack.Blob.data")
}

/// The options of those with texts in GBK.
pub fn of_gbk() -> Config {
    let config = Config::new().mcpack(true).bytes(".gbk.Text.shared");
    let config =
        config.strings_as_bytes(".gbk.Text").strings_as_bytes(".gbk.Value").strings_as_bytes(".gbk.Either");
    config.strings_as_bytes(".gbk.Partly.must").strings_as_bytes(".gbk.Partly.names")
}
