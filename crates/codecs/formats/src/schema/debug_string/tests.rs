//! What protobuf prints (`golden/`), and what an enemy does.

use super::*;
use crate::{
    json::{Json, Style, from_wire, to_wire},
    schema::{Field, Idempotency, Kind, MessageSchema, Pool, bounds::MOST_LEVELS},
};
use buffa_descriptor::generated::descriptor::FieldDescriptorProto;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};

const PAGE: &str = include_str!("golden/page.txt");

/// The definitions of the page, each with its name.
fn page() -> impl Iterator<Item = (&'static str, &'static str)> {
    PAGE.split("=== ").skip(1).map(|one| one.split_once('\n').expect("a line with the name"))
}

fn pool_of<'d>(definitions: impl IntoIterator<Item = (&'d str, &'d str)>) -> Result<Pool, SchemaError> {
    let mut all = Definitions::default();
    definitions.into_iter().try_for_each(|(name, text)| all.add(name, text))?;
    Pool::from_foreign_set(&all.into_descriptor_set())
}

/// The same from the files that the page was printed of.
fn compiled() -> Pool {
    struct Sources;
    impl FileResolver for Sources {
        fn open_file(&self, name: &str) -> Result<File, protox::Error> {
            match name {
                "proto2.proto" => File::from_source(name, include_str!("golden/proto2.proto")),
                "proto3.proto" => File::from_source(name, include_str!("golden/proto3.proto")),
                _ => Err(protox::Error::file_not_found(name)),
            }
        }
    }
    let mut resolver = ChainFileResolver::new();
    resolver.add(Sources);
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).open_files(["proto2.proto", "proto3.proto"]).expect("they are right");
    Pool::from_descriptor_set(&compiler.encode_file_descriptor_set()).expect("a set")
}

/// Enums that no message declares: the page does not have them.
const NUMBERS: [&str; 3] = ["shop.v1.Color", "shop.v3.Kind", "google.protobuf.NullValue"];

/// What JSON needs to know of a field.
fn described(message: MessageSchema<'_>, field: &Field) -> String {
    let kind = NUMBERS.iter().fold(message.type_name(field), |kind, name| kind.replace(name, "int32"));
    let names = [Style::Canonical, Json::DEFAULT.style()].map(|style| field.json_name(style).to_owned());
    let (number, name, is_group) = (field.number, &field.name, matches!(field.kind, Kind::Group(_)));
    format!("{number} {name} {kind} {is_group} {:?} {names:?} {:?}", field.cardinality, field.oneof)
}

#[test]
fn what_protobuf_prints_is_what_it_has_read() {
    let (printed, compiled) = (pool_of(page()).expect("they fit each other"), compiled());
    let methods = |pool: &Pool| {
        let mut all: Vec<_> = pool.methods().map(|method| format!("{method:?}")).collect();
        all.sort();
        all
    };
    assert_eq!(methods(&printed), methods(&compiled));
    assert_eq!(printed.methods().count(), 6);
    let level = |name| printed.method(name).expect("it is there").idempotency;
    assert_eq!(level("shop.v1.Stock/Watch"), Idempotency::NoSideEffects);
    assert_eq!(level("shop.v1.Stock/Put"), Idempotency::Unknown);
    for (name, _) in page().filter(|(name, _)| !printed.has_service(name)) {
        let of = |pool: &Pool| -> Vec<_> {
            let message = pool.message(name).unwrap_or_else(|| panic!("{name} is not there"));
            let fields = message.declared_fields().iter();
            fields.map(|field| described(message, field)).collect()
        };
        assert_eq!(of(&printed), of(&compiled), "{name}");
    }
}

#[test]
fn messages_are_translated_by_what_protobuf_prints() {
    let (printed, compiled) = (pool_of(page()).expect("they fit"), compiled());
    for (message, text) in [
        (
            "shop.v1.Item",
            r#"{"SKU":"a","color":5,"size":"LARGE","part":[{"name":"n","inner":{"deep":"7","size":"SMALL"}}],"partsByName":{"k":{"SKU":"b"}},"colors":{"1":-2147483648},"box":{"lid":{"color":0}}}"#,
        ),
        (
            "shop.v3.Order",
            r#"{"id":"1","note":"","maybe":0,"kind":1,"numbers":[1,2],"linesOf":{"5":{"price":1.5}},"howState":"CLOSED","at":"2026-11-29T00:00:00Z","any":{"@type":"type.googleapis.com/shop.v3.Empty"},"more":{"a":null,"b":[1.0,"x"]},"boxed":"9"}"#,
        ),
    ] {
        let of = |pool: &Pool| {
            let schema = pool.message(message).expect("it is there");
            let wire = to_wire(schema, text.as_bytes(), Style::Canonical).expect("it fits").wire;
            let json = from_wire(schema, &wire, Style::Canonical).expect("it fits");
            (wire, String::from_utf8(json).expect("text"))
        };
        let (wire, json) = of(&printed);
        assert_eq!(wire, of(&compiled).0, "{message}");
        assert_eq!(json, text, "{message}");
    }
}

