//! Which decisions are recorded, and what a record says.

use crate::{AuditRecord, Policy};
use polywire_server::{Identity, TestContext};
use std::sync::{Arc, Mutex};

type Seen = Arc<Mutex<Vec<String>>>;

/// A policy whose logger keeps what it gets.
fn policy(text: &str) -> (Policy, Seen) {
    let seen = Seen::default();
    let keep = seen.clone();
    let builder = Policy::builder().logger("stat_logger", move |config| {
        let (keep, config) = (keep.clone(), config.to_owned());
        Ok(move |record: &AuditRecord<'_>| {
            let AuditRecord { method, principal, identity, policy, rule, authorized, .. } = record;
            let line = format!("{method}|{principal}|{identity}|{policy}|{rule}|{authorized}|{config}");
            polywire_base::lock(&keep).push(line);
        })
    });
    (builder.from_json(text).unwrap(), seen)
}

fn check(policy: &Policy, method: &'static str) -> bool {
    let cx = TestContext::new()
        .method("grpc.testing.TestService", method)
        .identity(Identity::named("ada"))
        .build();
    policy.check(&cx).is_ok()
}

/// grpc-go, `TestAuditLogger`: two calls of UnaryCall and one of StreamingInputCall each.
#[test]
fn decisions_are_recorded_as_grpc_go_does() {
    let options = |condition: &str| {
        format!(
            r#""audit_logging_options": {{"audit_condition": "{condition}", "audit_loggers":
                [{{"name": "stat_logger", "config": {{}}, "is_optional": false}}]}}"#
        )
    };
    let path =
        |name: &str, path: &str| format!(r#"{{"name": "{name}", "request": {{"paths": ["{path}"]}}}}"#);
    let unary = path("allow_UnaryCall", "/grpc.testing.TestService/UnaryCall");
    let typo = path("allow_UnaryCall", "/grpc.testing.TestService/UnaryCall_Z");
    let all = path("allow_all", "*");
    let deny = path("deny_all", "/grpc.testing.TestService/StreamingInputCall");
    for (name, deny, allow, condition, allowed, denied) in [
        ("No audit", "", &unary, "NONE", 0, 0),
        ("Allow All Deny Streaming - Audit All", &*deny, &all, "ON_DENY_AND_ALLOW", 2, 1),
        ("Allow Unary - Audit Allow", "", &unary, "ON_ALLOW", 2, 0),
        ("Allow Typo - Audit Deny", "", &typo, "ON_DENY", 0, 3),
    ] {
        let text = format!(
            r#"{{"name": "authz", "deny_rules": [{deny}], "allow_rules": [{allow}], {}}}"#,
            options(condition)
        );
        let (policy, seen) = policy(&text);
        for method in ["UnaryCall", "UnaryCall", "StreamingInputCall"] {
            check(&policy, method);
        }
        let seen = polywire_base::lock(&seen);
        let count = |end: &str| seen.iter().filter(|line| line.contains(end)).count();
        assert_eq!((count("|true|"), count("|false|")), (allowed, denied), "{name}");
    }
}

#[test]
fn a_record_says_who_called_what_and_which_rule_decided() {
    let (policy, seen) = policy(
        r#"{"name": "authz", "deny_rules": [{"name": "deny_some", "request": {"paths": ["*/No"]}}],
            "allow_rules": [{"name": "allow_some", "request": {"paths": ["*/Yes"]}}],
            "audit_logging_options": {"audit_condition": "ON_DENY_AND_ALLOW", "audit_loggers": [
                {"name": "stat_logger", "config": {"a": [1]}}, {"name": "stat_logger"}]}}"#,
    );
    assert_eq!(["Yes", "No", "Other"].map(|method| check(&policy, method)), [true, false, false]);
    let seen = polywire_base::lock(&seen);
    let begin = "/grpc.testing.TestService";
    assert_eq!(
        *seen,
        [
            format!(r#"{begin}/Yes||ada|authz|allow_some|true|{{"a": [1]}}"#),
            format!("{begin}/Yes||ada|authz|allow_some|true|{{}}"),
            format!(r#"{begin}/No||ada|authz|deny_some|false|{{"a": [1]}}"#),
            format!("{begin}/No||ada|authz|deny_some|false|{{}}"),
            format!(r#"{begin}/Other||ada|authz||false|{{"a": [1]}}"#),
            format!("{begin}/Other||ada|authz||false|{{}}"),
        ]
    );
}

#[test]
fn a_logger_that_cannot_be_made_makes_the_policy_unusable() {
    let builder = Policy::builder().logger("mine", |config| match config {
        "{}" => Ok(|_: &AuditRecord<'_>| {}),
        _ => Err("no such option".to_owned()),
    });
    let text = r#"{"name": "p", "allow_rules": [{"name": "r"}],
        "audit_logging_options": {"audit_loggers": [{"name": "mine", "config": {"x": 1}, "is_optional": true}]}}"#;
    assert_eq!(builder.from_json(text).unwrap_err().to_string(), "audit_loggers[0] \"mine\": no such option");
}
