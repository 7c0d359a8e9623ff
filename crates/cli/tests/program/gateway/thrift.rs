//! `gateway`: callers and servers of Thrift, in all forms.

use super::Gateway;
use crate::support::{Folder, Ran, Server, run};

const FORMS: [&str; 4] = ["thrift", "thrift:compact", "thrift:unframed+old", "thrift:ttheader"];

fn call(gateway: &Gateway, form: &str, method: &str) -> Ran {
    let data = r#"{"1":{"rec":{"1":{"str":"hi"}}}}"#;
    run(&["call", "-s", &gateway.address, "-p", form, method, "-d", data])
}

#[test]
fn one_line_leads_callers_of_all_forms_to_a_server_of_one() {
    let behind = Server::start();
    for back in ["thrift:compact", "thrift:ttheader"] {
        let to = format!("{back}://{}", behind.address);
        let gateway = Gateway::with(&["--to", &to, "--listen", "127.0.0.1:0"]);
        for form in FORMS {
            for method in ["Echo", "EchoService:Echo"] {
                let said = call(&gateway, form, method).succeeds().stdout;
                assert!(said.contains(r#""str":"hi""#), "{form} to {back}, {method}: {said}");
            }
            let said = call(&gateway, form, "Other").exits(1).stderr;
            assert!(said.contains("UNIMPLEMENTED"), "{form} to {back}: {said}");
        }
    }
}

#[test]
fn a_file_leads_by_names_and_says_what_goes_nowhere() {
    let (behind, folder) = (Server::start(), Folder::new("gateway-thrift"));
    let settings = |protocols: &str, cluster: &str, matched: &str| {
        let text = format!(
            "[listeners.main]\nlisten = \"127.0.0.1:0\"\nprotocols = [{protocols}]\n[clusters.a]\n\
             servers = \"{}\"\n{cluster}\n[[routes]]\nmatch = \"{matched}\"\nto = \"a\"\n",
            behind.address
        );
        folder.write("gateway.toml", &text)
    };
    let file = settings("\"thrift\"", "protocol = \"thrift\"\nservice = \"EchoService\"", "thrift/Ec*");
    let gateway = Gateway::with(&[&file]);
    call(&gateway, "thrift:compact", "Echo").succeeds();
    for other in ["EchoService:Echo", "Other"] {
        let said = call(&gateway, "thrift", other).exits(1).stderr;
        assert!(said.contains("the relay has no route for this method"), "{other}: {said}");
    }
    let said = run(&["gateway", "explain", &file, "thrift/Echo"]).succeeds().stdout;
    assert!(said.contains("thrift") && said.contains("unread"), "{said}");
    for (protocols, cluster, matched, code, expected) in [
        ("\"grpc\"", "protocol = \"thrift\"", "*", 0, "no caller of these listeners reaches it"),
        ("\"thrift\"", "protocol = \"grpc\"", "*", 0, "no caller of these listeners reaches it"),
        ("\"thrift\", \"grpc\"", "protocol = \"grpc\"", "*", 0, ""),
        ("\"thrift\"", "protocol = \"thrift:json\"", "*", 2, "thrift has no parameter"),
        ("\"grpc\"", "protocol = \"grpc\"\nservice = \"\"", "*", 2, "is empty"),
    ] {
        let file = settings(protocols, cluster, matched);
        let said = run(&["gateway", "check", &file]).exits(code).stderr;
        assert!(said.contains(expected) && said.is_empty() == expected.is_empty(), "{cluster}: {said}");
    }
    let tokens = folder.write("tokens", "");
    let guarded = settings(
        &format!("\"thrift\"]\ntokens = \"{tokens}\"\nfrom = [\"127.0.0.1\""),
        "protocol = \"thrift\"",
        "*",
    );
    let said = run(&["gateway", "check", &guarded]).exits(2).stderr;
    assert!(said.contains("thrift"), "{said}");
}
