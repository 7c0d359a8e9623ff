//! Code generated from `.thrift` files, and error messages for invalid ones.

use super::compare::{files, here, same};
use std::{fs, path::Path};

#[test]
fn generated_code_is_what_it_was() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden_thrift");
    polywire_build::Config::new().out_dir(&out).compile(&[here("thrift/zoo.thrift")]).unwrap();
    same("golden_thrift", files(&out.join("polywire")));
}

/// The error for a file, as a build script reports it, from the line on.
fn wrong(name: &str, source: &str) -> String {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrong_thrift").join(name);
    fs::create_dir_all(&directory).unwrap();
    let file = directory.join("wrong.thrift");
    fs::write(&file, source).unwrap();
    let error = polywire_build::Config::new().out_dir(&directory).compile(&[&file]).unwrap_err().to_string();
    error.split_once("wrong.thrift:").map_or(error.clone(), |(_, rest)| rest.to_owned())
}

#[test]
fn names_that_are_one_in_rust_are_a_mistake() {
    let text = wrong("types", "struct a_b {}\nstruct AB {}");
    assert!(
        text.starts_with("2:8: `AB` is the name of another type of the namespace `wrong` in Rust"),
        "{text}"
    );
    let text = wrong("methods", "service S {\n void getIt()\n void get_it()\n}");
    assert_eq!(text, "3:7: `get_it` is the name of another in Rust, `getIt`: rename one of them");
    let text = wrong("inherited", "service S { void getIt() }\nservice T extends S { void get_it() }");
    assert_eq!(text, "2:28: `get_it` is the name of another in Rust, `getIt`: rename one of them");
}

#[test]
fn a_mistake_names_file_line_and_column() {
    assert_eq!(wrong("syntax", "struct A {\n  1: i32\n}"), "3:1: expected the name of a field, found `}`");
    let text = wrong("include", "\ninclude \"none.thrift\"");
    assert!(text.starts_with("2:9: \"none.thrift\" is not found; includes are looked up in "), "{text}");
    let error = polywire_build::Config::new().out_dir("x").compile(&["no/none.thrift"]).unwrap_err();
    assert!(error.to_string().starts_with("no/none.thrift: "), "{error}");
}

#[test]
fn a_namespace_is_not_a_package_of_another_file() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("both_thrift");
    fs::create_dir_all(&directory).unwrap();
    let files = [directory.join("a.fbs"), directory.join("b.thrift")];
    fs::write(&files[0], "namespace same; table A {}").unwrap();
    fs::write(&files[1], "namespace rs same\nstruct A {}").unwrap();
    let error = polywire_build::Config::new().out_dir(&directory).compile(&files).unwrap_err().to_string();
    assert_eq!(error, "`same` is the namespace of a .thrift file and the package of another file");
}
