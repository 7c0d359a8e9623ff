//! What is generated, compared with files that people have read.

use super::{
    compare::{compare, here},
    samples,
};
use std::{fs, path::Path};

#[test]
fn generated_code_is_what_it_was() {
    // Whole where documentation and tests of `polywire` compile them.
    compare(&samples::PROTOBUF, |file| file.starts_with("example.") || file.starts_with("talk."));
}

#[test]
fn generated_code_with_rules_of_http_is_what_it_was() {
    // Peers of `interop` and `fuzz` read the descriptors.
    compare(&samples::REST, |file| file == "library.v1.binpb");
}

#[test]
fn generated_code_for_mcpack_is_what_it_was() {
    compare(&samples::MCPACK, |_| false);
}

#[test]
fn generated_code_with_strings_as_bytes_is_what_it_was() {
    compare(&samples::GBK, |_| false);
}

#[test]
fn generated_code_with_views_is_what_it_was() {
    compare(&samples::VIEWS, |_| false);
}

#[cfg(feature = "prost")]
#[test]
fn generated_code_with_prost_is_what_it_was() {
    // Whole, since tests compile them without this feature.
    let sample = samples::Sample {
        name: "prost",
        folder: "protos",
        files: &["echo.proto", "shapes.proto", "gbk.proto"],
        config: || {
            let config = polywire_build::Config::new().prost(true).strings_as_bytes(".gbk.Text");
            config.strings_as_bytes(".gbk.Partly.must").strings_as_bytes(".gbk.Partly.names")
        },
    };
    compare(&sample, |_| true);
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
    let failed = |config: polywire_build::Config, file: &str| {
        config.out_dir("x").compile(&[file]).unwrap_err().to_string()
    };
    let here = std::env::current_dir().unwrap();
    let text = failed(polywire_build::Config::new(), "proto/none.proto");
    assert_eq!(text, format!("proto/none.proto: no such file in {}", here.display()));
    // The file is below the directory of imports, and its import is nowhere.
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("import");
    let text = failed(polywire_build::Config::new().include(&directory), "bad.proto");
    assert!(text.contains("other/none.proto") && text.contains(&*directory.to_string_lossy()), "{text}");
    let text = failed(polywire_build::Config::new().include(&directory), "none.proto");
    let searched = format!("none.proto: no such file in {}, {}", directory.display(), here.display());
    assert_eq!(text, searched);
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

#[test]
fn generated_code_of_editions_is_what_it_was() {
    compare(&samples::EDITIONS, |_| false);
}

#[test]
fn what_is_wrong_with_an_edition_is_named_with_its_place() {
    for (source, says) in [
        (
            "// An edition.\nedition = \"2022\";",
            "new.proto:2: `edition = \"2022\";` is not supported: 2023 and 2024 are",
        ),
        (
            "edition = \"2023\";\nmessage M {\n  optional int32 a = 1;\n}",
            "new.proto:3:3: `optional` does not stand in a file of an edition: all fields are, leave it out",
        ),
        (
            "edition = \"2023\"; option features.field_presence = NEVER;",
            "new.proto: `features.field_presence = NEVER` is not a known feature",
        ),
        (
            "edition = \"2023\"; message M { option features.field_presence = IMPLICIT; }",
            "new.proto: `features.field_presence = IMPLICIT` is set where this feature does not apply",
        ),
        (
            "edition = \"2023\"; message M { enum E { A = 1; } }",
            "new.proto: the first value of the open enum `E` is not 0",
        ),
    ] {
        assert_eq!(mistake("edition", "new.proto", source), says);
    }
    // Those of all files are protox's to tell: lines are those of the file.
    let text = mistake("edition", "new.proto", "edition = \"2023\";\nmessage M {\n  Missing m = 1;\n}");
    assert!(text.contains("new.proto:3:") && text.contains("Missing"), "{text}");
    let text = mistake("edition", "new.proto", "edition = \"2023\";\nmessage M {\n  int32 m 1;\n}");
    assert!(text.contains("new.proto:3:"), "{text}");
    // The text without features could be read, but nobody would know what they say.
    let source =
        "edition = \"2024\";\nmessage M {\n  extensions 4 [features.enforce_naming_style = STYLE_LEGACY];\n}";
    let text = mistake("edition", "new.proto", source);
    assert!(
        text.contains("new.proto:3:") && text.contains("write a range, `extensions 5 to 5 [..]`"),
        "{text}"
    );
}

#[test]
fn an_edition_is_imported_by_other_files() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("edition_imported");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("new.proto"), "edition = \"2023\"; package new; message M { int32 a = 1; }")
        .unwrap();
    let importing = "syntax = \"proto3\"; package old; import \"new.proto\"; message O { new.M m = 1; }";
    fs::write(directory.join("old.proto"), importing).unwrap();
    let config = polywire_build::Config::new().include(&directory).out_dir(directory.join("out"));
    config.compile(&[directory.join("old.proto")]).unwrap();
    let made = fs::read_to_string(directory.join("out/polywire/new.rs")).unwrap();
    assert!(made.contains("pub a: ::std::option::Option<i32>"), "{made}");
}

