//! What is decided about calls.

use super::*;

/// grpc-go, `TestStaticPolicyEnd2End` and its neighbours: policy, call, whether it is allowed.
#[test]
fn decisions_are_those_of_grpc_go() {
    let deny_calls = r#"{"name": "deny_TestServiceCalls", "request": {"paths": ["/grpc.testing.TestService/*"],
        "headers": [{"key": "key-abc", "values": ["val-abc", "val-def"]}]}}"#;
    let path =
        |name: &str, path: &str| format!(r#"{{"name": "{name}", "request": {{"paths": ["{path}"]}}}}"#);
    let policy = |deny: &str, allow: &str| {
        format!(r#"{{"name": "authz", "deny_rules": [{deny}], "allow_rules": [{allow}]}}"#)
    };
    let streaming = path("allow_StreamingOutputCall", "/grpc.testing.TestService/StreamingOutputCall");
    let unary = path("allow_UnaryCall", "/grpc.testing.TestService/UnaryCall");
    let input = path("allow_StreamingInputCall", "/grpc.testing.TestService/StreamingInputCall");
    let any_tls = r#"{"name": "allow_authenticated", "source": {"principals": ["*", ""]}}"#;
    let present = r#"{"name": "allow_TestServiceCalls", "request": {"paths": ["/grpc.testing.TestService/*"],
        "headers": [{"key": "key-abc", "values": ["*"]}]}}"#;
    let call = || call("UnaryCall");
    for (name, policy, call, allowed) in [
        (
            "DeniesRPCMatchInDenyNoMatchInAllow",
            policy(deny_calls, &streaming),
            call().field("key-abc", "val-abc"),
            false,
        ),
        (
            "DeniesRPCMatchInDenyAndAllow",
            policy(&path("deny_all", "*"), &path("allow_all", "*")),
            call(),
            false,
        ),
        (
            "AllowsRPCNoMatchInDenyMatchInAllow",
            policy(deny_calls, r#"{"name": "allow_all"}"#),
            call().field("key-xyz", "val-xyz"),
            true,
        ),
        (
            "DeniesRPCNoMatchInDenyAndAllow",
            policy(&streaming, r#"{"name": "allow_some_user", "source": {"principals": ["some_user"]}}"#),
            call(),
            false,
        ),
        ("AllowsRPCEmptyDenyMatchInAllow", policy("", &format!("{unary}, {input}")), call(), true),
        ("DeniesRPCEmptyDenyNoMatchInAllow", policy("", &streaming), call(), false),
        (
            "DeniesRPCRequestWithPrincipalsFieldOnUnauthenticatedConnection",
            policy("", any_tls),
            call(),
            false,
        ),
        (
            "DeniesRPCRequestNoMatchInAllowFailsPresenceMatch",
            policy("", present),
            call().field("key-abc", ""),
            false,
        ),
        (
            "AllowsRPCRequestWithPrincipalsFieldOnTLSAuthenticatedConnection",
            policy("", any_tls),
            call().tls(&[""]),
            true,
        ),
        (
            "AllowsRPCRequestWithPrincipalsFieldOnMTLSAuthenticatedConnection",
            policy("", any_tls),
            call().tls(&["x"]),
            true,
        ),
    ] {
        assert_eq!(call.is_allowed(&policy), allowed, "{name}");
    }
}

#[test]
fn parts_of_a_rule_are_all_asked_and_texts_of_a_part_are_alternatives() {
    let policy = allowing(
        r#""source": {"principals": ["a", "b"], "identities": ["ada", "bob"], "roles": ["clerk", "chief"]},
        "request": {"paths": ["/grpc.testing.TestService/A", "/grpc.testing.TestService/B"],
            "headers": [{"key": "x", "values": ["1", "2"]}, {"key": "y", "values": ["3", "4"]}]}"#,
    );
    let full = || call("B").tls(&["b"]).identity("bob", &["other", "chief"]).field("x", "2").field("y", "3");
    assert!(full().is_allowed(&policy));
    let others = [
        Call { method: "C", ..full() },
        Call { service: "Other", ..full() },
        Call { tls: None, ..full() },
        full().tls(&["c"]),
        Call { identity: None, ..full() },
        full().identity("eve", &["chief"]),
        full().identity("bob", &["other"]),
        full().identity("bob", &[]),
        Call { fields: Vec::new(), ..full() }.field("x", "2"),
        Call { fields: Vec::new(), ..full() }.field("x", "2").field("y", "2"),
    ];
    for (k, other) in others.iter().enumerate() {
        assert!(!other.is_allowed(&policy), "{k}");
    }
}

#[test]
fn a_list_that_is_empty_or_not_there_matches_everything() {
    for rule in [
        r#""source": {}"#,
        r#""request": {}"#,
        r#""source": {"principals": []}, "request": {"paths": [], "headers": []}"#,
    ] {
        assert!(call("Get").is_allowed(&allowing(rule)), "{rule}");
        assert!(!call("Get").is_allowed(&denying(rule)), "{rule}");
    }
}

/// grpc-go, internal/xds/rbac/matchers.go.
#[test]
fn principals_are_names_of_the_certificate() {
    for (principals, caller, allowed) in [
        (r#"["spiffe://prod/billing"]"#, Some(&["spiffe://prod/billing"][..]), true),
        (r#"["spiffe://prod/billing"]"#, Some(&["spiffe://other", "spiffe://prod/billing"][..]), true),
        (r#"["spiffe://prod/*"]"#, Some(&["spiffe://prod/billing"][..]), true),
        (r#"["*/billing"]"#, Some(&["spiffe://prod/billing"][..]), true),
        (r#"["spiffe://prod/billing"]"#, Some(&["spiffe://prod/Billing"][..]), false),
        (r#"["spiffe://prod/billing"]"#, Some(&["spiffe://prod/billing2"][..]), false),
        (r#"["*"]"#, Some(&["x"][..]), true),
        // TLS without a certificate.
        (r#"["*"]"#, Some(&[""][..]), false),
        (r#"[""]"#, Some(&[""][..]), true),
        (r#"[""]"#, Some(&["x"][..]), false),
        // No TLS.
        (r#"["", "*"]"#, None, false),
    ] {
        let call = Call { tls: caller.map(|names| Ok(Arc::new(Principals::named(names)))), ..call("Get") };
        let policy = allowing(&format!(r#""source": {{"principals": {principals}}}"#));
        assert_eq!(call.is_allowed(&policy), allowed, "{principals} {caller:?}");
    }
}

#[test]
fn identities_and_roles_are_not_principals_and_not_each_other() {
    let call = call("Get").tls(&["cert"]).identity("ada", &["chief"]);
    for (source, allowed) in [
        (r#"{"identities": ["ada"]}"#, true),
        (r#"{"identities": ["a*"]}"#, true),
        (r#"{"identities": ["cert"]}"#, false),
        (r#"{"identities": ["chief"]}"#, false),
        (r#"{"roles": ["chief"]}"#, true),
        (r#"{"roles": ["*"]}"#, true),
        (r#"{"roles": ["ada"]}"#, false),
        (r#"{"principals": ["ada"]}"#, false),
        (r#"{"principals": ["cert"], "roles": ["chief"]}"#, true),
    ] {
        assert_eq!(call.is_allowed(&allowing(&format!(r#""source": {source}"#))), allowed, "{source}");
    }
    let nobody = super::call("Get");
    for source in [r#"{"identities": ["", "*"]}"#, r#"{"roles": ["", "*"]}"#] {
        assert!(!nobody.is_allowed(&allowing(&format!(r#""source": {source}"#))), "{source}");
        assert!(
            !super::call("Get").identity("", &[]).is_allowed(&allowing(r#""source": {"roles": ["", "*"]}"#))
        );
    }
}

#[test]
fn the_first_rule_that_matches_is_named() {
    let text = r#"{"name": "p", "deny_rules": [{"name": "d1", "request": {"paths": ["*/X"]}}, {"name": "d2", "request": {"paths": ["*/X", "*/Y"]}}],
        "allow_rules": [{"name": "a1", "request": {"paths": ["*/A"]}}, {"name": "a2", "request": {"paths": ["*/A", "*/B", "*/X"]}}]}"#;
    let rules = rules(text);
    for (method, decision) in [
        ("X", Decision::Denied(Some("d1"))),
        ("Y", Decision::Denied(Some("d2"))),
        ("A", Decision::Allowed("a1")),
        ("B", Decision::Allowed("a2")),
        ("Z", Decision::Denied(None)),
    ] {
        assert_eq!(rules.decide(&call(method)), Ok(decision), "{method}");
    }
}
