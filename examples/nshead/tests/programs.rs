//! The client against the servers: its output is the README's.

use polywire::{Channel, Content, Target, nshead};
use polywire_example_nshead::search;
use std::process::Command;

#[test]
fn the_client_prints_what_the_readme_shows() {
    let running = polywire_example_nshead::server().listen("127.0.0.1:0").start().unwrap();
    let own = polywire_example_nshead::own().listen("127.0.0.1:0").start().unwrap();
    let dialect = polywire_example_nshead::dialect().listen("127.0.0.1:0").start().unwrap();
    let addresses = [&running, &own, &dialect].map(|running| running.addresses()[0].to_string());
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

#[tokio::test]
async fn a_dialect_answers_what_it_cannot_read_and_other_protocols_reach_the_same_service() {
    let running = polywire_example_nshead::dialect().listen("127.0.0.1:0").start().unwrap();
    let address = running.addresses()[0].to_string();
    let channel = Channel::builder(&address).protocol("nshead").build().unwrap();
    let client = nshead::Client::new(channel);
    let ask = async |body: &'static [u8]| {
        let frame = nshead::Frame { body: body.into(), ..Default::default() };
        client.call(&frame).await.unwrap().body.to_vec()
    };
    assert_eq!(ask(b"short").await, b"\x03\0\0\0no method");
    let unknown = ask(b"Nobody\0\0\0\0\0\0\0\0\0\0").await;
    assert_eq!(unknown[..4], [12, 0, 0, 0], "{}", unknown.escape_ascii());
    let wrong = ask(b"Find\0\0\0\0\0\0\0\0\0\0\0\0\xff").await;
    assert_eq!(wrong[..4], [13, 0, 0, 0], "{}", wrong.escape_ascii());
    // The frame that is answered after all these.
    assert!(ask(b"Find\0\0\0\0\0\0\0\0\0\0\0\0\x0a\x04rust").await.starts_with(&[0; 4]));

    let channel = Channel::builder(&address).protocol("grpc").build().unwrap();
    let query = search::Query { keyword: "rust".into(), pages: vec![1] };
    let found = search::SearchClient::new(channel).find(query).await.unwrap();
    assert_eq!(found.titles, ["rust on page 1, by h2"]);
}
