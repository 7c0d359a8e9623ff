//! A server of functions and topics, as the examples of rest_rpc itself have them.

#![forbid(unsafe_code)]

use polywire::{
    Context, Server, Status,
    rest_rpc::{ByteString, Functions, Publisher},
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// `struct person { int id; std::string name; int age; MSGPACK_DEFINE(id, name, age); };`
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Person {
    pub id: i32,
    pub name: String,
    pub age: i32,
}

/// Plain functions will do, and so will closures.
fn add(a: i32, b: i32) -> i32 {
    a + b
}

/// One that waits: other calls go on meanwhile.
async fn delay_echo(text: String) -> String {
    tokio::time::sleep(Duration::from_millis(200)).await;
    text
}

/// One that can fail.
fn divide(a: i32, b: i32) -> Result<i32, Status> {
    a.checked_div(b).ok_or_else(|| Status::invalid_argument("nobody divides by zero"))
}

/// All of them, for clients of v0.12 to v0.21. The publisher's topics are on the same port.
pub fn server(news: &Publisher) -> Server {
    let functions = Functions::new()
        .function("add", add)
        .function("dummy::add", add) // as a compiler spells a member, for clients of v0.21
        .function("echo", |text: ByteString| text)
        .function("delay_echo", delay_echo)
        .function("divide", divide)
        .function("get_person", |mut person: Person| {
            person.name = "jack".into();
            person
        })
        .function("get_person_name", |person: Person| person.name)
        .function("whoami", |cx: Context| cx.peer().to_string().split(':').next().map(str::to_owned))
        .open_publisher(news);
    Server::new().service(functions)
}
