//! `gateway check`: what is well formed and can do nothing.

use crate::support::{Folder, run};
use rcgen::{CertificateParams, KeyPair};

/// What `check` warns of, without the name of the file.
fn warnings(file: &str) -> Vec<String> {
    let said = run(&["gateway", "check", file]).exits(0).stderr;
    said.lines()
        .map(|line| line.replace(&format!("{file}:"), "").replace("polywire: warning: ", ""))
        .collect()
}

#[test]
fn check_warns_of_rules_of_a_policy_that_match_no_caller_of_the_listener() {
    let folder = Folder::new("gateway-idle-rules");
    let policy = folder.write(
        "policy.json",
        r#"{"name": "shop",
            "deny_rules": [{"name": "tests", "source": {"principals": ["spiffe://test/*"]}}],
            "allow_rules": [
              {"name": "web", "source": {"identities": ["web-*"]}},
              {"name": "clerks", "source": {"identities": ["*"], "roles": ["clerk"]}},
              {"name": "over TLS", "source": {"principals": ["", "*"]}},
              {"name": "readers", "request": {"paths": ["/shop.Stock/Get"]}}]}"#,
    );
    let tokens = folder.write("tokens", &format!("ada {}\n", "0".repeat(64)));
    let own = KeyPair::generate().expect("a key");
    let cert = CertificateParams::new(vec!["localhost".to_owned()]).and_then(|names| names.self_signed(&own));
    let cert = folder.write("cert.pem", &cert.expect("a certificate").pem());
    let key = folder.write("key.pem", &own.serialize_pem());
    let of = |listener: &str| {
        let text = format!(
            "[listeners.main]\nlisten = \"127.0.0.1:0\"\npolicy = \"{policy}\"\n{listener}\n\
             [clusters.a]\nprotocol = \"grpc\"\nservers = \"127.0.0.1:1\"\n\
             [[routes]]\nmatch = \"*\"\nto = \"a\"\n"
        );
        warnings(&folder.write("gateway.toml", &text))
    };
    let rule = |name: &str, key: &str, lack: &str| {
        format!(
            "3:10: listeners.main.policy: the rule {name:?} matches nobody by its {key}: callers here {lack}"
        )
    };
    let no_certificate = "have no certificate: write `tls` with `client_ca`";
    let no_name = "have no name: `tls.client_ca`, `jwt` or `tokens` tell it";
    let no_roles = "have no roles: `tokens`, or `roles` of `jwt`, tell them";
    let (tests, over_tls) =
        (rule("tests", "principals", no_certificate), rule("over TLS", "principals", no_certificate));
    let unknown = [tests.clone(), rule("web", "identities", no_name), rule("clerks", "identities", no_name)];
    assert_eq!(of(""), [&unknown[..], std::slice::from_ref(&over_tls)].concat());
    let jwt = "jwt = { issuer = \"https://id.example\", audiences = [\"shop\"], keys = \"https://id.example/keys\" }";
    let clerks = rule("clerks", "roles", no_roles);
    assert_eq!(of(jwt), [tests.clone(), clerks.clone(), over_tls.clone()]);
    let with_roles = jwt.replace(" }", ", roles = \"scope\" }");
    for listener in [with_roles, format!("tokens = \"{tokens}\"")] {
        assert_eq!(of(&listener), [tests.clone(), over_tls.clone()], "{listener}");
    }
    let tls = format!("tls = {{ cert = \"{cert}\", key = \"{key}\" }}");
    let shown = rule("tests", "principals", "show no certificate: `tls.client_ca` asks for it");
    assert_eq!(of(&tls), [&[shown], &unknown[1..]].concat());
    assert_eq!(of(&tls.replace(" }", &format!(", client_ca = \"{cert}\" }}"))), [clerks]);
}

#[test]
fn check_warns_of_a_route_to_what_no_file_of_its_cluster_has() {
    let folder = Folder::new("gateway-no-schema");
    let proto = "syntax = \"proto3\"; package shop; message Order { string id = 1; }\n\
                 service Stock { rpc Get(Order) returns (Order); }\n";
    let proto = folder.write("shop.proto", proto);
    let file = |names: &str, schemas: &str| {
        let text = format!(
            "[listeners.main]\nlisten = \"127.0.0.1:0\"\n\
             [clusters.a]\nprotocol = \"grpc\"\nservers = \"127.0.0.1:1\"\n{schemas}\n\
             [[routes]]\nmatch = \"{names}\"\nto = \"a\"\n"
        );
        folder.write("gateway.toml", &text)
    };
    let schemas = format!("schemas = \"{proto}\"");
    for names in ["shop.Stok", "shop.Stock/Got", "shop.Stock/G1*", "store.*", "Stok"] {
        let said = format!(
            "8:9: routes[0].match: no file of `schemas` of a has {names}: calls to it go on unread, or are refused \
             where they would be translated"
        );
        assert_eq!(warnings(&file(names, &schemas)), [said]);
        assert_eq!(warnings(&file(names, "schemas = \"reflection\"")), [""; 0], "{names}");
    }
    for names in ["shop.Stock", "Stock", "shop.Stock/Get", "shop.Stock/G*", "shop.*", "*", "grpc.health.*"] {
        assert_eq!(warnings(&file(names, &schemas)), [""; 0], "{names}");
    }
}

#[test]
fn check_finds_folders_of_records_that_cannot_be_made() {
    let folder = Folder::new("gateway-record-folder");
    let taken = folder.write("taken", "a file");
    let new = folder.path("new/of/records");
    let listener = |record: &str| {
        let text = format!(
            "[listeners.main]\nlisten = \"127.0.0.1:0\"\nrecord = {{ folder = \"{record}\" }}\n\
             [clusters.a]\nprotocol = \"grpc\"\nservers = \"127.0.0.1:1\"\n\
             [[routes]]\nmatch = \"*\"\nto = \"a\"\n"
        );
        folder.write("gateway.toml", &text)
    };
    for record in [taken.clone(), format!("{taken}/records"), "/proc/none".to_owned()] {
        let file = listener(&record);
        let said = run(&["gateway", "check", &file]).exits(2).stderr;
        let there = if record.starts_with("/proc") { "/proc" } else { &*taken };
        assert!(said.contains(&format!("{file}:3:21: listeners.main.record.folder: {there}: ")), "{said}");
    }
    assert_eq!(run(&["gateway", "check", &listener(&new)]).exits(0).stderr, "");
    let left: Vec<_> = std::fs::read_dir(folder.path("")).expect("a folder").collect();
    assert_eq!(left.len(), 2, "nothing is left there: {left:?}");
}
