//! The relay between a caller that speaks gRPC and a server that speaks baidu_std alone.

use polywire::{Channel, Context, Reply, Server, Status};
use polywire_example_gateway::hello::{Greeter, GreeterClient, HelloReply, HelloRequest};
use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

struct Hello;

impl Greeter for Hello {
    async fn say_hello(&self, cx: &Context, request: HelloRequest) -> Result<Reply<HelloReply>, Status> {
        Ok(HelloReply { message: format!("hello {} by {}", request.name, cx.protocol()) }.into())
    }
}

/// A program that ends with its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill(); // it may have ended by itself
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn a_caller_of_grpc_reaches_a_server_of_baidu_std() {
    let behind = Server::new().service(Hello.into_service()).protocols(["baidu_std"]).pages(None);
    let behind = behind.listen("127.0.0.1:0").start().unwrap();
    let address = behind.addresses()[0].to_string();
    let mut relay = Command::new(env!("CARGO_BIN_EXE_relay"))
        .args(["127.0.0.1:0", "baidu_std", &address])
        .stdout(Stdio::piped())
        .spawn()
        .map(Running)
        .unwrap();
    let mut line = String::new();
    BufReader::new(relay.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let front = line.split(' ').next().unwrap();
    let hello = GreeterClient::new(Channel::builder(front).protocol("grpc").build().unwrap());
    let reply = hello.say_hello(HelloRequest { name: "world".into() }).await.unwrap();
    assert_eq!(reply.message, "hello world by baidu_std");
}
