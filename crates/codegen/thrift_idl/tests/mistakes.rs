//! What is wrong with a file is said with line and column, and no file does harm.

use polywire_thrift_idl::{Kind, Schema};
use std::fs;

fn wrong(source: &str) -> String {
    let error = Schema::parse("a.thrift", source).map(|_| ()).expect_err(source).to_string();
    error.strip_prefix("a.thrift:").map(str::to_owned).unwrap_or(error)
}

#[test]
fn mistakes_are_named_with_their_place() {
    for (source, says) in [
        ("struct A {\n 1: B b\n}", "2:5: the type `B` is not declared"),
        ("struct A {}\n enum A {}", "2:7: `A` is declared twice; the first one is in line 1"),
        ("struct A { 1: i32 a,\n 1: i32 b }", "2:2: another field has the number 1"),
        ("struct A { 1: i32 a,\n 2: i32 a }", "2:9: another field is called `a`"),
        ("struct A { 32768: i32 a }", "1:12: a field has a number from 1 to 32767, not 32768"),
        (
            "struct A { 0: i32 a }",
            "1:12: a field has a number from 1 to 32767, not 0: Apache's compiler would make it -1",
        ),
        ("struct A { 1: i32 a = 2147483648 }", "1:23: 2147483648 is not from -2147483648 to 2147483647"),
        ("struct A { 1: i32 a = \"1\" }", "1:23: a text cannot be the value of an i32"),
        ("struct A { 1: bool a = 2 }", "1:24: a bool is `true` or `false`, not 2"),
        (
            "struct A { 1: uuid a = \"1\" }",
            "1:24: \"1\" is not a UUID: write 00112233-4455-6677-8899-aabbccddeeff",
        ),
        (
            "union A { 1: required i32 a }",
            "1:27: a field of a union cannot be `required`: only one of them is there",
        ),
        ("struct void {}", "1:8: `void` is a word of Thrift and cannot be the name of a type"),
        ("struct A { 1: void a }", "1:15: only a method can be `void`"),
        ("struct A.B {}", "1:8: `A.B`: the name of a type has no dots"),
        ("struct A {", "1:11: expected `}`, found the end of the file"),
        ("struct A { 1 i32 a }", "1:14: expected `:`, found `i32`"),
        ("table A {}", "1:1: `table` begins no declaration"),
        ("struct A {}\nnamespace rs a", "2:1: `namespace` stands in front of all declarations: move it up"),
        ("\n  /* never", "2:3: this comment has no end: write `*/` where it ends"),
        ("const string A = \"a\nb\"", "1:18: this text has no end: write `\"` in the same line"),
        ("const string A = \"\\q\"", "1:18: `\\q` is unknown"),
        ("const i64 A = 9223372036854775808", "1:15: `9223372036854775808` is not a number of 64 bits"),
        ("const i32 A = 12ab", "1:15: a number ends before `a`"),
        ("const i32 A = 1.5", "1:15: a fraction cannot be the value of an i32"),
        ("const i32 A = B", "1:15: `B` is neither a constant nor a value of an enum"),
        ("const i32 A = B\nconst i32 B = A", "1:11: the value of `A` is made from itself"),
        ("enum E { X }\nconst E A = X", "2:13: `X` is not declared: write `E.X`"),
        ("enum E { X }\nconst E A = 7", "2:13: no value of the enum `E` has the number 7"),
        ("enum E { X,\n X }", "2:2: another value is called `X`"),
        ("enum E { X = 2147483647,\n Y }", "2:2: 2147483648 is not from -2147483648 to 2147483647"),
        (
            "const string A = \"x\"\nconst i32 B = A",
            "2:15: `A` is a string, and cannot be the value of an i32",
        ),
        ("struct S { 1: i32 a }\nconst S A = {\"b\": 1}", "2:14: the struct `S` has no field `b`"),
        ("struct S { 1: i32 a }\nconst S A = {\"a\": 1, \"a\": 2}", "2:22: `a` has a value already"),
        ("struct S { 1: required i32 a }\nconst S A = {}", "2:13: the required field `a` has no value"),
        ("union U { 1: i32 a }\nconst U A = {}", "2:13: the value of a union has exactly one field"),
        ("const list<i32> A = {1: 2}", "1:21: a map cannot be the value of a list"),
        ("typedef B A\ntypedef list<A> B", "1:11: the typedef `A` stands for itself"),
        ("service A extends B {}\nservice B extends A {}", "1:9: the service `A` extends itself"),
        ("service A { void a()\n void a() }", "2:7: another method is called `a`"),
        (
            "service A { void a() }\nservice B extends A { void a() }",
            "2:28: a service that is extended has the method `a`, too",
        ),
        ("struct A {}\nservice S { void a() throws (1: A a) }", "2:33: only an `exception` can be thrown"),
        ("service S { oneway i32 a() }", "1:24: `a` is oneway: it returns `void` and throws nothing"),
        ("service S {}\nstruct A { 1: S s }", "2:15: `S` is a service, not a type"),
        ("struct A {}\nservice S extends A {}", "2:19: `A` is not a service"),
        (
            "struct A { 1: b.C c }",
            "1:15: the type `b.C` is not declared: no file called `b.thrift` is included",
        ),
        ("include \"b.thrift\"", "1:9: \"b.thrift\" is not found"),
        ("struct A { 1: i32 é }", "1:19: `\\u{e9}` has no meaning here"),
    ] {
        let text = wrong(source);
        assert!(text.starts_with(says), "{source}\n  says {text}\n  not  {says}");
    }
}

