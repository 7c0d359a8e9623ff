use super::*;
use crate::{
    json::{self, Json, Style},
    schema::{MessageSchema, Pool},
    testdata::pool,
};
use polywire_wire::Content;
use std::sync::LazyLock;

static POOL: LazyLock<Pool> = LazyLock::new(|| {
    pool(
        r#"
syntax = "proto3";
package t;
import "google/protobuf/timestamp.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/wrappers.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/any.proto";
enum Colour { NONE = 0; RED = 1; BLUE = -3; }
message Inner {
  string name = 1;
  int32 count = 2;
  Inner inner = 3;
  repeated string tags = 4;
}
message All {
  string f_string = 1;
  int32 f_int32 = 2;
  int64 f_int64 = 3;
  uint32 f_uint32 = 4;
  uint64 f_uint64 = 5;
  sint32 f_sint32 = 6;
  sint64 f_sint64 = 7;
  fixed32 f_fixed32 = 8;
  fixed64 f_fixed64 = 9;
  sfixed32 f_sfixed32 = 10;
  sfixed64 f_sfixed64 = 11;
  bool f_bool = 12;
  float f_float = 13;
  double f_double = 14;
  bytes f_bytes = 15;
  Colour f_enum = 16;
  google.protobuf.Timestamp f_time = 17;
  google.protobuf.Duration f_duration = 18;
  google.protobuf.FieldMask f_mask = 19;
  google.protobuf.Int64Value f_wide = 20;
  google.protobuf.StringValue f_text = 21;
  google.protobuf.Struct f_struct = 22;
  google.protobuf.Any f_any = 23;
  Inner inner = 24;
  repeated int32 numbers = 25;
  repeated string words = 26;
  repeated Colour colours = 27;
  repeated Inner inners = 28;
  map<string, int32> counts = 29;
  map<string, Inner> named = 30;
  optional int32 maybe = 31;
  oneof choice { string left = 32; int32 right = 33; Inner both = 34; }
  repeated google.protobuf.Duration pauses = 35;
  map<int32, string> texts = 36;
}
"#,
    )
});

fn all() -> MessageSchema<'static> {
    POOL.message("t.All").unwrap()
}

fn rule(rule: HttpRule) -> Rule<'static> {
    Rule::new(&rule, all(), all()).unwrap_or_else(|why| panic!("{rule:?}: {why}"))
}

fn request<'a>(target: &'a str, body: &'a str) -> Request<'a> {
    Request {
        verb: "GET",
        target,
        body: body.as_bytes(),
        content_type: "",
        content: Content::JSON,
        json: Json::CANONICAL,
    }
}

/// The message that a request is read into, in protobuf's JSON.
fn read(rule: &Rule<'_>, target: &str, body: &str) -> Result<String, String> {
    let wire = rule.read(&request(target, body)).map_err(|status| status.message().to_owned())?;
    let text = json::from_wire(all(), &wire, Style::Canonical).map_err(|error| error.to_string())?;
    Ok(String::from_utf8(text).unwrap())
}

