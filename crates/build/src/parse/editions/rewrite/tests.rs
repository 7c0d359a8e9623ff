//! What becomes of an edition's text.

use super::{edition, proto2};

#[track_caller]
fn becomes(edition: &str, expected: &str) {
    let rewritten = proto2(edition).unwrap().without_features;
    let tidy = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(tidy(&rewritten), expected);
    assert_eq!(rewritten.lines().count(), edition.lines().count(), "lines stay where they are");
}

#[test]
fn an_edition_is_the_first_statement() {
    assert_eq!(edition("edition = \"2023\";"), Some((1, "edition = \"2023\";", "2023")));
    assert_eq!(edition("\u{feff}// a\n/* b\n*/ edition='2024' ; x"), Some((3, "edition='2024' ;", "2024")));
    assert_eq!(edition("syntax = \"proto3\"; // edition = 1;"), None);
    assert_eq!(edition("message edition {}"), None);
    assert_eq!(edition(""), None);
}

#[test]
fn fields_get_a_label_where_proto2_wants_one() {
    becomes(
        "edition = \"2023\"; message M { string a = 1; repeated .x.Y b = 2; map<int32, M> c = 3;
         oneof o { string d = 4; } message N { M optional = 1; } extend M { bool e = 100; } }
         enum E { Z = 0; } service S { rpc R(M) returns (stream M) { option deprecated = true; } rpc T(M) returns (M); }",
        "syntax = \"proto2\"; message M { optional string a = 1; repeated .x.Y b = 2; map<int32, M> c = 3; \
         oneof o { string d = 4; } message N { optional M optional = 1; } extend M { optional bool e = 100; } } \
         enum E { Z = 0; } service S { rpc R(M) returns (stream M) { option deprecated = true; } rpc T(M) returns (M); }",
    );
}

#[test]
fn features_are_left_out() {
    becomes(
        "option features.enum_type = CLOSED; option features = { field_presence: IMPLICIT };\noption x = { a: [1] };
         message M { int32 a = 1 [features.field_presence = IMPLICIT];
         int32 b = 2 [default = 1, features.x = Y]; int32 c = 3 [features.(pb.cpp).y = Z, default = 2, features.x = Y]; }",
        "option x = { a: [1] }; message M { optional int32 a = 1 ; optional int32 b = 2 [default = 1 ]; \
         optional int32 c = 3 [ default = 2 ]; }",
    );
}

#[test]
fn words_of_editions_are_those_of_proto2() {
    becomes(
        "import option \"o.proto\"; import \"google/protobuf/cpp_features.proto\"; import public \"p.proto\";
         export message M { reserved a, b; reserved 1 to max; local enum E { reserved c; } } // \"not\" this: int32 x = 1;",
        "import \"o.proto\"; import public \"p.proto\"; message M { reserved \"a\", \"b\"; reserved 1 to max; \
         enum E { reserved \"c\"; } } // \"not\" this: int32 x = 1;",
    );
}

#[test]
fn labels_of_older_syntax_are_mistakes_with_their_place() {
    let wrong = proto2("edition = \"2023\";\nmessage M {\n  required int32 a = 1;\n}").err().unwrap();
    assert!(wrong.starts_with("3:3: `required` does not stand in a file of an edition"), "{wrong}");
}

/// What protox then refuses must not stop us before.
#[test]
fn any_text_is_survived() {
    for text in [
        "message",
        "message M {",
        "}}}",
        "\"",
        "option features.",
        "a [",
        "a [features",
        "rpc",
        "reserved",
        "é",
    ] {
        let _ = proto2(text);
    }
}
