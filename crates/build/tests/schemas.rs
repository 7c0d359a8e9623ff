//! What is generated from `.fbs` files, and what is said of wrong ones.
//!
//! `POLYWIRE_GOLDEN=write cargo test -p polywire-build` writes the golden files anew; read the difference before
//! committing it.

use std::path::Path;

#[test]
fn generated_code_is_what_it_was() {
    let here = |path: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(path);
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden_fbs");
    let config = polywire_build::Config::new().out_dir(&out);
    config.compile(&[here("schemas/zoo.fbs")]).unwrap();
    for name in ["zoo.rs", "zoo.common.rs", "include/zoo.rs"] {
        let made = std::fs::read_to_string(out.join("polywire").join(name)).unwrap();
        let golden = here("golden_fbs").join(name);
        if std::env::var_os("POLYWIRE_GOLDEN").is_some() {
            std::fs::create_dir_all(golden.parent().unwrap()).unwrap();
            std::fs::write(&golden, made).unwrap();
            continue;
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        assert!(made == expected, "{name} differs from its golden file");
    }
}

/// What is wrong with a schema, as a build script says it.
fn wrong(name: &str, schema: &str) -> String {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrong_fbs").join(name);
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join("wrong.fbs");
    std::fs::write(&file, schema).unwrap();
    let error = polywire_build::Config::new().out_dir(&directory).compile(&[&file]).unwrap_err().to_string();
    error.split_once("wrong.fbs:").map_or(error.clone(), |(_, rest)| rest.to_owned())
}

#[test]
fn mistakes_are_named_with_their_line() {
    for (name, schema, says) in [
        ("unknown", "table A {\n b:B; }", "2: `B` is not declared"),
        ("twice", "table A {}\ntable A {}", "2: `A` is declared twice"),
        ("field", "table A { b:int;\n b:int; }", "2: `b` is declared twice"),
        ("default", "table A {\n b:byte = 128; }", "2: `128` is no value of this field"),
        ("sign", "table A {\n b int; }", "2: expected `:`, found `int`"),
        ("end", "table A {\n", "2: expected a name, found the end of the file"),
        ("comment", "\n/* never", "2: a comment without an end"),
        ("round", "struct A { a:A; }", "1: `A` contains itself, or is nested too deeply"),
        ("inside", "struct A { a:string; }", "1: a struct holds scalars, enums, structs and arrays"),
        (
            "ids",
            "table A { a:int (id: 1);\n b:int (id: 1); }",
            "2: the id 1 is taken, or leaves others unused",
        ),
        (
            "some",
            "table A { a:int (id: 0);\n b:int; }",
            "2: either all fields have an `id`, a number, or none has",
        ),
        ("long", "struct A { a:[long:8191];\n b:long; }", "2: a struct has at most 65535 bytes"),
        ("last", "table A { a:int (id: 32764); }", "1: the id 32764 is taken, or leaves others unused"),
        ("beyond", "table A { a:int (id: 32765); }", "1: no field can have the id 32765"),
        ("align", "struct A (force_align: 16) { a:int; }", "1: `force_align` is not supported"),
        (
            "method",
            "table A {} rpc_service S { a(A):A (id: -1); }",
            "1: either all methods have an `id` from 0 to 2147483647, or none",
        ),
        (
            "same",
            "table A {} rpc_service S { a(A):A (id: 1);\n b(A):A (id: 1); }",
            "2: `b` has the name or id of another",
        ),
        ("include", "\ninclude \"none.fbs\";", "2: \"none.fbs\" is not found"),
        ("buf", "table A {}\ntable ABuf {}", "ABuf: `ABuf` is the name of another type"),
    ] {
        assert_eq!(wrong(name, schema), says, "{name}");
    }
}