#[test]
fn protobuf_that_cannot_be_read_is_said_to_be_protobuf() {
    let text = mistake(
        "range",
        "a.proto",
        "syntax = \"proto2\"; message M { extensions 5 [verification = UNVERIFIED]; }",
    );
    assert!(text.contains("a.proto:1:") && text.contains("`extensions 5 to 5 [..]`"), "{text}");
    let text = mistake(
        "negative",
        "a.proto",
        "syntax = \"proto2\"; import \"google/protobuf/descriptor.proto\";
         extend google.protobuf.FileOptions { optional float low = 50000; } option (low) = -inf;",
    );
    assert!(text.contains("a.proto:2:") && text.contains("leave the option out"), "{text}");
}

/// Strings of proto3 are UTF-8.
#[test]
fn strings_that_cannot_be_bytes_are_a_mistake() {
    let config = polywire_build::Config::new().include(here("protos")).out_dir(env!("CARGO_TARGET_TMPDIR"));
    for (file, path) in
        [("shapes.proto", ".shapes.v1"), ("gbk.proto", ".gbk.Text.plain"), ("gbk.proto", ".gbk.Texts")]
    {
        let made = config.clone().strings_as_bytes(path).compile(&[here("protos").join(file)]);
        let nothing = "no field of type `string` in proto2 has this name or is below it";
        assert_eq!(made.unwrap_err().to_string(), format!("strings_as_bytes({path:?}): {nothing}"));
    }
}

const OPTIONS: &str =
    "syntax = \"proto3\"; package echo; message Echo { bytes message = 1; map<string, bytes> more = 2;
    oneof one { string text = 3; } Kind kind = 4; enum Kind { NONE = 0; } message Inner {} }";

/// What a build says with these options.
fn with_options(test: &str, set: impl FnOnce(polywire_build::Config) -> polywire_build::Config) -> String {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&directory).unwrap();
    let file = directory.join("echo.proto");
    fs::write(&file, OPTIONS).unwrap();
    let made = set(polywire_build::Config::new().out_dir(directory.join("out"))).compile(&[file]);
    made.map_or_else(|error| error.to_string(), |()| "made".to_owned())
}

#[test]
fn options_that_name_nothing_are_mistakes() {
    let said =
        |test: &str, set: fn(polywire_build::Config) -> polywire_build::Config| with_options(test, set);
    for (text, set) in [
        (
            "type_attribute(\"echo.Nope\"): no message, enum or oneof has this name or is below it",
            (|config| config.type_attribute("echo.Nope", "#[derive(Eq)]")) as fn(polywire_build::Config) -> _,
        ),
        ("bytes(\".echo.Echo.massage\"): no field of type `bytes` has this name or is below it", |config| {
            config.bytes(".echo.Echo.message").bytes(".echo.Echo.massage")
        }),
        ("bytes(\".echo.Echo.text\"): no field of type `bytes` has this name or is below it", |config| {
            config.bytes(".echo.Echo.text")
        }),
        ("field_attribute(\".echo.Echo.Kind\"): no field has this name or is below it", |config| {
            config.field_attribute(".echo.Echo.Kind", "#[cfg(all())]")
        }),
        (
            "extern_path(\".ecco\", ..): no file that is read declares something of this name or below it",
            |config| config.extern_path(".ecco", "::ecco"),
        ),
        ("views(\".echo.Echo.Kind\"): no method or message has this name or is below it", |config| {
            config.views(".echo.Echo").views(".echo.Echo.Kind")
        }),
    ] {
        assert_eq!(said("nothing", set), text);
    }
    let all = said("something", |config| {
        let config = config
            .type_attribute(".echo.Echo.one", "#[allow(unused)]")
            .type_attribute(".", "#[allow(dead_code)]");
        let config =
            config.field_attribute(".echo.Echo.kind", "#[allow(unused)]").bytes(".echo.Echo.more").bytes(".");
        config
            .field_attribute(".echo.Echo.one.text", "#[allow(unused)]")
            .type_attribute("echo.Echo.Inner", "#[derive(Eq)]")
    });
    assert_eq!(all, "made");
}

