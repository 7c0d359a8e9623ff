//! The tree keeps its rules: each chore that only reads it finds nothing.

use std::process::Command;

#[test]
fn dependencies_between_crates_point_one_way() {
    holds("check-deps");
}

#[test]
fn imports_inside_the_client_point_one_way() {
    holds("check-rooms");
}

#[test]
fn crates_of_others_are_licensed_and_few() {
    holds("check-crates");
}

#[test]
fn every_crate_can_be_published() {
    holds("check-packages");
}

#[test]
fn pages_say_what_the_tree_has() {
    holds("check-docs");
}

fn holds(chore: &str) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_xtask")).arg(chore).output().expect("xtask was built for this test");
    assert!(output.status.success(), "cargo xtask {chore}:\n{}", String::from_utf8_lossy(&output.stderr));
}
