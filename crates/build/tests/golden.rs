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

fn is_written_anew() -> bool {
    std::env::var_os("POLYWIRE_GOLDEN").is_some()
}

/// Generates into a directory of its own and compares it with the one of the golden files.
fn compare(golden: &str, config: polywire_build::Config, files: &[&str]) {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(golden);
    let _ = fs::remove_dir_all(&out);
    let files: Vec<PathBuf> = files.iter().map(|f| here("protos").join(f)).collect();
    config.include(here("protos")).out_dir(&out).compile(&files).unwrap_or_else(|e| panic!("{e}"));
    let mut made = BTreeMap::new();
    collect(&out.join("polywire"), Path::new(""), &mut made);
    for (name, content) in made {
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

#[test]
fn generated_code_is_what_it_was() {
    let config = polywire_build::Config::new();
    compare(
        "golden",
        config,
        &["echo.proto", "shapes.proto", "awkward.proto", "rootless.proto", "talk.proto", "keywords.proto"],
    );
}

#[test]
fn generated_code_for_mcpack_is_what_it_was() {
    let config = polywire_build::Config::new().mcpack(true).bytes(".mcpack.All.y").bytes(".mcpack.All.ry");
    compare("golden_mcpack", config, &["mcpack.proto", "keywords.proto"]);
}

#[cfg(feature = "prost")]
#[test]
fn generated_code_with_prost_is_what_it_was() {
    let config = polywire_build::Config::new().prost(true);
    compare("golden_prost", config, &["echo.proto", "shapes.proto"]);
}

/// The text of what goes wrong with this file.
fn mistake(test: &str, file: &str, source: &str) -> String {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&directory).unwrap();
    let path = directory.join(file);
    fs::write(&path, source).unwrap();
    let out = directory.join("out");
    polywire_build::Config::new().out_dir(out).compile(&[&path]).unwrap_err().to_string()
}

#[test]
fn mistakes_name_file_and_place() {
    let text = mistake("syntax", "bad.proto", "syntax = \"proto3\";\nmessage M {\n  strin name 1;\n}\n");
    assert!(text.contains("bad.proto") && text.contains(":3:"), "{text}");
    let text = mistake("type", "bad.proto", "syntax = \"proto3\";\nmessage M {\n  Missing m = 1;\n}\n");
    assert!(text.contains("bad.proto") && text.contains("Missing") && text.contains("3"), "{text}");
    let text = mistake("import", "bad.proto", "syntax = \"proto3\";\nimport \"other/none.proto\";\n");
    assert!(text.contains("other/none.proto") && text.contains("imports are looked up in"), "{text}");
    let text =
        polywire_build::Config::new().out_dir("x").compile(&["proto/none.proto"]).unwrap_err().to_string();
    assert_eq!(text, "proto/none.proto: no such file");
}

#[test]
fn methods_that_have_one_name_in_rust_are_a_mistake() {
    let text = mistake(
        "names",
        "twice.proto",
        "syntax = \"proto3\"; package p; message M {}
         service S { rpc GetIt(M) returns (M); rpc get_it(M) returns (M); }",
    );
    assert!(text.contains("p.S") && text.contains("`get_it`"), "{text}");
}