#[test]
fn every_kind_of_field_is_read_from_a_query_and_written_into_one() {
    let rule = rule(HttpRule::get("/v1"));
    for (query, json) in [
        ("f_string=a%20b", r#"{"fString":"a b"}"#),
        ("f_int32=-5", r#"{"fInt32":-5}"#),
        ("f_int64=-9223372036854775808", r#"{"fInt64":"-9223372036854775808"}"#),
        ("f_uint32=4294967295", r#"{"fUint32":4294967295}"#),
        ("f_uint64=18446744073709551615", r#"{"fUint64":"18446744073709551615"}"#),
        ("f_sint32=-2", r#"{"fSint32":-2}"#),
        ("f_sint64=-2", r#"{"fSint64":"-2"}"#),
        ("f_fixed32=7", r#"{"fFixed32":7}"#),
        ("f_fixed64=7", r#"{"fFixed64":"7"}"#),
        ("f_sfixed32=-7", r#"{"fSfixed32":-7}"#),
        ("f_sfixed64=-7", r#"{"fSfixed64":"-7"}"#),
        ("f_bool=true", r#"{"fBool":true}"#),
        ("f_float=1.5", r#"{"fFloat":1.5}"#),
        ("f_float=-Infinity", r#"{"fFloat":"-Infinity"}"#),
        ("f_double=0.1", r#"{"fDouble":0.1}"#),
        ("f_double=NaN", r#"{"fDouble":"NaN"}"#),
        ("f_bytes=_-8%3D", r#"{"fBytes":"/+8="}"#),
        ("f_enum=RED", r#"{"fEnum":"RED"}"#),
        ("f_enum=7", r#"{"fEnum":7}"#),
        ("f_time=2020-01-02T03%3A04%3A05Z", r#"{"fTime":"2020-01-02T03:04:05Z"}"#),
        ("f_duration=1.500s", r#"{"fDuration":"1.500s"}"#),
        ("f_mask=aB%2Cc.d", r#"{"fMask":"aB,c.d"}"#),
        ("f_wide=-3", r#"{"fWide":"-3"}"#),
        ("f_text=", r#"{"fText":""}"#),
        ("f_struct=%7B%22a%22%3A%5B%22x%22%5D%7D", r#"{"fStruct":{"a":["x"]}}"#),
        ("inner.name=x&inner.inner.count=3", r#"{"inner":{"name":"x","inner":{"count":3}}}"#),
        ("inner.tags=x&inner.tags=y", r#"{"inner":{"tags":["x","y"]}}"#),
        ("numbers=1&numbers=-2", r#"{"numbers":[1,-2]}"#),
        ("words=a&words=", r#"{"words":["a",""]}"#),
        ("colours=RED&colours=BLUE", r#"{"colours":["RED","BLUE"]}"#),
        ("counts[a%20b]=1", r#"{"counts":{"a b":1}}"#),
        ("texts[-4]=x", r#"{"texts":{"-4":"x"}}"#),
        ("maybe=0", r#"{"maybe":0}"#),
        ("right=0", r#"{"right":0}"#),
        ("both.name=x", r#"{"both":{"name":"x"}}"#),
        ("pauses=1s&pauses=2s", r#"{"pauses":["1s","2s"]}"#),
    ] {
        let target = format!("/v1?{query}");
        assert_eq!(read(&rule, &target, "").as_deref(), Ok(json), "{query}");
        let wire = json::to_wire(all(), json.as_bytes(), Style::Canonical).unwrap().wire;
        assert_eq!(rule.write(&wire).unwrap(), Filled { target, body: None, content_type: None }, "{json}");
    }
}

#[test]
fn other_spellings_of_values_are_read() {
    let rule = rule(HttpRule::get("/v1"));
    for (query, json) in [
        ("fString=a+b&", r#"{"fString":"a b"}"#),
        ("&&inner.name=x", r#"{"inner":{"name":"x"}}"#),
        ("f_bytes=/%2B8", r#"{"fBytes":"/+8="}"#),
        ("f_bytes=_-8", r#"{"fBytes":"/+8="}"#),
        ("f_enum=-3", r#"{"fEnum":"BLUE"}"#),
        ("f_bool=1", r#"{"fBool":true}"#),
        ("f_bool=F", "{}"),
        ("f_double=inFinity", r#"{"fDouble":"Infinity"}"#),
        ("f_mask=a_b,c", r#"{"fMask":"aB,c"}"#),
        ("f_time=2020-01-02T03:04:05%2B01:00", r#"{"fTime":"2020-01-02T02:04:05Z"}"#),
        ("f_string=%F0%9F%8D%B5", r#"{"fString":"🍵"}"#),
        ("unknown=1&inner.unknown=2&f_string.x=4&x[a]=3&words[=1", "{}"),
        ("f_string=a#f_int32=1", r#"{"fString":"a"}"#),
        ("", "{}"),
    ] {
        assert_eq!(read(&rule, &format!("/v1?{query}"), "").as_deref(), Ok(json), "{query}");
    }
}

#[test]
fn wrong_parameters_are_refused_by_name() {
    let rule = rule(HttpRule::get("/v1"));
    for (query, error) in [
        ("f_int32=2147483648", "f_int32: not an integer of its range"),
        ("f_int32=", "f_int32: not an integer of its range"),
        ("f_int32", "f_int32: not an integer of its range"),
        ("f_int32=1.5", "f_int32: not an integer of its range"),
        ("f_uint64=-1", "f_uint64: not an integer of its range"),
        ("f_bool=yes", "f_bool: not true or false"),
        ("f_float=1e39", "f_float: beyond the range of a float"),
        ("f_double=1e999", "f_double: not a number"),
        ("f_double=x", "f_double: not a number"),
        ("f_bytes=*", "f_bytes: not base64"),
        ("f_enum=red", "f_enum: not a value of its enum"),
        ("f_enum=2147483648", "f_enum: not a value of its enum"),
        ("f_string=%ff", "f_string: not UTF-8"),
        ("f_time=now", "f_time: not a time, as 2006-01-02T15:04:05Z"),
        ("f_duration=1", "f_duration: not a duration, as 1.5s"),
        ("f_wide=x", "f_wide: not an integer of its range"),
        ("f_struct=[]", "f_struct: not JSON that fits"),
        ("f_any=x", "f_any: a message, which cannot be one query parameter"),
        ("inner=x", "inner: a message, which cannot be one query parameter"),
        ("inners=x", "inners: a message, which cannot be one query parameter"),
        ("named[a]=x", "named[a]: a message, which cannot be one query parameter"),
        ("counts=1", "counts: a map: its entries are written name[key]=value"),
        ("counts[a]=x", "counts[a]: not an integer of its range"),
        ("texts[x]=x", "texts[x]: not an integer of its range"),
        ("words[0]=x", "words[0]: not a map, so [key] cannot follow it"),
        ("f_int32=1&f_int32=1", "f_int32: more than one value"),
        ("f_int32=1&fInt32=1", "fInt32: more than one value"),
        ("inner.count=1&inner.count=2", "inner.count: more than one value"),
        ("left=a&right=1", "right: second member of a oneof"),
        ("left=a&both.name=b", "both.name: second member of a oneof"),
        ("f_string=%4", "the query's \"f_string=%4\" is not percent-encoded"),
        ("%ff=1", "the query's \"%ff=1\" is not percent-encoded"),
    ] {
        assert_eq!(read(&rule, &format!("/v1?{query}"), "").unwrap_err(), error, "{query}");
    }
}

#[test]
fn a_strict_server_refuses_parameters_that_are_no_fields() {
    let get = rule(HttpRule::get("/v1/{f_string}"));
    let put = rule(HttpRule::put("/v1").body("*"));
    for (rule, target, error) in [
        (&get, "/v1/a?unknown=1", "unknown: no field of that name"),
        (&get, "/v1/a?inner.unknown=1", "inner.unknown: no field of that name"),
        (&get, "/v1/a?f_string=b", "f_string: the path or the body has this field"),
        (&put, "/v1?f_int32=1", "the body has all fields, and the query none"),
    ] {
        let lenient = request(target, "");
        assert!(rule.read(&lenient).is_ok(), "{target}");
        let status = rule.read(&Request { json: Json::STRICT, ..lenient }).unwrap_err();
        assert_eq!(status.message(), error, "{target}");
    }
}

#[test]
fn hostile_queries_end_at_the_limits() {
    let rule = rule(HttpRule::get("/v1"));
    let query = |parameter: &str, times: usize| format!("/v1?{}", [parameter].repeat(times).join("&"));
    assert!(rule.read(&request(&query("numbers=1", MAX_PARAMETERS), "")).is_ok());
    let error = read(&rule, &query("numbers=1", MAX_PARAMETERS + 1), "").unwrap_err();
    assert_eq!(error, "the query has more than 1000 parameters");
    let nested = |depth: usize| format!("/v1?{}count=1", "inner.".repeat(depth));
    assert!(rule.read(&request(&nested(MAX_NAMES - 1), "")).is_ok());
    assert!(read(&rule, &nested(MAX_NAMES), "").unwrap_err().ends_with(": nested too deep"));
    let deep = read(&rule, &nested(10_000), "").unwrap_err();
    assert!(deep.len() < 200, "{deep}");
    let object = format!("/v1?f_struct={}", r#"{"a":"#.repeat(10_000));
    assert_eq!(read(&rule, &object, "").unwrap_err(), "f_struct: not JSON that fits");
}

#[test]
fn path_body_and_query_fill_different_fields() {
    let field = rule(HttpRule::patch("/v1/{inner.name}").body("inner"));
    let whole = rule(HttpRule::patch("/v1/{inner.name}/{f_int32}").body("*"));
    let repeated = rule(HttpRule::post("/v1").body("words"));
    let map = rule(HttpRule::post("/v1").body("counts"));
    let wide = rule(HttpRule::post("/v1").body("f_int64"));
    for (rule, target, body, json) in [
        (&field, "/v1/a?f_int32=1", r#"{"count":2}"#, r#"{"fInt32":1,"inner":{"name":"a","count":2}}"#),
        (&field, "/v1/a", r#"{"name":"other"}"#, r#"{"inner":{"name":"a"}}"#),
        (&field, "/v1/a?inner.count=3&inner.name=b", "", r#"{"inner":{"name":"a"}}"#),
        (&field, "/v1/a", "null", r#"{"inner":{"name":"a"}}"#),
        (
            &whole,
            "/v1/a/7?f_string=x",
            r#"{"fBool":true}"#,
            r#"{"fInt32":7,"fBool":true,"inner":{"name":"a"}}"#,
        ),
        (&whole, "/v1/a/7", "", r#"{"fInt32":7,"inner":{"name":"a"}}"#),
        (&repeated, "/v1", r#"["a","b"]"#, r#"{"words":["a","b"]}"#),
        (&map, "/v1", r#"{"a":1}"#, r#"{"counts":{"a":1}}"#),
        (&wide, "/v1", r#""12""#, r#"{"fInt64":"12"}"#),
    ] {
        assert_eq!(read(rule, target, body).as_deref(), Ok(json), "{target} {body}");
    }
    for (rule, body) in [
        (&field, r#"{"count":2},"fInt32":3"#),
        (&field, r#"{"count":"x"}"#),
        (&field, "[]"),
        (&wide, "1 2"),
        (&wide, "x"),
    ] {
        assert!(read(rule, "/v1/a", body).is_err() || read(rule, "/v1", body).is_err(), "{body}");
    }
}

#[test]
fn bodies_of_protobuf_are_read_where_they_are_messages() {
    let proto = |rule: &Rule<'_>, body: &'static [u8]| {
        let request = Request { body, content: Content::PROTOBUF, ..request("/v1/a", "") };
        rule.read(&request).map_err(|status| status.native())
    };
    let inner = rule(HttpRule::put("/v1/{f_string}").body("inner"));
    assert_eq!(proto(&inner, &[16, 5]), Ok(vec![0xc2, 1, 2, 16, 5, 10, 1, b'a']));
    let whole = rule(HttpRule::put("/v1/{f_string}").body("*"));
    assert_eq!(proto(&whole, &[16, 5]), Ok(vec![16, 5, 10, 1, b'a']));
    let number = rule(HttpRule::put("/v1/{f_string}").body("f_int32"));
    assert_eq!(proto(&number, &[16, 5]), Err(polywire_call::Native::Http(415)));
}

#[test]
fn values_of_paths_are_decoded_as_the_specification_says() {
    let one = rule(HttpRule::get("/v1/{f_string}"));
    let many = rule(HttpRule::get("/v1/{f_string=a/**}"));
    let number = rule(HttpRule::get("/v1/{f_int32}"));
    for (rule, target, result) in [
        (&one, "/v1/a%2Fb%20c+d", Ok(r#"{"fString":"a/b c+d"}"#)),
        (&many, "/v1/a/b%2Fc/d%20e", Ok(r#"{"fString":"a/b%2Fc/d e"}"#)),
        (&number, "/v1/-12", Ok(r#"{"fInt32":-12}"#)),
        (&number, "/v1/x", Err("f_int32: not an integer of its range")),
        (&one, "/v1/%ff", Err("f_string: not UTF-8")),
        (&one, "/v1/%f", Err("f_string: a percent sign without two hexadecimal digits")),
    ] {
        assert_eq!(read(rule, target, ""), result.map(str::to_owned).map_err(str::to_owned), "{target}");
    }
}

#[test]
fn wrong_rules_are_refused_with_the_reason() {
    for (wrong, reason) in [
        (HttpRule::get("v1"), "begins with a slash"),
        (HttpRule::get("/v1/{nothing}"), "t.All has no field nothing"),
        (HttpRule::get("/v1/{inner.nothing}"), "t.Inner has no field nothing"),
        (HttpRule::get("/v1/{f_string.x}"), "f_string is not a message"),
        (HttpRule::get("/v1/{inners.name}"), "inners is not a message field that occurs once"),
        (HttpRule::get("/v1/{named.name}"), "named is not a message field that occurs once"),
        (HttpRule::get("/v1/{numbers}"), "numbers is repeated"),
        (HttpRule::get("/v1/{inners}"), "inners is repeated"),
        (HttpRule::get("/v1/{counts}"), "counts is repeated"),
        (HttpRule::get("/v1/{inner}"), "inner is a message"),
        (HttpRule::get("/v1/{f_any}"), "f_any is a message"),
        (HttpRule::get("/v1/{f_struct}"), "f_struct is a message"),
        (HttpRule::post("/v1").body("nothing"), "body: t.All has no field nothing"),
        (HttpRule::post("/v1").body("inner.name"), "body: t.All has no field inner.name"),
        (HttpRule::post("/v1/{inner.name}").response_body("x"), "response_body: t.All has no field x"),
        (HttpRule::get("/v1").body("*"), "GET has no body"),
        (HttpRule::new("HEAD", "/v1").body("inner"), "HEAD has no body"),
        (
            HttpRule::put("/v1/{f_string}").body("f_string"),
            "f_string is the body, and is in the path as well",
        ),
    ] {
        let error = Rule::new(&wrong, all(), all()).expect_err("a wrong rule");
        assert!(error.contains(reason), "{wrong:?}: {error}");
    }
    for usable in
        ["{f_time}", "{f_duration}", "{f_mask}", "{f_wide}", "{f_enum}", "{f_bytes}", "{inner.inner.count}"]
    {
        let path: &'static str = Box::leak(format!("/v1/{usable}").into_boxed_str());
        rule(HttpRule::get(path));
    }
}

#[test]
fn what_a_client_sends_a_server_reads() {
    let json = r#"{"fString":"a/b","fInt32":7,"fBytes":"/+8=","fEnum":"RED","inner":{"name":"x y","inner":{"count":3}},"numbers":[1,2],"counts":{"k":1}}"#;
    let wire = json::to_wire(all(), json.as_bytes(), Style::Canonical).unwrap().wire;
    for (one, target, has_body) in [
        (HttpRule::get("/v1/{f_string}/{inner.name}:go"), "/v1/a%2Fb/x%20y:go?", false),
        (HttpRule::put("/v1/{f_string=a/*}").body("inner"), "/v1/a/b?", true),
        (HttpRule::put("/v1/{f_string=**}/{f_enum}"), "", false),
        (HttpRule::put("/v1/{f_bytes}").body("*"), "/v1/_-8%3D", true),
        (HttpRule::put("/v1/{inner.name}").body("*"), "/v1/x%20y", true),
        (HttpRule::post("/v1").body("numbers"), "/v1?", true),
        (HttpRule::post("/v1").body("words"), "/v1?", true),
    ] {
        if one.path.contains("**}/") {
            assert!(Rule::new(&one, all(), all()).is_err());
            continue;
        }
        let rule = rule(one);
        let filled = rule.write(&wire).unwrap();
        assert!(filled.target.starts_with(target), "{filled:?}");
        assert_eq!(filled.body.is_some(), has_body, "{filled:?}");
        let body = filled.body.unwrap_or_default();
        assert_eq!(
            read(&rule, &filled.target, std::str::from_utf8(&body).unwrap()).as_deref(),
            Ok(json),
            "{one:?}"
        );
    }
}

#[test]
fn what_a_request_cannot_say_is_not_sent() {
    for (rule, json, reason) in [
        (rule(HttpRule::get("/v1/{f_string}")), "{}", "field f_string is empty"),
        (rule(HttpRule::get("/v1/{f_time}")), "{}", "field f_time is not set"),
        (rule(HttpRule::get("/v1")), r#"{"inners":[{}]}"#, "field inners cannot stand in a query"),
        (rule(HttpRule::get("/v1")), r#"{"named":{"a":{}}}"#, "field named cannot stand in a query"),
        (rule(HttpRule::get("/v1")), r#"{"inner":{}}"#, "field inner is a message without fields"),
        (
            rule(HttpRule::get("/v1")),
            r#"{"inner":{"inner":{}}}"#,
            "field inner.inner is a message without fields",
        ),
    ] {
        let wire = json::to_wire(all(), json.as_bytes(), Style::Canonical).unwrap().wire;
        let error = rule.write(&wire).unwrap_err();
        assert!(error.contains(reason), "{json}: {error}");
    }
    let zero = rule(HttpRule::get("/v1/{f_int32}")).write(&[]).unwrap();
    assert_eq!(zero.target, "/v1/0", "a number is never missing");
}

#[test]
fn a_field_of_a_reply_is_the_body() {
    for (field, json, body) in [
        ("inner", r#"{"fInt32":1,"inner":{"count":2}}"#, r#"{"count":2}"#),
        ("words", r#"{"words":["a"]}"#, r#"["a"]"#),
        ("words", "{}", "[]"),
        ("counts", r#"{"counts":{"a":1}}"#, r#"{"a":1}"#),
        ("f_int64", r#"{"fInt64":"5"}"#, r#""5""#),
        ("f_int64", "{}", r#""0""#),
        ("f_string", "{}", r#""""#),
        ("inner", "{}", "null"),
    ] {
        let rule = rule(HttpRule::get("/v1").response_body(field));
        let wire = json::to_wire(all(), json.as_bytes(), Style::Canonical).unwrap().wire;
        let written = rule.reply_field(&wire, Json::CANONICAL, usize::MAX).unwrap().unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), body, "{field}");
        let back = rule.read_reply(body.as_bytes()).unwrap();
        let expected = rule.reply_field(&back, Json::CANONICAL, usize::MAX).unwrap().unwrap();
        assert_eq!(String::from_utf8(expected).unwrap(), body, "{field}");
    }
}

#[test]
fn required_fields_may_be_in_any_part_of_a_request() {
    let pool = pool(
        r#"
syntax = "proto2";
package t;
message Inner { required string name = 1; required int32 count = 2; }
message Asked { required string id = 1; required Inner inner = 2; optional int32 page = 3; }
"#,
    );
    let asked = pool.message("t.Asked").unwrap();
    let rule = Rule::new(&HttpRule::put("/{id}/{inner.name}").body("inner"), asked, asked).unwrap();
    assert!(rule.read(&request("/a/b", r#"{"count":1}"#)).is_ok());
    let missing = rule.read(&request("/a/b", "{}")).unwrap_err();
    assert_eq!(missing.message(), "missing required field t.Inner.count");
}

proptest::proptest! {
    /// Every request is read without a panic; a request that was read is written as one that reads the same.
    #[test]
    fn what_is_read_is_written_and_read_as_the_same(
        pieces in proptest::collection::vec((0..9usize, 0..9usize), 0..6),
        noise in "[ -~]{0,12}",
        body in proptest::sample::select(vec!["", "{}", r#"{"count":1}"#, r#"["a"]"#, "null", "x"]),
    ) {
        const NAMES: [&str; 9] =
            ["f_string", "f_int64", "f_bytes", "f_mask", "words", "inner.inner.tags", "counts[k]", "f_struct", "left"];
        const VALUES: [&str; 9] = ["", "1", "-5", "a%20b", "_-8", "a_b,c", "%7B%22a%22%3A1%7D", "%ff", "%"];
        let mut query: Vec<String> =
            pieces.iter().map(|(name, value)| format!("{}={}", NAMES[*name], VALUES[*value])).collect();
        query.push(noise.clone());
        let query = query.join("&");
        let _ = Template::parse(&format!("/{noise}"));
        for (rule, path) in [
            (HttpRule::get("/v1"), "/v1".to_owned()),
            (HttpRule::get("/v1/{f_string=**}"), format!("/v1/{noise}")),
            (HttpRule::get("/v1/{inner.name}:go"), format!("/v1/{noise}:go")),
            (HttpRule::post("/v1").body("*"), "/v1".to_owned()),
            (HttpRule::post("/v1").body("inner"), "/v1".to_owned()),
            (HttpRule::post("/v1").body("words"), "/v1".to_owned()),
        ] {
            let rule = self::rule(rule);
            let Ok(wire) = rule.read(&request(&format!("{path}?{query}"), body)) else { continue };
            let Ok(filled) = rule.write(&wire) else { continue };
            let body = String::from_utf8(filled.body.clone().unwrap_or_default()).unwrap();
            let again = rule.read(&request(&filled.target, &body)).expect("our own request");
            proptest::prop_assert_eq!(rule.write(&again), Ok(filled));
        }
    }
}

/// What a description says is what a request may have: each parameter fits under its name.
#[test]
fn described_parameters_are_those_that_requests_may_have() {
    let names = |rule: &Rule<'static>, deepest, most| -> Vec<String> {
        let parameters = rule.query_parameters("GET", deepest, most);
        parameters.iter().map(|parameter| rule.parameter_name(parameter)).collect()
    };
    let get = rule(HttpRule::get("/v1/{f_string}/{inner.name}"));
    let described = names(&get, 4, 1000);
    assert_eq!(described.len(), 35, "{described:?}");
    assert!(
        ["fString", "inner.name", "fAny", "inners", "named"]
            .iter()
            .all(|name| !described.iter().any(|one| one == name))
    );
    let values = ["x", "1", "true", "1s", "2020-01-02T03:04:05Z", "{}"];
    for name in described {
        let key = if name == "counts" || name == "texts" { "[1]" } else { "" };
        let read = |value: &str| {
            let target = format!("/v1/a/b?{name}{key}={}", value.replace(':', "%3A"));
            let message = get.read(&Request { json: Json::STRICT, ..request(&target, "") });
            message.map_err(|status| status.message().to_owned())
        };
        let tried: Vec<_> = values.iter().map(|value| read(value)).collect();
        assert!(tried.iter().any(Result::is_ok), "{name}: {tried:?}");
    }
    let path: Vec<_> = get.path_parameters().iter().map(|one| get.parameter_name(one)).collect();
    assert_eq!(path, ["fString", "inner.name"]);
    assert!(matches!(get.carries("GET"), Carries::Nothing));
    assert_eq!(names(&get, 0, 3), ["fInt32", "fInt64", "fUint32"]);
    assert!(!names(&get, 0, 1000).iter().any(|name| name.contains('.')));

    let post = rule(HttpRule::post("/v1").body("inner").response_body("words"));
    assert!(matches!(post.carries("POST"), Carries::Field(field) if &*field.name == "inner"));
    assert!(!names(&post, 4, 1000).iter().any(|name| name.starts_with("inner.")), "the body has it");
    assert_eq!(post.response_field().map(|field| &*field.name), Some("words"));
    let whole = rule(HttpRule::post("/v1").body("*"));
    assert!(matches!(whole.carries("POST"), Carries::Message) && names(&whole, 4, 1000).is_empty());
}