#[test]
fn includes_have_prefixes_and_no_cycles() {
    let directory = std::env::temp_dir().join(format!("polywire-thrift-idl-{}", std::process::id()));
    fs::create_dir_all(directory.join("below")).unwrap();
    let write = |name: &str, text: &str| fs::write(directory.join(name), text).unwrap();
    write("a.thrift", "include \"b.c.thrift\"\nstruct A { 1: b.c.C c = {\"e\": b.c.E.X}, 2: i32 n = b.c.N }");
    write("below/b.c.thrift", "enum E { X = 3 }\nconst i32 N = 5\nstruct C { 1: E e }");
    let read = |name: &str, more: &[&str]| {
        let more: Vec<_> = more.iter().map(|name| directory.join(name)).collect();
        Schema::read(&[directory.join(name)], &more)
    };
    let schema = read("a.thrift", &["below"]).unwrap();
    let names: Vec<_> = schema.items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, ["E", "N", "C", "A"]);
    assert!(read("a.thrift", &[]).is_err());
    write("x.thrift", "include \"y.thrift\"");
    write("y.thrift", "\n include \"x.thrift\"");
    let error = read("x.thrift", &[]).map(|_| ()).unwrap_err().to_string();
    assert!(
        error.ends_with("y.thrift:2:10: \"x.thrift\" includes this file again, directly or through others"),
        "{error}"
    );
    for at in 0..80 {
        write(&format!("deep{at}.thrift"), &format!("include \"deep{}.thrift\"", at + 1));
    }
    write("deep80.thrift", "");
    let error = read("deep0.thrift", &[]).map(|_| ()).unwrap_err().to_string();
    assert!(error.ends_with("files include each other more than 64 deep"), "{error}");
    write("w.thrift", "include \"b.c.thrift\"\nstruct A { 1: C c }");
    let error = read("w.thrift", &["below"]).map(|_| ()).unwrap_err().to_string();
    assert!(
        error.ends_with("2:15: the type `C` is not declared: write `b.c.C` for that of the included file"),
        "{error}"
    );
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn what_is_nested_is_bounded() {
    for (open, close) in [("list<", ">"), ("map<i8,", ">"), ("set<", ">")] {
        let source = |depth: usize| format!("typedef {}i32{} A", open.repeat(depth), close.repeat(depth));
        assert!(Schema::parse("a.thrift", &source(64)).is_ok());
        assert!(wrong(&source(65)).ends_with("types are nested more than 64 deep"));
        assert!(wrong(&source(100_000)).ends_with("types are nested more than 64 deep"));
    }
    for (open, close) in [("[", "]"), ("{1:", "}")] {
        let source = format!("const i32 A = {}1{}", open.repeat(100_000), close.repeat(100_000));
        assert!(wrong(&source).ends_with("values are nested more than 64 deep"));
    }
    let chain = |of: &str, length: usize| -> String {
        (0..length)
            .map(|at| format!("typedef {of} A{at}\n", of = of.replace('#', &format!("A{}", at + 1))))
            .collect()
    };
    assert!(
        wrong(&(chain("list<#>", 1000) + "typedef i32 A1000"))
            .ends_with("types are nested more than 64 deep")
    );
    assert!(
        wrong(&(chain("#", 100_000) + "typedef i32 A100000")).ends_with("types are nested more than 64 deep")
    );
    let constants: String = (0..1000).map(|at| format!("const i32 A{at} = A{}\n", at + 1)).collect();
    assert!(wrong(&(constants + "const i32 A1000 = 1")).ends_with("values are nested more than 64 deep"));
}

