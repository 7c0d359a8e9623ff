//! `gateway`: who may call, and how often.

use super::{ECHO, Gateway, of_listener, settings};
use crate::support::{Folder, Server, counted, run};
use std::fs;

#[test]
fn a_policy_says_who_may_call_and_a_broken_one_changes_nothing() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-policy"));
    let rules = |request: &str| {
        format!(r#"{{"name": "p", "allow_rules": [{{"name": "some", "request": {{{request}}}}}]}}"#)
    };
    let echo = r#""paths": ["/example.EchoService/*"]"#;
    let ada = format!(r#"{echo}, "headers": [{{"key": "x-user", "values": ["ada"]}}]"#);
    let policy = folder.write("policy.json", &rules(&ada));
    let replace = |text: &str| fs::rename(folder.write("next.json", text), &policy).unwrap();
    let listener = format!("127.0.0.1:0\"\npolicy = \"{policy}");
    let file = folder.write("gateway.toml", &settings(&listener, &a, &b, &[("\"*\"", "second")]));
    let explained = run(&["gateway", "explain", &file, ECHO]).succeeds().stdout;
    let refuses = format!(
        ":1:12: listener main: {policy} refuses it to a caller that is not known: no rule allows it\n"
    );
    assert!(explained.contains(&refuses), "{explained}");
    let of_ada = run(&["gateway", "explain", &file, "/example.EchoService/Echo", "-H", "x-user=ada"]);
    let lets = format!("{policy} lets a caller that is not known call it, by the rule \"some\"\n");
    assert!(of_ada.succeeds().stdout.contains(&lets));

    let mut gateway = Gateway::with(&[&file]);
    let refused = |gateway: &Gateway, protocol| {
        let said = gateway.call(protocol, ECHO, &["-H", "x-user=eve"]).exits(1).stderr;
        let is_refused =
            said.contains(": PERMISSION_DENIED") && said.contains(": unauthorized RPC request rejected");
        assert!(is_refused, "{said}");
    };
    for protocol in ["grpc", "baidu_std", "connect"] {
        gateway.call(protocol, ECHO, &["-H", "x-user=ada"]).succeeds();
        refused(&gateway, protocol);
    }
    assert_eq!(counted(&b), 3, "refused calls are not sent");

    replace(&rules(echo).replace("paths", "pahts"));
    let wrong = gateway.complains();
    assert!(wrong.contains("WARN") && wrong.contains(&policy) && wrong.contains("pahts"), "{wrong}");
    refused(&gateway, "grpc");
    gateway.reload();
    assert!(
        gateway.complains().starts_with(&format!("polywire: {file}:3:10: listeners.main.policy: {policy}: "))
    );
    assert!(gateway.complains().ends_with("everything stays as it was"));
    refused(&gateway, "grpc");

    replace(&rules(echo));
    assert_eq!(gateway.says(), format!("{policy} read again"));
    gateway.call("grpc", ECHO, &["-H", "x-user=eve"]).succeeds();
}

#[test]
fn a_policy_in_a_dry_run_counts_and_refuses_nobody() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-policy-dry"));
    let rules = r#"{"name": "p", "allow_rules": [
        {"name": "tools", "request": {"paths": ["/grpc.reflection*"]}},
        {"name": "ada", "request": {"headers": [{"key": "x-user", "values": ["ada"]}]}}]}"#;
    let policy = folder.write("policy.json", rules);
    let of = |dry_run: &str| {
        let listener = format!("127.0.0.1:0\"\npolicy = {{ file = \"{policy}\"{dry_run} }}\n#\"");
        let text = settings("LISTEN", &a, &b, &[("\"*\"", "second")]).replace("LISTEN\"", &listener);
        folder.write("gateway.toml", &(text + "[admin]\nlisten = \"127.0.0.1:0\"\n"))
    };
    let file = of(", dry_run = true");
    let explained = run(&["gateway", "explain", &file, ECHO]).succeeds().stdout;
    assert!(explained.contains("no rule allows it; a dry run: counted, nobody is refused\n"), "{explained}");
    let mut gateway = Gateway::with(&[&file]);
    let pages = gateway.says();
    let pages = pages.strip_prefix("pages: http://").and_then(|rest| rest.strip_suffix("/gateway"));
    let page = |path: &str| run(&["call", "-s", pages.expect("pages"), "-p", "http", &format!("GET {path}")]);
    for user in ["eve", "ada", "bob"] {
        for protocol in ["grpc", "baidu_std"] {
            gateway.call(protocol, ECHO, &["-H", &format!("x-user={user}")]).succeeds();
        }
    }
    assert_eq!(counted(&b), 6);
    let said = gateway.complains();
    for part in ["WARN", "a policy refuses a call", "dry_run=true", "service=\"example.EchoService\""] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let metrics = page("/metrics").succeeds().stdout;
    let counted_as = "polywire_gateway_dry_run_total{route=\"*\",reason=\"policy\"} 4\n";
    assert!(metrics.contains(counted_as), "{metrics}");
    assert!(!metrics.contains("polywire_gateway_refused_total{route=\"*\""), "{metrics}");
    let shown = page("/gateway").succeeds().stdout;
    assert!(shown.contains("dry_run"), "{shown}");

    // Of another setting: the listener refuses from now on.
    of("");
    gateway.reload();
    while !gateway.says().contains("read again") {}
    let said = gateway.call("grpc", ECHO, &["-H", "x-user=eve"]).exits(1).stderr;
    assert!(said.contains("PERMISSION_DENIED"), "{said}");
}

