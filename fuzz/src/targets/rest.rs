//! Requests of HTTP bound by rules of `google.api.http`: a template of the input's own, then path, query and
//! body by a rule. What is read is written as a request, which must be read as the same.

use polywire_formats::{
    json::Json,
    rest::{HttpRule, Request, Rule, Template},
    schema::Pool,
};
use polywire_wire::Content;
use std::sync::LazyLock;

static POOL: LazyLock<Pool> = LazyLock::new(|| {
    let set = include_bytes!("../../../crates/codegen/build/tests/golden_rest/library.v1.binpb");
    Pool::from_descriptor_set(set).expect("valid")
});

static RULES: LazyLock<Vec<Rule<'static>>> = LazyLock::new(|| {
    let message = POOL.message("library.v1.Everything").expect("it is there");
    let rules = [
        HttpRule::get("/a"),
        HttpRule::get("/a/{f_int64}/{f_enum}/{f_time}:go"),
        HttpRule::get("/a/{inner.f_string}/{f_bytes}/{f_double}"),
        HttpRule::get("/f/{f_string=**}"),
        HttpRule::get("/s/{f_string=shelves/*/**}"),
        HttpRule::post("/a/{f_text}").body("*"),
        HttpRule::post("/b").body("words"),
        HttpRule::post("/b/{inner.f_string}").body("inner"),
        HttpRule::post("/b/c").body("counts"),
    ];
    rules.iter().map(|rule| Rule::new(rule, message, message).expect("a rule")).collect()
});

pub fn run(input: &[u8]) {
    let Ok(input) = std::str::from_utf8(input) else { return };
    let mut parts = input.splitn(3, '\n');
    let mut part = || parts.next().unwrap_or_default();
    let (template, target, body) = (part(), part(), part());
    let _ = Template::parse(template);
    for rule in RULES.iter() {
        for json in [Json::CANONICAL, Json::STRICT, Json::DEFAULT] {
            let (body, content, content_type) = (body.as_bytes(), Content::JSON, "application/json");
            let request = Request { verb: "GET", target, body, content, content_type, json };
            let Ok(wire) = rule.read(&request) else { continue };
            let Ok(filled) = rule.write(&wire) else { continue };
            let body = filled.body.clone().unwrap_or_default();
            let request = Request { target: &filled.target, body: &body, json: Json::CANONICAL, ..request };
            let again = rule.read(&request).unwrap_or_else(|status| panic!("{filled:?}: {status}"));
            assert_eq!(rule.write(&again), Ok(filled));
        }
    }
}
