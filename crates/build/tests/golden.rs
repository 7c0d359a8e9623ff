//! What is generated, compared with files that people have read.
//!
//! `POLYWIRE_GOLDEN=write cargo test -p polywire-build` writes them anew; read the difference before committing it.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(path)
}

/// Generates into a directory of its own and returns the sources by name.
fn generate(test: &str, config: polywire_build::Config, files: &[&str]) -> BTreeMap<String, String> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&out);
    let files: Vec<PathBuf> = files.iter().map(|f| here("protos").join(f)).collect();
    config.include(here("protos")).out_dir(&out).compile(&files).unwrap_or_else(|e| panic!("{e}"));
    let mut sources = BTreeMap::new();
    collect(&out.join("polywire"), Path::new(""), &mut sources);
    sources
}

fn collect(directory: &Path, below: &Path, sources: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let name = below.join(entry.file_name());
        if entry.path().is_dir() {
            collect(&entry.path(), &name, sources);
        } else if name.extension().is_some_and(|e| e == "rs") {
            sources.insert(name.display().to_string(), fs::read_to_string(entry.path()).unwrap());
        } else if std::env::var_os("POLYWIRE_GOLDEN").is_some() {
            let golden = here("golden").join(name);
            fs::create_dir_all(golden.parent().unwrap()).unwrap();
            fs::copy(entry.path(), golden).unwrap();
        }
    }
}

#[test]
fn generated_code_is_what_it_was() {
    let sources =
        generate("golden", polywire_build::Config::new(), &["echo.proto", "shapes.proto", "awkward.proto"]);
    for (name, source) in sources {
        let golden = here("golden").join(&name);
        if std::env::var_os("POLYWIRE_GOLDEN").is_some() {
            fs::create_dir_all(golden.parent().unwrap()).unwrap();
            fs::write(&golden, source).unwrap();
            continue;
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        let differs = source.lines().zip(expected.lines()).position(|(a, b)| a != b);
        assert!(
            source == expected,
            "{name} differs from its golden file, first at line {}",
            differs.map_or(source.lines().count().min(expected.lines().count()), |at| at) + 1
        );
    }
}