/// A key, a token by it, and one that has expired: made with PyJWT 2.15.1.
const JWKS: &str = r#"{"keys":[{"kty":"EC","crv":"P-256","x":"a4krM8gkLS41tFjahWkHCMpX2_4mk2PKviIviYkcr3s","y":"aAK51qYhXswz_fCygXwVUo50xdbnLs5fACppa-9tDKQ","kid":"one"}]}"#;

const TOKEN: &str = "eyJhbGciOiJFUzI1NiIsImtpZCI6Im9uZSIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJzaG9wIiwic3ViIjoiYWRhIiwiZXhwIjozMjUwMzY4MDAwMH0.14JH0upGE9trDL-3XQ0tLeSjhJRFW104uxDY3u3ptEraTlDcSaCIVWxeQ0uHVMi72jKzb-zy_weMwdfo3DynvQ";

const EXPIRED: &str = "eyJhbGciOiJFUzI1NiIsImtpZCI6Im9uZSIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJzaG9wIiwic3ViIjoiYWRhIiwiZXhwIjoxMDAwMDAwMDAwfQ.D9211VLdBHHJYPmoPRO63uIyu4gIsABjjPtFpLUHAHVzFYPr2vrwKbrPUXncSVkf16xd5ZrYc0pBX1jzuOXX0w";

/// Of the token `token`.
const LISTED: &str = "ops 3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0 operator\n";

#[test]
fn callers_show_a_token_of_an_issuer_or_of_a_list_and_the_policy_knows_them() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-callers"));
    let (keys, tokens) = (folder.write("keys.json", JWKS), folder.write("tokens", LISTED));
    let rules =
        r#"{"name": "p", "allow_rules": [{"name": "some", "source": {"identities": ["ada", "ops"]}}]}"#;
    let policy = folder.write("policy.json", rules);
    let listener = format!(
        "127.0.0.1:0\"\npolicy = \"{policy}\"\ntokens = \"{tokens}\"\n\
         jwt = {{ issuer = \"https://id.example\", audiences = [\"shop\"], keys = \"{keys}\" }}\n#\""
    );
    let text = settings("LISTEN", &a, &b, &[("\"*\"", "second")]).replace("LISTEN\"", &listener);
    let file = folder.write("gateway.toml", &text);
    let explained = run(&["gateway", "explain", &file, ECHO]).succeeds().stdout;
    for words in [
        format!("listener main: callers show tokens of https://id.example for shop, by the keys in {keys}\n"),
        format!("listener main: callers show tokens in {tokens}\n"),
    ] {
        assert!(explained.contains(&words), "{explained}");
    }
    let known = run(&["gateway", "explain", &file, ECHO, "--identity", "ada"]).succeeds().stdout;
    assert!(known.contains(" lets \"ada\" call it, by the rule \"some\"\n"), "{known}");
    let gateway = Gateway::with(&[&file]);
    let bearer = |token: &str| format!("authorization=Bearer {token}");
    for protocol in ["grpc", "connect"] {
        for token in [TOKEN, "token"] {
            gateway.call(protocol, ECHO, &["-H", &bearer(token)]).succeeds();
        }
        for token in [EXPIRED, "tokem", &TOKEN[1..], ""] {
            let said = gateway.call(protocol, ECHO, &["-H", &bearer(token)]).exits(1).stderr;
            assert!(said.contains("UNAUTHENTICATED"), "{protocol} {token}: {said}");
        }
        gateway.call(protocol, ECHO, &[]).exits(1);
    }
    // A protocol with a place for a token, but not in its fields.
    gateway.call("baidu_std", ECHO, &["-H", &bearer(TOKEN)]).exits(1);
    assert_eq!([counted(&a), counted(&b)], [0, 4], "refused calls are not sent");
}

