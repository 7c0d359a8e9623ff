//! What callers try to get by a policy, and what a file can do to a server.

use super::*;

const SECRET: &str = r#""request": {"headers": [{"key": "X-Group", "values": ["guests", "*-guests"]}]}"#;

/// baidu_std and HTTP/1.1 bring names of fields in any case.
#[test]
fn the_case_of_a_fields_name_does_not_matter_and_that_of_its_value_does() {
    for name in ["x-group", "X-Group", "X-GROUP", "x-gROUP"] {
        assert!(!call("Get").field(name, "guests").is_allowed(&denying(SECRET)), "{name}");
    }
    for (name, value) in
        [("x-group", "Guests"), ("x_group", "guests"), ("x-group ", "guests"), ("", "guests")]
    {
        assert!(call("Get").field(name, value).is_allowed(&denying(SECRET)), "{name}");
    }
}

/// A rule that denies values one by one is passed by sending two; so is it in gRPC. One that allows is not.
#[test]
fn a_field_that_is_there_twice_has_one_value_with_a_comma() {
    let allow = allowing(r#""request": {"headers": [{"key": "x-group", "values": ["admins"]}]}"#);
    let both = allowing(r#""request": {"headers": [{"key": "x-group", "values": ["guests,admins"]}]}"#);
    for twice in [
        call("Get").field("x-group", "guests").field("X-Group", "admins"),
        call("Get").field("x-group", "guests").field("x-other", "1").field("x-group", "admins"),
        call("Get").field("x-group", "guests,admins"),
    ] {
        assert!(!twice.is_allowed(&allow));
        assert!(twice.is_allowed(&both));
    }
    let ends = allowing(r#""request": {"headers": [{"key": "x-group", "values": ["guests*", "*,admins"]}]}"#);
    assert!(call("Get").field("x-group", "x").field("x-group", "admins").is_allowed(&ends));
    let empty_twice = call("Get").field("x-group", "").field("x-group", "");
    let present = allowing(r#""request": {"headers": [{"key": "x-group", "values": ["*"]}]}"#);
    assert!(empty_twice.is_allowed(&present), "it is a comma");
}

#[test]
fn a_field_that_is_not_there_matches_nothing() {
    let any = r#""request": {"headers": [{"key": "x", "values": ["", "*"]}]}"#;
    assert!(!call("Get").is_allowed(&allowing(any)));
    assert!(call("Get").is_allowed(&denying(any)));
    assert!(call("Get").field("x", "").is_allowed(&allowing(any)));
}

#[test]
fn binary_fields_are_compared_in_base64_with_or_without_padding() {
    let policy = |value: &str| {
        allowing(&format!(r#""request": {{"headers": [{{"key": "Key-Bin", "values": ["{value}"]}}]}}"#))
    };
    let bytes = |call: Call| call.field("key-bin", [0xfb, 0xff]);
    for (value, allowed) in [
        ("+/8", true),
        ("+/8=", true),
        ("+/*", true),
        ("*/8=", true),
        ("*", true),
        ("-_8", false),
        ("+/8A", false),
    ] {
        assert_eq!(bytes(call("Get")).is_allowed(&policy(value)), allowed, "{value}");
    }
    // The text of the base64 as bytes is something else.
    assert!(!call("Get").field("key-bin", "+/8").is_allowed(&policy("+/8")));
    assert!(bytes(bytes(call("Get"))).is_allowed(&policy("+/8=,+/8=")));
    // Bytes cannot forge the comma between two values.
    assert!(!call("Get").field("key-bin", [0xfb, 0xff, b',']).is_allowed(&policy("+/8,")));
    let text = allowing(r#""request": {"headers": [{"key": "key-binary", "values": ["a=="]}]}"#);
    assert!(call("Get").field("key-binary", "a==").is_allowed(&text));
}

#[test]
fn paths_are_compared_as_they_are() {
    let named = |service: &'static str, method: &'static str| Call { service, method, ..call("") };
    let policy = allowing(r#""request": {"paths": ["/shop.Orders/Get", "/shop.Public/*"]}"#);
    for (service, method, allowed) in [
        ("shop.Orders", "Get", true),
        ("shop.Public", "", true),
        ("shop.Public", "a/../../shop.Orders/Drop", true), // a method of this name is one of this service
        ("shop.orders", "Get", false),
        ("shop.Orders", "get", false),
        ("/shop.Orders", "Get", false),
        ("shop.Orders", "/Get", false),
        ("shop.Orders/", "Get", false),
        ("shop.Orders", "Get/", false),
        ("", "shop.Orders/Get", false),
        ("", "", false),
        ("////", "////", false),
        ("Orders", "Get", false),
        ("shop.Orders ", "Get", false),
        ("shop%2eOrders", "Get", false),
    ] {
        assert_eq!(named(service, method).is_allowed(&policy), allowed, "{service} {method}");
    }
}

/// The server behind a relay may take a service by its short name.
#[test]
fn a_short_name_that_goes_on_does_not_pass_a_rule_for_the_full_one() {
    let deny = denying(r#""request": {"paths": ["/shop.v1.Orders/*"]}"#);
    let short = Call { service: "Orders", goes_on: true, ..call("Drop") };
    assert!(!short.is_allowed(&deny));
    assert!(!Call { service: "shop.v1.Orders", ..short.clone() }.is_allowed(&deny));
    // With a package it is another service, and a service of this server has its full name.
    assert!(Call { service: "other.Orders", ..short.clone() }.is_allowed(&deny));
    assert!(Call { goes_on: false, ..short.clone() }.is_allowed(&deny));
    // Nor does it get what the full name is allowed.
    assert!(!short.is_allowed(&allowing(r#""request": {"paths": ["/shop.v1.Orders/*"]}"#)));
}

/// Fails closed for rules that deny as well as for those that allow, and only where a rule asks.
#[test]
fn a_certificate_that_cannot_be_read_is_no_way_by() {
    let unreadable = Call { tls: Some(Err(Unreadable)), ..call("Get") };
    let asks = r#""source": {"principals": ["spiffe://evil"]}"#;
    for policy in [allowing(asks), denying(asks)] {
        assert_eq!(rules(&policy).decide(&unreadable), Err(Unreadable));
    }
    assert!(
        unreadable
            .is_allowed(&denying(r#""source": {"principals": ["x"]}, "request": {"paths": ["/other"]}"#))
    );
}

#[test]
fn a_policy_that_is_too_large_is_refused() {
    let with = |rules: &str| format!(r#"{{"name": "p", "allow_rules": [{rules}]}}"#);
    let many = |n: usize| (0..n).map(|k| format!(r#"{{"name": "r{k}"}}"#)).collect::<Vec<_>>().join(",");
    rules(&with(&many(1000)));
    assert_eq!(wrong(&with(&many(1001))), "more than 1000 rules");
    let paths = |n: usize| allowing(&format!(r#""request": {{"paths": [{}]}}"#, vec!["\"/a\""; n].join(",")));
    rules(&paths(10_000));
    assert!(wrong(&paths(10_001)).contains("more than 10000 texts"));
    let mut long = allowing(r#""source": {}"#);
    long.extend(std::iter::repeat_n(' ', (1 << 20) - long.len()));
    rules(&long);
    long.push(' ');
    assert_eq!(wrong(&long), "the policy is longer than 1048576 bytes");
}

#[test]
fn a_policy_that_is_deep_does_not_overflow_the_stack() {
    let deep = |begin: &str, end: &str| format!("{}{}", begin.repeat(60_000), end.repeat(60_000));
    for nested in [deep("[", "]"), deep("{\"a\":", "}"), "[".repeat(500_000)] {
        for text in [
            nested.clone(),
            format!(r#"{{"name": {nested}}}"#),
            format!(r#"{{"random": {nested}}}"#),
            format!(r#"{{"name": "p", "allow_rules": [{{"name": "r", "source": {nested}}}]}}"#),
        ] {
            wrong(&text);
        }
    }
    let config = format!("{{\"a\": {}}}", deep("[", "]"));
    rules(&format!(
        r#"{{"name": "p", "allow_rules": [{{"name": "r"}}],
            "audit_logging_options": {{"audit_loggers": [{{"name": "nobody", "is_optional": true, "config": {config}}}]}}}}"#
    ));
}