#[test]
fn an_attribute_that_is_none_is_named() {
    let said = with_options("attribute", |config| {
        config.type_attribute(".", "#[allow(unused)]").type_attribute(".echo.Echo", "derive(Eq)")
    });
    let text = "type_attribute(\".echo.Echo\", \"derive(Eq)\"): this is not an attribute; one is written as `#[derive(Eq)]`";
    assert_eq!(said, text);
    let said = with_options("attribute", |config| config.field_attribute(".echo.Echo.kind", "#[serde(skip)"));
    assert!(
        said.starts_with("field_attribute(\".echo.Echo.kind\", \"#[serde(skip)\"): this is not an attribute"),
        "{said}"
    );
}

#[test]
fn a_message_without_a_view_is_named() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no_view");
    fs::create_dir_all(&directory).unwrap();
    let file = directory.join("files.proto");
    let body = "message File { map<string, google.api.HttpBody> parts = 1; } service Files { rpc Get(File) returns (File); }";
    let import = "import \"google/api/httpbody.proto\";";
    fs::write(&file, format!("syntax = \"proto3\"; package files; {import} {body}")).unwrap();
    let config = polywire_build::Config::new().out_dir(directory.join("out")).views(".files.Files");
    let said = config.compile(&[&file]).unwrap_err().to_string();
    assert_eq!(said, "views: files.Files.Get needs a view of google.api.HttpBody, which has none");
}

#[test]
fn a_message_set_needs_unknown_fields() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("message_set");
    fs::create_dir_all(&directory).unwrap();
    let file = directory.join("sets.proto");
    let message = "message Set { option message_set_wire_format = true; extensions 4 to max; }";
    fs::write(&file, format!("syntax = \"proto2\"; package sets; {message}")).unwrap();
    let compile = |keep| {
        let config = polywire_build::Config::new().out_dir(directory.join("out")).unknown_fields(keep);
        config.compile(&[&file]).map_err(|error| error.to_string())
    };
    let said = compile(false).unwrap_err();
    assert!(said.starts_with("sets.Set has `message_set_wire_format`"), "{said}");
    assert!(said.contains("unknown_fields(true)"), "{said}");
    compile(true).unwrap();
}

#[test]
fn a_second_call_keeps_the_packages_of_the_first() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("calls");
    fs::create_dir_all(&directory).unwrap();
    let compile = |file: &str, source: &str| {
        fs::write(directory.join(file), source).unwrap();
        let config = polywire_build::Config::new().out_dir(directory.join("out"));
        config.compile(&[directory.join(file)]).map_err(|error| error.to_string())
    };
    compile("shared.proto", "syntax = \"proto3\"; package shared; message S {}").unwrap();
    let imports = "import \"shared.proto\"; message M { shared.S s = 1; }";
    compile("one.proto", &format!("syntax = \"proto3\"; package calls.one; {imports}")).unwrap();
    compile("two.proto", &format!("syntax = \"proto3\"; package calls.two; {imports}")).unwrap();
    compile("flat.fbs", "namespace flat; table T {}").unwrap();
    for (tree, packages) in [
        ("all.rs", &["calls.one", "calls.two", "flat", "shared"][..]),
        ("include/calls.rs", &["calls.one", "calls.two"]),
    ] {
        let tree = fs::read_to_string(directory.join("out/polywire").join(tree)).unwrap();
        packages
            .iter()
            .for_each(|package| assert!(tree.contains(&format!("/{package}.rs")), "{package}: {tree}"));
    }
    let other = compile("other.proto", "syntax = \"proto3\"; package shared; message Other {}");
    assert_eq!(
        other.unwrap_err(),
        "package `shared` is made by two calls of `compile`, each from other files: name all its files in one call"
    );
}