#[test]
fn a_route_is_for_some_callers_alone() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-canary"));
    // Of the tokens `token` and `other`.
    let second = "web-1 d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa\n";
    let tokens = folder.write("tokens", &(LISTED.to_owned() + second));
    let listener = format!("127.0.0.1:0\"\ntokens = \"{tokens}\"\n#\"");
    let of_web = "\"*\"\nwhen = { caller = [\"web-*\", \"eve\"] }";
    let text = settings("LISTEN", &a, &b, &[(of_web, "first"), ("\"*\"", "second")]);
    let file = folder.write("gateway.toml", &text.replace("LISTEN\"", &listener));
    let explained = run(&["gateway", "explain", &file, ECHO, "--identity", "ops"]).succeeds().stdout;
    assert!(explained.contains("*: not taken, of other callers\n"), "{explained}");
    let explained = run(&["gateway", "explain", &file, ECHO, "--identity", "web-7"]).succeeds().stdout;
    assert!(explained.contains("cluster first"), "{explained}");
    let gateway = Gateway::with(&[&file]);
    for (protocol, token, counts) in
        [("grpc", "token", [0, 1]), ("connect", "other", [1, 1]), ("grpc", "other", [2, 1])]
    {
        let bearer = format!("authorization=Bearer {token}");
        gateway.call(protocol, ECHO, &["-H", &bearer]).succeeds();
        assert_eq!([counted(&a), counted(&b)], counts, "{protocol} {token}");
    }
    let unknown = text.replace("LISTEN", "127.0.0.1:0");
    let said = run(&["gateway", "check", &folder.write("unknown.toml", &unknown)]).succeeds().stderr;
    assert!(said.contains("routes[0].when.caller: no listener of this route knows its callers"), "{said}");
}

/// By a policy, or without a token: the access log has each, and the metrics those of a route.
#[test]
fn refused_calls_are_seen_with_the_reason() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-refused"));
    let rules = r#"{"name": "p", "allow_rules": [{"name": "some", "source": {"identities": ["ada"]}}]}"#;
    let (policy, tokens) = (folder.write("policy.json", rules), folder.write("tokens", LISTED));
    let log = folder.path("access.log");
    let listener = format!(
        "127.0.0.1:0\"\npolicy = \"{policy}\"\ntokens = \"{tokens}\"\n[access_log]\nfile = \"{log}\"\n#\""
    );
    let text = settings("LISTEN", &a, &b, &[("\"example.*\"", "second")]).replace("LISTEN\"", &listener);
    let gateway = Gateway::with(&[&folder.write("gateway.toml", &text)]);
    for protocol in ["connect", "baidu_std", "http"] {
        gateway.call(protocol, ECHO, &["-H", "authorization=Bearer token"]).exits(1); // it is of `ops`
        gateway.call(protocol, ECHO, &[]).exits(1);
    }
    let lines = || fs::read_to_string(&log).unwrap_or_default();
    // baidu_std has another place for a token than its fields.
    while lines().lines().count() < 6 {
        std::thread::yield_now();
    }
    let lines = lines();
    let with =
        |parts: &[&str]| lines.lines().filter(|line| parts.iter().all(|part| line.contains(part))).count();
    let called = format!("\"called\":\"{ECHO}\"");
    let by_policy =
        ["\"code\":\"PERMISSION_DENIED\"", &called, "\"route\":\"example.*\"", "\"reason\":\"policy\""];
    assert_eq!(with(&by_policy), 2, "{lines}");
    let without = ["\"code\":\"UNAUTHENTICATED\",\"status\":401", &called, "\"reason\":\"credential\""];
    assert_eq!(with(&without), 4, "{lines}");
    assert_eq!([counted(&a), counted(&b)], [0, 0]);
}

