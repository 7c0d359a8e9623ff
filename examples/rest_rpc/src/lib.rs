//! A server with functions and topics, like the examples of rest_rpc itself.

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

/// Plain functions can be used, and so can closures.
fn add(a: i32, b: i32) -> i32 {
    a + b
}

/// A function that waits: other calls continue meanwhile.
async fn delay_echo(text: String) -> String {
    tokio::time::sleep(Duration::from_millis(200)).await;
    text
}

/// A function that can fail.
fn divide(a: i32, b: i32) -> Result<i32, Status> {
    a.checked_div(b).ok_or_else(|| Status::invalid_argument("nobody divides by zero"))
}

/// A server with all of them, for clients of v0.12 to v0.21. The publisher's topics are on the same port.
pub fn server(news: &Publisher) -> Server {
    let functions = Functions::new()
        .function("add", add)
        .function("dummy::add", add) // the name that a compiler generates for a member, for clients of v0.21
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