/// As our own page writes them.
#[test]
fn definitions_may_have_full_names_and_oneofs_no_name() {
    let pool = pool_of([
        (
            "shop.Item",
            "message shop.Item {\n  string sku = 1;\n  oneof {\n    shop.Color color = 2;\n  }\n}\n",
        ),
        ("shop.Color", "enum shop.Color {\n  NONE = 0;\n  RED = -1;\n}\n"),
        ("shop.Stock", "service shop.Stock {\n  rpc Get(shop.Item) returns (stream shop.Item);\n}\n"),
    ]);
    let pool = pool.expect("they fit");
    let method = pool.method("shop.Stock/Get").expect("it is there");
    assert!(method.server_streaming && !method.client_streaming);
    let fields = method.input.declared_fields();
    assert_eq!(method.input.enum_names(&fields[1]), ["RED", "NONE"]);
    assert!(fields[1].oneof.is_some());
}

#[test]
fn a_text_that_is_cut_or_altered_is_refused_or_read_and_never_a_panic() {
    for (name, text) in page() {
        for end in (0..text.trim_end().len()).filter(|end| text.is_char_boundary(*end)) {
            let cut = Definitions::default().add(name, &text[..end]);
            assert_eq!(cut.is_ok(), text[..end].trim().is_empty(), "{name} up to {end}");
        }
        for at in 0..text.len() {
            for by in ["{", "}", "\"", ";", "é"] {
                let mut altered = text.to_owned();
                altered.replace_range(at..=at, by);
                let _ = pool_of([(name, &*altered)]);
            }
        }
    }
}

#[test]
fn what_is_no_definition_is_refused() {
    for (name, text) in [
        ("M", "<!DOCTYPE html><html></html>"),
        ("M", "message N { }"),
        ("M", "message M { } message N { }"),
        ("M", "message M { int32 a = x; }"),
        ("M", "message M { int32 a = 99999999999; }"),
        ("M", "message M { map<string> a = 1; }"),
        ("M", "service M { rpc A(N) gives (N); }"),
        ("M", "union M { }"),
        ("a..M", "message M { }"),
        ("", "message M { }"),
        ("a b.M", "message M { }"),
    ] {
        assert!(Definitions::default().add(name, text).is_err(), "{name}: {text}");
    }
    for text in
        ["message M { int32 a.b = 1; }", "message M { int32 a = 0; }", "message M { message a.N { } }"]
    {
        assert!(pool_of([("M", text)]).is_err(), "{text}");
    }
    let dangling = pool_of([("S", "service S { rpc A(.N) returns (.N); }")]);
    assert!(dangling.is_err_and(|why| why.to_string().contains("type N is not in it")));
}

#[test]
fn definitions_are_taken_up_to_their_limits() {
    let why =
        |name: &str, text: &str| Definitions::default().add(name, text).err().map(|why| why.to_string());
    let nested = |levels: usize| "message M {".repeat(levels) + &"}".repeat(levels);
    assert_eq!(why("M", &nested(MOST_LEVELS)), None);
    assert!(why("M", &nested(MOST_LEVELS + 1)).is_some_and(|why| why.contains("levels")));
    assert!(why("M", &nested(1 << 20)).is_some_and(|why| why.contains("levels")));
    let groups = "message M {".to_owned() + &"optional group G = 1 {".repeat(1 << 18);
    assert!(why("M", &groups).is_some_and(|why| why.contains("levels")));
    // What is skipped may be deep: it takes no stack.
    let deep = format!("message M {{ int32 a = 1 [(x) = {}{}]; }}", "{".repeat(1 << 20), "}".repeat(1 << 20));
    assert_eq!(why("M", &deep), None);
    let many = |part: &str, n: usize| format!("message M {{{}}}", part.repeat(n));
    assert_eq!(why("M", &many("int32 a=1;", MOST_FIELDS)), None);
    assert!(why("M", &many("int32 a=1;", MOST_FIELDS + 1)).is_some_and(|why| why.contains("fields")));
    assert!(why("M", &many("map<int32,int32>a=1;", MOST_FIELDS)).is_some_and(|why| why.contains("fields")));
    assert!(why("M", &many("message N{}", MOST_OTHERS)).is_some_and(|why| why.contains("messages, enums")));
    assert!(why("M", &many(&format!("message {} {{}}", "N".repeat(500)), MOST_OTHERS - 1)).is_some());
    assert!(why("M", &" ".repeat(MOST_BYTES + 1)).is_some_and(|why| why.contains("bytes of definitions")));
    assert!(why(&"M".repeat(LONGEST_NAME + 1), "").is_some_and(|why| why.contains("full name")));
    let mut all = Definitions::default();
    let mut add = |k: usize| all.add(&format!("M{k}"), &format!("message M{k} {{}}"));
    assert!((0..MOST_FILES).all(|k| add(k).is_ok()) && add(MOST_FILES).is_err());
}

#[test]
fn a_type_that_no_text_defines_is_a_number() {
    let mut all = Definitions::default();
    all.add("M", "message M { optional .Color color = 1; repeated .M more = 2; }").expect("it is right");
    let set = FileDescriptorSet::decode_from_slice(&all.into_descriptor_set()).expect("a set");
    let kind = |field: &FieldDescriptorProto| (field.r#type, field.type_name.clone());
    let fields: Vec<_> = set.file[0].message_type[0].field.iter().map(kind).collect();
    assert_eq!(fields, [(Some(Type::TYPE_INT32), None), (None, Some(".M".to_owned()))]);
}