#[test]
fn a_caller_that_calls_too_often_is_refused_at_its_listener_or_by_its_route() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-rates"));
    let by_route =
        settings("127.0.0.1:0", &a, &b, &[("\"example.*\"", "second")]) + "rate = { limit = \"2/h\" }\n";
    // `polywire call` asks servers of gRPC for their schemas, by two names: no route is for that, but the
    // listener counts it.
    let at_listener = by_route
        .replace("[clusters.first]", "rate = { limit = \"4/h\", by = \"address\" }\n[clusters.first]")
        .replace("2/h\" }", "1000/s\" }");
    let mut before = 0;
    for (text, rate, explains) in [
        (by_route, "2/h", "taken\n  2/h: further calls are refused\n"),
        (at_listener, "4/h", "listener main: 4/h by address: further calls are refused\n"),
    ] {
        let file = folder.write("gateway.toml", &text);
        let explained = run(&["gateway", "explain", &file, ECHO]).succeeds().stdout;
        assert!(explained.contains(explains), "{explained}");
        let mut gateway = Gateway::with(&[&file]);
        for protocol in ["grpc", "baidu_std"] {
            gateway.call(protocol, ECHO, &[]).succeeds();
        }
        for protocol in ["grpc", "connect", "baidu_std"] {
            let said = gateway.call(protocol, ECHO, &[]).exits(1).stderr;
            assert!(said.contains(&format!("more than {rate} calls")), "{protocol}: {said}");
        }
        // What was counted stays, when the file is read again.
        gateway.reload();
        assert!(gateway.says().contains("read again"));
        gateway.call("grpc", ECHO, &[]).exits(1);
        assert_eq!(counted(&b), before + 2);
        before += 2;
    }
}

#[test]
fn a_rate_in_a_dry_run_counts_by_route_and_refuses_nobody() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-rates-dry"));
    let rate = "rate = { limit = \"1/h\", dry_run = true }\n";
    let by_route = settings("127.0.0.1:0", &a, &b, &[("\"example.*\"", "second")]) + rate;
    let at_listener =
        by_route.replace(rate, "").replace("[clusters.first]", &format!("{rate}[clusters.first]"));
    for text in [by_route, at_listener] {
        let file = folder.write("gateway.toml", &(text + "[admin]\nlisten = \"127.0.0.1:0\"\n"));
        let mut gateway = Gateway::with(&[&file]);
        let pages = gateway.says();
        let pages = pages.strip_prefix("pages: http://").and_then(|rest| rest.strip_suffix("/gateway"));
        let page = |path: &str| {
            run(&["call", "-s", pages.expect("pages"), "-p", "http", &format!("GET {path}")])
                .succeeds()
                .stdout
        };
        for _ in 0..3 {
            gateway.call("baidu_std", ECHO, &[]).succeeds();
        }
        let said = gateway.complains();
        for part in ["WARN", "calls too often", "dry_run=true"] {
            assert!(said.contains(part), "{part}: {said}");
        }
        let metrics = page("/metrics");
        let counted_as = "polywire_gateway_dry_run_total{route=\"example.*\",reason=\"limit\"} 2\n";
        assert!(metrics.contains(counted_as), "{metrics}");
        assert!(!metrics.contains("polywire_gateway_refused_total{route=\"example.*\""), "{metrics}");
        let shown = page("/gateway");
        assert!(shown.contains("dry_run"), "{shown}");
    }
    assert_eq!(counted(&b), 6);
}

