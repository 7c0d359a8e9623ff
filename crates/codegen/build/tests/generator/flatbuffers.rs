//! Code generated from `.fbs` files, and error messages for invalid ones.

use super::compare::{files, here, same};
use std::path::Path;

#[test]
fn generated_code_is_what_it_was() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden_fbs");
    let config = polywire_build::Config::new().out_dir(&out);
    config.clone().compile(&[here("schemas/zoo.fbs")]).unwrap();
    config.object_api(true).compile(&[here("schemas/chest.fbs")]).unwrap();
    same("golden_fbs", files(&out.join("polywire")));
}

/// The error for a schema, as a build script reports it.
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
        ("default", "table A {\n b:byte = 128; }", "2: `128` is not a valid value of this field"),
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
        ("align", "struct A (force_align: 3) { a:int; }", "1: `force_align` is a power of two from 4 to 32"),
        ("less", "struct A (force_align: 2) { a:int; }", "1: `force_align` is a power of two from 4 to 32"),
        ("more", "struct A (force_align: 64) { a:int; }", "1: `force_align` is a power of two from 4 to 32"),
        (
            "of a vector",
            "table A { a:[int] (force_align: 0); }",
            "1: `force_align` is a power of two from 1 to 32",
        ),
        (
            "of an enum",
            "enum A:int (force_align: 8) { B }",
            "1: `force_align` is allowed on structs and vectors only",
        ),
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
        // Unknown attributes may change the layout of a message: none is ignored.
        ("vector64", "table A {\n a:[ubyte] (vector64); b:string; }", "2: `vector64` is not supported"),
        ("offset64", "table A { a:string (offset64); }", "1: `offset64` is not supported"),
        (
            "undeclared",
            "table A { a:int (nothing); }\nattribute \"nothing\";",
            "1: `nothing` is not an attribute of FlatBuffers, and `attribute \"nothing\";` does not precede it",
        ),
        (
            "undeclared value",
            "enum E:byte { A (nothing) }",
            "1: `nothing` is not an attribute of FlatBuffers, and `attribute \"nothing\";` does not precede it",
        ),
        ("key", "table A { a:[int] (key); }", "1: a `key` is a string, a number or a struct"),
        (
            "keys",
            "table A { a:int (key); b:int (key); }",
            "1: only one field of a table or a struct can be its `key`",
        ),
        (
            "keys of a struct",
            "struct A { a:int (key);\n b:int (key); }",
            "1: only one field of a table or a struct can be its `key`",
        ),
        ("key or null", "table A { a:int = null (key); }", "1: a `key` has a value, its default is not null"),
        ("shared", "table A { a:[string] (shared); }", "1: `shared` is allowed on strings only"),
        (
            "nested",
            "table B {} table A { a:[int] (nested_flatbuffer: \"B\"); }",
            "1: `nested_flatbuffer` is allowed on a vector of ubyte only",
        ),
        (
            "nested name",
            "table B {} table A { a:[ubyte] (nested_flatbuffer: B); }",
            "1: `nested_flatbuffer` is the name of a table, in quotes",
        ),
        ("nested none", "table A { a:[ubyte] (nested_flatbuffer: \"B\"); }", "1: `B` is not declared"),
        (
            "flexbuffer",
            "table A { a:int (flexbuffer); }",
            "1: `flexbuffer` is allowed on a vector of ubyte only",
        ),
        ("hash", "table A { a:uint (hash: \"md5\"); }", "1: the `hash` of 32 bits is fnv1_32 or fnv1a_32"),
        (
            "hash of text",
            "table A { a:string (hash: \"fnv1_32\"); }",
            "1: `hash` is allowed on integers of 16, 32 and 64 bits only",
        ),
        (
            "cpp_type",
            "table A { a:int (cpp_type: \"x\"); }",
            "1: `cpp_type` is allowed on fields with `hash` only",
        ),
        // Schemas that flatc refuses, too.
        ("struct default", "struct A {\n a:int = 3; }", "2: fields of a struct have no defaults"),
        (
            "struct deprecated",
            "struct A { a:int (deprecated); }",
            "1: fields of a struct cannot be deprecated",
        ),
        (
            "struct required",
            "struct A { a:int (required); }",
            "1: fields of a struct are always there, none is `required`",
        ),
        ("struct twice", "struct A { a:int; a:int; }", "1: `a` is declared twice"),
        ("one number", "enum E:byte { A = 1,\n B = 1 }", "2: `B` has the value of `A`"),
        ("own name", "table A { A:int; }", "1: `A` is the name of what it is in"),
        (
            "union type",
            "table A {} union U { A } table B { u:U; u_type:int; }",
            "1: `u_type` is the name of a function for `u`",
        ),
        ("none", "table A {} union U { NONE, A }", "1: every union has `NONE` already"),
        ("union of numbers", "union U { a:int }", "1: `int` is not a table, a struct or `string`"),
        (
            "union of unions",
            "table A {} union U { A } union V { U }",
            "1: `U` is not a table, a struct or `string`",
        ),
        ("type of a union", "table A {} union U:float { A }", "1: `float` is not an integer type"),
        ("wide", "table A {} union U:ushort { A = 65536 }", "1: 65536 is not a value of the union's type"),
        ("full", "table A {} union U { A = 255,\n B:A }", "2: 256 is not a value of the union's type"),
        ("number of none", "table A {} union U { A = 0 }", "1: `A` has the name or number of another"),
        (
            "types of unions",
            "table A {} union U { A } table B { u:[U]; u_type:int; }",
            "1: `u_type` is the name of a function for `u`",
        ),
        (
            "id of unions",
            "table A {} union U { A } table B { u:[U] (id: 0); }",
            "1: no field can have the id 0",
        ),
        ("late", "table A {}\ninclude \"a.fbs\";", "2: includes stand in front of everything else"),
        (
            "other enum",
            "enum E:byte { A } enum F:byte { B } table C { e:E = F.A; }",
            "1: `F.A` is not a valid value of this field",
        ),
        (
            "bits of others",
            "enum E:ubyte (bit_flags) { A, B } table C { e:E = \"E.A E.B\"; }",
            "1: `E.A E.B` is not a valid value of this field",
        ),
        ("escape", "table A {\n a:string = \"\\q\"; }", "2: an unknown escape in a text"),
        (
            "number default",
            "table A { a:string = 3; }",
            "1: only numbers, enums and strings can have defaults, and vectors that of `[]`",
        ),
        (
            "one function",
            "table A { fooBar:int; foo_bar:int; }",
            "A: two fields are called `foo_bar` in Rust; foo_bar is the second",
        ),
        (
            "unpack",
            "table A { unpack:int; unpack_:int; }",
            "A: two fields are called `unpack_` in Rust; unpack_ is the second",
        ),
        ("no exponent", "table A { a:float = 0x1.8; }", "1: `0x1.8` is not a valid value of this field"),
        ("whole hex", "table A { a:float = 0x10; }", "1: `0x10` is not a valid value of this field"),
        ("function", "table A { a:int = cos(0); }", "1: `1.000000000000` is not a valid value of this field"),
        (
            "hash of bytes",
            "table A { a:[ubyte] (hash: \"fnv1_32\"); }",
            "1: `hash` is allowed on integers of 16, 32 and 64 bits only",
        ),
        ("buf", "table A {}\ntable ABuf {}", "ABuf: `ABuf` is the name of another type"),
    ] {
        assert_eq!(wrong(name, schema), says, "{name}");
    }
}

