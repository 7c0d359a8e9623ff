use crate::support::{Folder, Server, run};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use std::fs;

/// A folder with `ca.pem`, and `server.pem` for `localhost` with its key.
fn certificates(test: &str) -> Folder {
    let files = Folder::new(test);
    let (issuer, server) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
    let mut parameters = CertificateParams::new(vec![]).unwrap();
    parameters.distinguished_name.push(DnType::CommonName, "issuer");
    parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    fs::write(files.path("ca.pem"), parameters.self_signed(&issuer).unwrap().pem()).unwrap();
    let issuer = Issuer::new(parameters, issuer);
    let named = CertificateParams::new(vec!["localhost".into()]).unwrap();
    fs::write(files.path("server.pem"), named.signed_by(&server, &issuer).unwrap().pem()).unwrap();
    fs::write(files.path("server.key"), server.serialize_pem()).unwrap();
    files
}

#[test]
fn call_and_press_reach_a_server_over_tls_and_believe_nobody_else() {
    let files = certificates("tls");
    let (certificate, key, issuer) =
        (files.path("server.pem"), files.path("server.key"), files.path("ca.pem"));
    let mut serve = vec!["--listen", "127.0.0.1:0"];
    serve.extend(["--tls-cert", &certificate, "--tls-key", &key]);
    let server = Server::with(&serve);
    let call = |options: &[&str]| {
        let mut arguments =
            vec!["call", "-s", &server.address, "example.EchoService/Echo", "-d", "{\"message\":\"x\"}"];
        arguments.extend(options);
        run(&arguments)
    };
    let named = ["--tls-name", "localhost"];
    for protocol in ["baidu_std", "http", "grpc"] {
        let ran = call(&["-p", protocol, "--tls-ca", &issuer, named[0], named[1]]);
        assert_eq!(ran.succeeds().stdout, "{\"message\":\"x\"}\n", "{protocol}");
    }
    call(&["--dangerous-no-verify"]).succeeds();
    let plain = call(&[]).exits(1);
    assert!(!plain.stderr.is_empty());
    let no_tls = Server::start();
    let ran =
        run(&["call", "-s", &no_tls.address, "--dangerous-no-verify", "example.EchoService/Echo"]).exits(1);
    assert!(ran.stderr.contains("speak TLS on this port?"), "{}", ran.stderr);
    let unknown = call(&["--tls-ca", &issuer, "--tls-name", "elsewhere"]).exits(1);
    assert!(unknown.stderr.contains("not valid for name"), "{}", unknown.stderr);
    let mut press = vec!["press", "-s", &server.address, "-n", "10", "--json", "--tls-ca", &issuer];
    press.extend(named);
    assert_eq!(run(&press).succeeds().json()["errors"], 0);
}

#[test]
fn options_of_tls_that_do_not_fit_are_named() {
    let files = certificates("tls-options");
    let (certificate, key) = (files.path("server.pem"), files.path("server.key"));
    let missing = run(&["serve", "--tls-cert", &certificate]).exits(2);
    assert!(missing.stderr.contains("--tls-key"), "{}", missing.stderr);
    let uneven = run(&["serve", "--tls-cert", &certificate, "--tls-cert", &certificate, "--tls-key", &key]);
    assert!(uneven.exits(2).stderr.contains("each --tls-cert"));
    let both = ["--plain-beside-tls", "--tls-client-ca", &certificate];
    let both = run(&[&["serve", "--tls-cert", &certificate, "--tls-key", &key][..], &both].concat()).exits(2);
    assert!(both.stderr.contains("--plain-beside-tls"), "{}", both.stderr);
    let wrong = run(&["call", "--tls-ca", &key, "example.EchoService/Echo"]).exits(2);
    assert!(wrong.stderr.contains("server.key"), "{}", wrong.stderr);
}

#[test]
fn a_gateway_speaks_tls_on_both_sides() {
    let files = certificates("gateway-tls");
    let (certificate, key, issuer) =
        (files.path("server.pem"), files.path("server.key"), files.path("ca.pem"));
    let behind = ["--listen", "127.0.0.1:0", "--tls-cert", &certificate, "--tls-key", &key];
    let behind = Server::with(&[&behind[..], &["--protocols", "baidu_std"]].concat());
    let file = files.path("gateway.toml");
    let settings = format!(
        "[listeners.main]\nlisten = \"127.0.0.1:0\"\n\
         tls = {{ cert = \"{certificate}\", key = \"{key}\", client_ca = \"{issuer}\" }}\n\
         [clusters.a]\nprotocol = \"baidu_std\"\nservers = \"{}\"\n\
         tls = {{ ca = \"{issuer}\", name = \"localhost\" }}\n\
         [[routes]]\nmatch = \"*\"\nto = \"a\"\n",
        behind.address
    );
    fs::write(&file, &settings).unwrap();
    run(&["gateway", "check", &file]).succeeds();
    let gateway = Server::command("gateway", &[&file]);
    let call = |options: &[&str]| {
        let call = ["call", "-s", &gateway.address, "-p", "grpc", "example.EchoService/Echo"];
        let tls = ["-d", "{\"message\":\"x\"}", "--tls-ca", &issuer, "--tls-name", "localhost"];
        run(&[&call[..], &tls, options].concat())
    };
    let known = call(&["--tls-cert", &certificate, "--tls-key", &key]).succeeds();
    assert_eq!(known.stdout, "{\"message\":\"x\"}\n");
    call(&[]).exits(1); // without a certificate of its own
}

#[test]
fn a_gateway_reads_the_certificates_of_its_clusters_again() {
    let (files, others) = (certificates("gateway-renewed"), certificates("gateway-renewed-others"));
    let (certificate, key) = (files.path("server.pem"), files.path("server.key"));
    let behind = ["--listen", "127.0.0.1:0", "--tls-cert", &certificate, "--tls-key", &key];
    let behind = Server::with(&[&behind[..], &["--protocols", "baidu_std"]].concat());
    let (file, issuer) = (files.path("gateway.toml"), files.path("issuer.pem"));
    let settings = format!(
        "[listeners.main]\nlisten = \"127.0.0.1:0\"\n\
         [clusters.a]\nprotocol = \"baidu_std\"\nservers = \"{}\"\n\
         tls = {{ ca = \"{issuer}\", name = \"localhost\" }}\n\
         [[routes]]\nmatch = \"*\"\nto = \"a\"\n",
        behind.address
    );
    fs::write(&file, &settings).unwrap();
    let to = format!("baidu_std://{}", behind.address);
    let line = ["--to", &to, "--listen", "127.0.0.1:0", "--tls-ca", &issuer, "--tls-name", "localhost"];
    for arguments in [&[&*file][..], &line] {
        fs::copy(others.path("ca.pem"), &issuer).unwrap();
        let gateway = Server::command("gateway", arguments);
        let call = ["call", "-s", &gateway.address, "-p", "grpc", "example.EchoService/Echo"];
        let call = || run(&[&call[..], &["-d", "{\"message\":\"x\"}"]].concat());
        call().exits(1);
        fs::copy(files.path("ca.pem"), &issuer).unwrap();
        // What has been read is used for a second.
        assert!((0..1000).any(|_| call().code == Some(0)), "{arguments:?}");
    }
}