#[test]
fn constants_that_repeat_others_are_bounded() {
    let mut source = "const i32 A0 = 1\n".to_owned();
    let mut kind = "i32".to_owned();
    for at in 1..40 {
        kind = format!("list<{kind}>");
        let before = at - 1;
        source += &format!("const {kind} A{at} = [A{before}, A{before}, A{before}, A{before}]\n");
    }
    assert!(wrong(&source).ends_with("all constants together have more than 1000000 values"));
}

#[test]
fn every_part_and_every_alteration_of_a_file_is_read_or_refused() {
    let source = include_str!("../../build/tests/thrift/shared.thrift");
    assert!(Schema::parse("a.thrift", source).is_ok());
    for end in (0..source.len()).filter(|end| source.is_char_boundary(*end)) {
        let _ = Schema::parse("a.thrift", &source[..end]);
        for other in ["", "{", "}", "(", "\"", "/*", "0", "-", ".", "é", "list<"] {
            let mut altered = source.to_owned();
            altered.replace_range(end..=end, other);
            let _ = Schema::parse("a.thrift", &altered);
        }
    }
}

#[test]
fn fields_without_numbers_count_down_from_minus_one() {
    let schema = Schema::parse("a.thrift", "struct A { i32 a, 5: i32 b, i32 c, -3: i32 d, i32 e }").unwrap();
    let Kind::Struct(of) = &schema.items[0].what else { panic!("a struct") };
    assert_eq!(of.fields.iter().map(|field| field.id).collect::<Vec<_>>(), [-1, 5, -2, -3, -4]);
}

#[test]
fn annotations_and_words_for_other_languages_have_no_effect() {
    let source = "
        namespace py.twisted x (a = 'b')
        cpp_include 'x'
        /** Of A. */
        struct A xsd_all {
            1: list cpp_type 'x' <i32 (c)> & a (d = 'e', f) xsd_optional;
        } (python.immutable = '')
        # A comment.
        struct B { 1: required set<A> (x = 'y') struct xsd_nillable xsd_attrs { 1: i32 x = 1, string y } (g) }
        service C { async void a(1: optional i32 optional) (h), }";
    // `xsd_optional` stands before annotations.
    assert!(wrong(source).starts_with("6:"), "{}", wrong(source));
    let source = source.replace("a (d = 'e', f) xsd_optional", "a xsd_optional (d = 'e', f)");
    let schema = Schema::parse("a.thrift", &source).unwrap();
    assert_eq!(schema.items[0].comment, "Of A.");
    assert_eq!(schema.items.iter().map(|item| item.name.as_str()).collect::<Vec<_>>(), ["A", "B", "C"]);
}
