//! The programs print what the README says.

use std::process::Command;

#[track_caller]
fn prints(program: &str, lines: &[&str]) {
    let output = Command::new(program).output().expect("it starts");
    let text = String::from_utf8(output.stdout).expect("it prints text");
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.lines().collect::<Vec<_>>(), lines);
    let readme = include_str!("../README.md");
    lines.iter().for_each(|line| assert!(readme.contains(line), "the README does not show {line:?}"));
}

#[test]
fn request_and_reply() {
    prints(env!("CARGO_BIN_EXE_zeromq-request-reply"), &["REP answers: world", "the server answers: HELLO"]);
}

#[test]
fn publish_and_subscribe() {
    prints(env!("CARGO_BIN_EXE_zeromq-publish-subscribe"), &["weather.de: rain", "weather.fr: sun"]);
}

#[test]
fn a_pipeline() {
    prints(env!("CARGO_BIN_EXE_zeromq-pipeline"), &["squares of 1 to 100 sum up to 338350"]);
}
