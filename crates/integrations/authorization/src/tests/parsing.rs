//! Which texts are policies.

use super::*;

#[test]
fn texts_that_grpc_go_refuses_are_refused_with_the_place() {
    let rule = |inner: &str| allowing(inner);
    let headers = |headers: &str| rule(&format!(r#""request": {{"headers": [{headers}]}}"#));
    let audit = |audit: &str| {
        format!(r#"{{"name": "p", "allow_rules": [{{"name": "r"}}], "audit_logging_options": {audit}}}"#)
    };
    let logger =
        |logger: &str| audit(&format!(r#"{{"audit_condition": "ON_DENY", "audit_loggers": [{logger}]}}"#));
    for (text, reason) in [
        (r#"{"random": 123}"#.to_owned(), "unknown field `random`"),
        ("{}".to_owned(), "no \"name\""),
        (r#"{"name": ""}"#.to_owned(), "no \"name\""),
        (r#"{"name": 123}"#.to_owned(), "invalid type: integer `123`, expected a string"),
        (r#"{"name": "authz-foo"}"#.to_owned(), "\"allow_rules\" has no rule"),
        (r#"{"name": "p", "allow_rules": []}"#.to_owned(), "\"allow_rules\" has no rule"),
        (r#"{"name": "p", "allow_rules": [{}]}"#.to_owned(), "allow_rules[0] \"\": has no name"),
        (
            r#"{"name": "p", "deny_rules": [{}], "allow_rules": [{"name": "r"}]}"#.to_owned(),
            "deny_rules[0] \"\": has no name",
        ),
        (
            headers(r#"{"key": "k", "values": ["v"]}, {"values": ["v"]}"#),
            "allow_rules[0] \"r\": headers[1] \"\": has no \"key\"",
        ),
        (headers(r#"{"key": "key-abc"}"#), "headers[0] \"key-abc\": has no \"values\""),
        (headers(r#"{"key": ":method", "values": ["GET"]}"#), "may not ask for this field"),
        (audit(r#"{"audit_condition": "ABC"}"#), "audit_condition \"ABC\""),
        (logger(r#"{"name": "stdout_logger", "config": "abc"}"#), "config is not an object"),
        (logger(r#"{"config": {}}"#), "audit_loggers[0] \"\": has no name"),
        (logger(r#"{"name": "nobody"}"#), "audit_loggers[0] \"nobody\": there is no such logger"),
    ] {
        let said = wrong(&text);
        assert!(said.contains(reason), "{text}: {said}");
    }
}

/// grpc-go: `DisallowUnknownFields`.
#[test]
fn unknown_fields_are_refused_wherever_they_are() {
    for text in [
        r#"{"name": "p", "allow_rules": [{"name": "r", "sources": {}}]}"#,
        r#"{"name": "p", "allow_rules": [{"name": "r", "source": {"principal": []}}]}"#,
        r#"{"name": "p", "allow_rules": [{"name": "r", "request": {"path": []}}]}"#,
        r#"{"name": "p", "allow_rules": [{"name": "r", "request": {"headers": [{"key": "k", "values": ["v"], "invert": true}]}}]}"#,
        r#"{"name": "p", "allow_rules": [{"name": "r"}], "audit_logging_options": {"condition": "NONE"}}"#,
        r#"{"name": "p", "allow_rules": [{"name": "r"}], "audit_logging_options": {"audit_loggers": [{"name": "stdout_logger", "optional": true}]}}"#,
        // Names are exact: grpc-go takes any case here.
        r#"{"name": "p", "Allow_Rules": [{"name": "r"}]}"#,
    ] {
        assert!(wrong(text).contains("unknown field"), "{text}");
    }
}

#[test]
fn what_would_be_read_in_two_ways_is_refused() {
    for (text, reason) in [
        // Of two values, grpc-go takes the last.
        (r#"{"name": "p", "name": "q", "allow_rules": [{"name": "r"}]}"#, "duplicate field `name`"),
        (
            r#"{"name": "p", "allow_rules": [{"name": "r"}], "allow_rules": [{"name": "s"}]}"#,
            "duplicate field `allow_rules`",
        ),
        (
            r#"{"name": "p", "allow_rules": [{"name": "r"}], "audit_logging_options": {"audit_logger": [], "audit_loggers": []}}"#,
            "duplicate field `audit_loggers`",
        ),
        // Of two rules of one name, grpc-go takes the last.
        (
            r#"{"name": "p", "allow_rules": [{"name": "r"}, {"name": "r"}]}"#,
            "allow_rules[1] \"r\": another rule of this list has the name",
        ),
        (r#"{"name": "p", "allow_rules": [{"name": "r"}]} {}"#, "trailing characters"),
        (r#"{"name": "p", "allow_rules": null}"#, "invalid type: null"),
        (r#"{"name": "p", "allow_rules": [{"name": "r", "source": null}]}"#, "invalid type: null"),
        ("\u{feff}{}", "expected value"),
        ("", "EOF"),
    ] {
        let said = wrong(text);
        assert!(said.contains(reason), "{text}: {said}");
    }
    rules(r#"{"name": "p", "deny_rules": [{"name": "r"}], "allow_rules": [{"name": "r"}]}"#); // two lists
}

#[test]
fn fields_that_rules_may_not_ask_for_are_refused_in_any_case() {
    for key in [
        ":method",
        ":path",
        ":authority",
        ":scheme",
        ":",
        "grpc-timeout",
        "grpc-",
        "GRPC-Encoding",
        "host",
        "Host",
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "te",
        "TE",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ] {
        let text = allowing(&format!(r#""request": {{"headers": [{{"key": "{key}", "values": ["v"]}}]}}"#));
        assert!(wrong(&text).contains("may not ask"), "{key}");
    }
    for key in ["grpcx", "hosts", "content-type", "user-agent", "authorization", "x-grpc-timeout", "trailers"]
    {
        rules(&allowing(&format!(r#""request": {{"headers": [{{"key": "{key}", "values": ["v"]}}]}}"#)));
    }
}

#[test]
fn loggers_are_known_or_optional_and_the_first_spelling_of_a59_is_read_too() {
    let with = |audit: &str| {
        format!(r#"{{"name": "p", "allow_rules": [{{"name": "r"}}], "audit_logging_options": {audit}}}"#)
    };
    for text in [
        r#"{}"#,
        r#"{"audit_condition": "NONE"}"#,
        r#"{"audit_condition": "ON_DENY", "audit_loggers": []}"#,
        r#"{"audit_loggers": [{"name": "nobody", "config": {"a": [{}]}, "is_optional": true}]}"#,
        r#"{"audit_condition": "ON_ALLOW", "audit_loggers": [{"name": "stdout_logger", "config": {}, "is_optional": false}]}"#,
        r#"{"audit_condition": "ON_DENY_AND_ALLOW", "audit_logger": [{"name": "stdout_logger"}]}"#,
    ] {
        rules(&with(text));
    }
    for (text, reason) in [
        (r#"{"audit_condition": ""}"#, "audit_condition \"\""),
        (r#"{"audit_condition": "on_deny"}"#, "audit_condition \"on_deny\""),
        (r#"{"audit_logger": [{"name": "nobody"}]}"#, "no such logger"),
    ] {
        assert!(wrong(&with(text)).contains(reason), "{text}");
    }
}

#[test]
fn our_own_lists_are_not_empty() {
    for key in ["identities", "roles"] {
        let said = wrong(&allowing(&format!(r#""source": {{"{key}": []}}"#)));
        assert!(said.contains(&format!("\"{key}\" is empty")), "{said}");
    }
    rules(&allowing(r#""source": {"principals": []}, "request": {"paths": [], "headers": []}"#));
}

/// Every field of a policy.
const FULL: &str = r#"{
    "name": "p",
    "deny_rules": [{
        "name": "r",
        "source": {"principals": ["a"], "identities": ["b"], "roles": ["c"]},
        "request": {"paths": ["/d"], "headers": [{"key": "e", "values": ["f"]}]}
    }],
    "allow_rules": [{"name": "r"}],
    "audit_logging_options": {
        "audit_condition": "ON_DENY",
        "audit_loggers": [{"name": "nobody", "config": {}, "is_optional": true}]
    }
}"#;

/// Calls `change` for each value within a policy, with the whole of it, the place and the value there.
fn each_place(change: &mut dyn FnMut(&serde_json::Value, &str, &serde_json::Value)) {
    fn walk(value: &serde_json::Value, place: &str, visit: &mut dyn FnMut(&str, &serde_json::Value)) {
        visit(place, value);
        if let Some(members) = value.as_object() {
            members.iter().for_each(|(name, member)| walk(member, &format!("{place}/{name}"), visit));
        }
        if let Some(items) = value.as_array() {
            items.iter().enumerate().for_each(|(k, item)| walk(item, &format!("{place}/{k}"), visit));
        }
    }
    let full = serde_json::from_str(FULL).unwrap();
    walk(&full, "", &mut |place, value| change(&full, place, value));
}

/// The policy with another value at a place.
fn replaced(full: &serde_json::Value, place: &str, value: serde_json::Value) -> String {
    let mut policy = full.clone();
    *policy.pointer_mut(place).unwrap() = value;
    policy.to_string()
}

/// `null` would be a list that is not given, and so match everybody.
#[test]
fn null_is_no_value_of_any_field() {
    rules(FULL);
    let mut places = 0;
    each_place(&mut |full, place, _| {
        let said = wrong(&replaced(full, place, serde_json::Value::Null));
        assert!(said.contains("null") || said.contains("config is not an object"), "{place}: {said}");
        places += 1;
    });
    assert_eq!(places, 30, "the policy has all fields");
    // What is in the configuration of a logger is its own business.
    rules(&FULL.replace(r#""config": {}"#, r#""config": {"a": null, "b": [null]}"#));
}

/// Read by the places of its fields, `[["a"]]` would be a source.
#[test]
fn an_array_is_no_object() {
    let mut objects = 0;
    each_place(&mut |full, place, value| {
        let Some(members) = value.as_object() else { return };
        for array in [vec![], members.values().cloned().collect()] {
            let said = wrong(&replaced(full, place, serde_json::Value::Array(array)));
            let is_said = said.contains("invalid type: sequence, expected an object");
            assert!(is_said || said.contains("config is not an object"), "{place}: {said}");
        }
        objects += 1;
    });
    assert_eq!(objects, 9);
}