#[test]
fn check_finds_mistakes_about_callers_and_rates() {
    let folder = Folder::new("gateway-callers-check");
    let (keys, tokens) = (folder.write("keys.json", JWKS), folder.write("tokens", "ops secret\n"));
    let pem = folder.write("keys.pem", "-----BEGIN PUBLIC KEY-----\n");
    let jwt = |rest: &str| {
        format!("listen = \"127.0.0.1:1\"\njwt = {{ issuer = \"i\", audiences = [\"a\"], {rest} }}")
    };
    let keyed = |rest: &str| jwt(&format!("keys = \"{keys}\"{rest}"));
    for (listener, at, said) in [
        (keyed(", algorithms = [\"RS256\", \"HS256\"]"), "main.jwt.algorithms: ", "\"HS256\" proves nothing"),
        (keyed(", algorithms = [\"none\"]"), "main.jwt.algorithms: ", "proves nothing"),
        (keyed(", algorithms = [\"ES265\"]"), "main.jwt.algorithms: ", "did you mean \"ES256\"?"),
        (keyed(", algorithms = []"), "main.jwt.algorithms: ", "an empty list"),
        (keyed(", audience = \"b\""), "main.jwt.audience: ", "did you mean `audiences`?"),
        (jwt("keys = \"/none.json\""), "main.jwt.keys: ", "/none.json: No such file"),
        (jwt("keys = \"/dev/null\""), "main.jwt.keys: ", "no JWKS"),
        (
            jwt(&format!("keys = \"{pem}\"")),
            "main.jwt.keys: ",
            "a JWKS is needed (RFC 7517), this is a PEM file",
        ),
        (jwt("keys = \"http://id.example/keys\""), "main.jwt.keys: ", "write https://"),
        (jwt("roles = \"scope\""), "listeners.main.jwt: ", "`keys` is missing"),
        (format!("{}\nprotocols = [\"sofa_pbrpc\"]", keyed("")), "main.protocols: ", "no place for a token"),
        (
            format!(
                "listen = \"127.0.0.1:1\"\njwt = [{0}, {0}]",
                format_args!("{{ issuer = \"i\", audiences = [\"a\"], keys = \"{keys}\" }}")
            ),
            "main.jwt[1].issuer: ",
            "is there twice",
        ),
        (
            format!("listen = \"127.0.0.1:1\"\ntokens = \"{tokens}\""),
            "main.tokens: ",
            "line 1: the second word",
        ),
        ("listen = \"127.0.0.1:1\"\nrate = { limit = \"5\" }".to_owned(), "main.rate.limit: ", "write 100/s"),
        ("listen = \"127.0.0.1:1\"\nrate = \"5/s\"".to_owned(), "main.rate: ", "a table is meant here"),
        (
            "listen = \"127.0.0.1:1\"\nrate = { by = \"caller\" }".to_owned(),
            "main.rate: ",
            "`limit` is missing",
        ),
        (
            "listen = \"127.0.0.1:1\"\nrate = { limit = \"5/s\", by = \"x-user\" }".to_owned(),
            "main.rate.by: ",
            "\"field NAME\"",
        ),
        (
            "listen = \"127.0.0.1:1\"\nrate = { limit = \"5/s\", by = \"field :path\" }".to_owned(),
            "main.rate.by: ",
            "\"field NAME\"",
        ),
    ] {
        let text = of_listener(&listener);
        let file = folder.write("gateway.toml", &text);
        let said_all = run(&["gateway", "check", &file]).exits(2).stderr;
        assert!(said_all.contains(at) && said_all.contains(said), "{text}\n{said_all}");
        assert!(!said_all.contains("secret"), "{said_all}");
        assert_eq!(said_all.lines().count(), 1, "{said_all}");
    }
    // Whoever is asked for a token may come from other machines.
    let open = keyed("").replace("127.0.0.1:1", "0.0.0.0:1");
    run(&["gateway", "check", &folder.write("gateway.toml", &of_listener(&open))]).succeeds();
}

#[test]
fn pages_of_the_origins_in_the_file_may_call() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-origins"));
    let listener = "127.0.0.1:0\"\norigins = \"https://app.example";
    let file = folder.write("gateway.toml", &settings(listener, &a, &b, &[("\"*\"", "first")]));
    let gateway = Gateway::with(&[&file]);
    let call = |origin: &str| gateway.call("connect", ECHO, &["-H", &format!("origin={origin}")]);
    call("https://app.example").succeeds();
    let said = call("https://app.example.evil").exits(1).stderr;
    assert!(said.contains("PERMISSION_DENIED"), "{said}");
    assert_eq!(counted(&a), 1);
}