/// Schemas that flatc accepts, each of a kind that was once refused.
#[test]
fn unusual_schemas_are_taken() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unusual_fbs");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("other.fbs"), "attribute \"theirs\"; table Other {}").unwrap();
    for (index, schema) in [
        "include 'other.fbs'; attribute mine; table A (mine) { a:int (theirs: 3); o:Other; }",
        "struct S { b:[int:0xF]; }",
        "table A { v:[int] = []; w:[string] = [] (required); }",
        "enum E:byte {} table A { e:E; f:E = null; }",
        "table A {} union U:ubyte { A = 5, B:A = 3 } table C { u:U; }",
        "table A {} union U:int { A = 555, B:A } table C { u:[U] (id: 1); v:U (id: 3); }",
        "struct S { a:int; } union U { S, t:S, text:string } table C { u:[U] (required); v:[U] = []; }",
        "enum E:ubyte (bit_flags) { A, B } table C { e:E = \"A B\"; f:E = B; g:E = 3; }",
        "enum E:byte { A } table C { e:E = E.A; f:E = \"A\"; g:int = \"-3\"; }",
        "table A { a:string = \"a\\n\\u0041\\x42\\ud83d\\ude00\"; b:string = 'it\"s'; }",
        "table A { a:string (key, shared); b:[A] (native_inline); c:uint (hash: \"fnv1a_32\", cpp_type: \"T\"); }",
        "attribute x; table A { a:double = 0x1.8p-3; b:double = sin(rad(90)); c:float = cos(0) (x); }",
        "table A { a:[ulong] (hash: \"fnv1a_64\"); b:[ushort] (hash: \"fnv1_16\"); }",
        "enum E:byte { rad, sin } table A { a:E = sin (deprecated); b:float = 1.5 (deprecated); }",
        "table A (force_align: 7) { a:int (force_align: x); b:[ubyte] (force_align: 1); }",
        "table A (original_order, private) { a:[ubyte] (flexbuffer); }",
    ]
    .into_iter()
    .enumerate()
    {
        let file = directory.join(format!("{index}.fbs"));
        std::fs::write(&file, schema).unwrap();
        let out = directory.join(index.to_string());
        let made = polywire_build::Config::new().out_dir(out).compile(&[&file]);
        assert!(made.is_ok(), "{schema}: {}", made.unwrap_err());
    }
}

#[test]
fn a_file_that_is_included_by_two_paths_is_read_once() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("included_fbs");
    std::fs::create_dir_all(directory.join("below")).unwrap();
    let file = directory.join("a.fbs");
    std::fs::write(&file, "include \"below/b.fbs\"; table A { b:B; }").unwrap();
    std::fs::write(directory.join("below/b.fbs"), "include \"../a.fbs\"; table B { a:A; }").unwrap();
    polywire_build::Config::new().out_dir(directory.join("out")).compile(&[&file]).unwrap();
}
