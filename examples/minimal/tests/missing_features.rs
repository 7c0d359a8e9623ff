//! Anything that needs a feature that is off names the feature in its error: `cargo test -p
//! polywire-example-minimal --features alone`.

use polywire::{Channel, Server};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The library that was built most recently for this test.
fn polywire(directory: &Path) -> PathBuf {
    let built = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).filter(|path| {
        let file = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        file.starts_with("libpolywire-") && file.ends_with(".rlib")
    });
    built.max_by_key(|path| fs::metadata(path).unwrap().modified().unwrap()).expect("built for this test")
}

/// The compiler's error for a program with this statement.
fn complaint(test: &str, statement: &str) -> String {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("missing_features");
    fs::create_dir_all(&directory).unwrap();
    let path = directory.join(format!("{test}.rs"));
    fs::write(&path, format!("use polywire::*;\nfn main() {{ {statement}; }}\n")).unwrap();
    let deps = env::current_exe().unwrap().parent().unwrap().to_owned();
    let output = Command::new(env::var_os("RUSTC").unwrap_or("rustc".into()))
        .args(["--edition=2024", "--emit=metadata", "--color=never", "-L"])
        .arg(format!("dependency={}", deps.display()))
        .arg("--extern")
        .arg(format!("polywire={}", polywire(&deps).display()))
        .arg("--out-dir")
        .arg(&directory)
        .arg(&path)
        .output()
        .unwrap();
    assert!(!output.status.success(), "{test} compiles");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn options_whose_feature_is_off_name_it() {
    for (test, statement, what) in [
        (
            "server",
            "Server::new().tls(())",
            "`Server::tls` needs the feature `tls` or `tls-aws-lc` of `polywire`",
        ),
        (
            "client",
            "Channel::builder(\"host:1\").tls(())",
            "`Builder::tls` of a channel needs the feature `tls` or `tls-aws-lc` of `polywire`",
        ),
        ("tower", "Server::new().fallback(())", "`Server::fallback` needs the feature `tower` of `polywire`"),
        // The compiler itself names items that are left out.
        ("type", "use polywire::ClientTls", "the item is gated"),
        ("module", "polywire::redis::Store::new()", "the item is gated behind the `redis` feature"),
    ] {
        let said = complaint(test, statement);
        assert!(said.contains(what), "{what:?} is not said:\n{said}");
    }
}

/// An address may require a feature, too.
#[test]
fn an_address_that_asks_for_tls_is_told_the_feature() {
    let error = polywire::Channel::builder("https://host:1").build().err().unwrap();
    assert!(error.to_string().contains("turn on the feature `tls`"), "{error}");
}

/// Protocols are chosen by name, which is text.
#[test]
fn a_protocol_that_is_left_out_is_told_with_its_feature() {
    for (protocol, feature) in [
        ("zmtp", "zeromq"),
        ("redis", "redis"),
        ("rest_rpc", "rest_rpc"),
        ("hulu_pbrpc", "hulu_pbrpc"),
        ("sofa_pbrpc", "sofa_pbrpc"),
        ("nshead", "nshead"),
        ("ubrpc_mcpack2", "mcpack"),
        ("fb_rpc", "flatbuffers"),
    ] {
        let expected = format!(
            "protocol {protocol:?} is left out of this build: turn on the feature `{feature}` of `polywire`"
        );
        let error = Channel::builder("host:1").protocol(protocol).build().err().unwrap();
        assert!(error.to_string().contains(&expected), "{error}");
        let error = Server::new().protocols([protocol]).start_without_listener().err().unwrap();
        assert!(error.to_string().contains(&expected), "{error}");
    }
    let error = Channel::builder("host:1").protocol("smoke").build().err().unwrap();
    assert!(error.to_string().contains("unknown protocol \"smoke\""), "{error}");
    assert!(Channel::builder("host:1").protocol("grpc").build().is_ok());
}
