//! The client against the servers: its output is the README's.

use polywire::{Channel, Content, Target};
use std::process::Command;

#[test]
fn the_client_prints_what_the_readme_shows() {
    let running = polywire_example_nshead::server().listen("127.0.0.1:0").start().unwrap();
    let own = polywire_example_nshead::own().listen("127.0.0.1:0").start().unwrap();
    let addresses = [&running, &own].map(|running| running.addresses()[0].to_string());
    let output = Command::new(env!("CARGO_BIN_EXE_nshead-example-client")).args(addresses).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(include_str!("../README.md").contains(&format!("```text\n{said}```")), "{said}");
}

#[tokio::test]
async fn members_have_the_names_of_the_older_idl() {
    let running = polywire_example_nshead::server().listen("127.0.0.1:0").start().unwrap();
    let address = running.addresses()[0].to_string();
    let channel = Channel::builder(&address).protocol("ubrpc_mcpack2").build().unwrap();
    let ask = async |body: &'static [u8]| {
        let call = channel.call(Target::fixed("search.SearchService", "Find"), body);
        call.content(Content::MCPACK).await
    };
    // The body of an object with one member, a string of two letters and its NUL.
    assert!(ask(b"\x01\0\0\0\xd0\x03\x03kw\0hi\0").await.is_ok());
    let status = ask(b"\x01\0\0\0\xd0\x08\x03keyword\0hi\0").await.unwrap_err();
    assert!(status.message().contains("search.Query.keyword"), "{status}");
}
