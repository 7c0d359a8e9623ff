//! A panic ends its call and nothing else, and its text stays on the server.

use polywire::{
    Channel, Context, Server,
    redis::{self, Execution, RedisService, ReplyBuf, Version},
    rest_rpc::{self, Inhabit as _},
};
use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

const SECRET: &str = "the password of another caller";

struct Fragile;
impl RedisService for Fragile {
    fn execute(&self, _: &Context, command: &[u8], out: &mut ReplyBuf, version: Version) -> Execution {
        redis::Writer::limited(out, version, usize::MAX).value(&redis::Value::from("half"));
        if command.windows(4).any(|word| word == b"FAIL") {
            panic!("{SECRET}");
        }
        Execution::Done
    }
}

#[test]
fn a_redis_command_that_panics_leaves_nothing_of_its_reply_to_the_next() {
    let server = Server::new().service(redis::service(Fragile)).listen("127.0.0.1:0").start().unwrap();
    let mut socket = TcpStream::connect(server.addresses()[0].to_string()).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    socket.write_all(b"FAIL\r\nNEXT\r\nQUIT\r\n").unwrap();
    let mut said = String::new();
    socket.read_to_string(&mut said).unwrap();
    assert!(said.starts_with('-') && !said.contains(SECRET), "{said}");
    let (_, next) = said.split_once("\r\n").unwrap();
    assert_eq!(next, "$4\r\nhalf\r\n+OK\r\n");
}

#[tokio::test]
async fn a_function_that_panics_keeps_its_text_to_itself() {
    let functions = rest_rpc::Functions::new().function("fail", |_: i32| -> i32 { panic!("{SECRET}") });
    let server = Server::new().rest_rpc(functions).listen("127.0.0.1:0").start().unwrap();
    let channel = Channel::builder(server.addresses()[0].to_string()).protocol("rest_rpc").build().unwrap();
    let failed: Result<i32, _> = rest_rpc::Client::new(channel).call("fail", (1,)).await;
    let status = failed.unwrap_err();
    assert!(!status.message().contains(SECRET), "{status}");
}
