//! Tests of the rewriting of an edition's text.

use super::{Edit, applied, edition, proto2};
use protox::prost_reflect::prost_types::FileDescriptorProto;

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
fn features_that_follow_each_other_are_left_out() {
    becomes(
        "message M { repeated int32 a = 1 [deprecated = true, features.x = Y, features.z = W];
         int32 b = 2 [features.x = Y, features.z = W, deprecated = true, features.v = U, features = { t: S, r: Q }, json_name = \"b\"];
         int32 c = 3 [features.x = Y,\n features.z = W]; oneof o { string d = 4 [lazy = false, features.x = Y // , ]\n, features.z = W]; } }",
        "message M { repeated int32 a = 1 [deprecated = true ]; optional int32 b = 2 [ deprecated = true , json_name = \"b\"]; \
         optional int32 c = 3 ; oneof o { string d = 4 [lazy = false // , ] ]; } }",
    );
}

#[test]
fn features_are_left_out_of_ranges_and_of_values_named_by_keywords() {
    becomes(
        "message M { extensions 4 to 9 [features.x = Y, verification = UNVERIFIED]; extensions 10 [features.x = Y]; package a = 1; }
         enum E { package = 0 [features.x = Y]; extensions = 1 [features.x = Y]; rpc = 2 [features.x = Y]; }",
        "message M { extensions 4 to 9 [ verification = UNVERIFIED]; extensions 10 ; optional package a = 1; } \
         enum E { package = 0 ; extensions = 1 ; rpc = 2 ; }",
    );
}

/// A file with a list of options wherever one is allowed.
fn with_options(start: &str, label: &str, list: &str) -> String {
    format!(
        "{start}
         message M {{
           {label}string a = 1{list};
           repeated .M b = 2{list};
           map<int32, M> c = 3{list};
           oneof o {{ string d = 4{list}; }}
           extensions 300, 100 to 199{list};
         }}
         enum E {{ Z = 0{list}; rpc = 1{list}; package = 2{list}; extensions = 3{list}; }}
         extend M {{ {label}string e = 100{list}; }}"
    )
}

/// The file without source positions.
fn parsed(source: &str) -> FileDescriptorProto {
    let parsed = protox_parse::parse("a.proto", source);
    let mut file = parsed.unwrap_or_else(|error| panic!("{error}:\n{source}"));
    file.source_code_info = None;
    file
}

/// Calls `check` with each choice of up to `left` more items, in each order.
fn each_order<'i>(
    items: &[&'i str],
    left: usize,
    chosen: &mut Vec<&'i str>,
    check: &mut impl FnMut(&[&'i str]),
) {
    if !chosen.is_empty() {
        check(chosen);
    }
    if left == 0 {
        return;
    }
    for item in items {
        if !chosen.contains(item) {
            chosen.push(item);
            each_order(items, left - 1, chosen, check);
            chosen.pop();
        }
    }
}

#[test]
fn features_are_left_out_of_every_order_of_options() {
    let options = [
        "features.field_presence = EXPLICIT",
        "features.(pb.cpp).string_type = VIEW",
        "features = { json_format: ALLOW, [pb.cpp] { string_type: VIEW } }",
        "deprecated = true",
        "(text) = \"a, ] } features.x = Y [ {\" ', \"'",
        "(message).part = { a: [1, 2], b { c: '],' }, d < e: 1 > }",
    ];
    let separators = [", ", " /* ], */ , // [ \" {\n"];
    let mut checked = 0;
    each_order(&options, 4, &mut Vec::new(), &mut |chosen| {
        let kept: Vec<&str> =
            chosen.iter().copied().filter(|option| !option.starts_with("features")).collect();
        let without = if kept.is_empty() { String::new() } else { format!(" [{}]", kept.join(", ")) };
        let expected = parsed(&with_options("syntax = \"proto2\";", "optional ", &without));
        for separator in separators {
            let source = with_options("edition = \"2023\";", "", &format!(" [{}]", chosen.join(separator)));
            let rewritten = proto2(&source).unwrap();
            assert_eq!(parsed(&rewritten.without_features), expected, "{chosen:?}");
            assert_eq!(rewritten.without_features.lines().count(), source.lines().count());
            let all = with_options("syntax = \"proto2\";", "optional ", &format!(" [{}]", chosen.join(", ")));
            assert_eq!(parsed(&rewritten.with_features), parsed(&all), "{chosen:?}");
        }
        checked += 1;
    });
    assert_eq!(checked, 6 + 6 * 5 + 6 * 5 * 4 + 6 * 5 * 4 * 3);
}

#[test]
fn edits_that_overlap_are_applied_once() {
    let blank = |range| Edit { range, with: None };
    let edits = vec![blank(2..6), blank(0..4), blank(1..3), Edit { range: 5..7, with: Some("+".to_owned()) }];
    assert_eq!(applied("abc\nefghi", edits), "   \n  +hi");
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

/// Texts that protox refuses afterwards must not cause a panic here.
#[test]
fn any_list_of_options_is_survived() {
    let words = ["features.x", "a", " = 1", ",", "[", "]", "{", "}", ";"];
    for mut number in 0..words.len().pow(5) {
        let mut text = "message M { int32 a = 1 [b, features.x".to_owned();
        for _ in 0..5 {
            text.push_str(words[number % words.len()]);
            number /= words.len();
        }
        let _ = proto2(&text);
    }
}

/// Texts that protox refuses afterwards must not cause a panic here.
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
