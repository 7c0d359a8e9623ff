//! `gateway`: a relay by a file.

mod callers;
mod calls;
mod check;
mod failing;
mod fault;
mod hand_over;
mod json;
mod limit;
mod manifest;
mod mcpack;
mod numbers;
mod online;
mod pages;
mod protobufs;
mod rest_rpc;
mod shadow;
mod thrift;
mod useless;
mod zmtp;

use crate::support::{Ran, Server, polywire, run, signal};
use std::{
    io::{BufRead, BufReader, Lines},
    process::{Child, ChildStderr, ChildStdout, Stdio},
};

const ECHO: &str = "example.EchoService/Echo";

/// A gateway that runs until it is dropped.
struct Gateway {
    child: Child,
    stdout: Lines<BufReader<ChildStdout>>,
    stderr: Lines<BufReader<ChildStderr>>,
    address: String,
    /// Of further listeners.
    others: Vec<String>,
}

impl Gateway {
    /// With these arguments.
    fn with(arguments: &[&str]) -> Gateway {
        let arguments = [&["gateway", "--shards", "1"], arguments].concat();
        let mut command = polywire(&arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let stdout = BufReader::new(child.stdout.take().expect("piped")).lines();
        let stderr = BufReader::new(child.stderr.take().expect("piped")).lines();
        let mut gateway = Gateway { child, stdout, stderr, address: String::new(), others: Vec::new() };
        gateway.address = gateway.says().strip_prefix("listening on ").expect("an address").to_owned();
        loop {
            let line = gateway.says();
            match line.strip_prefix("listening on ") {
                Some(address) => gateway.others.push(address.to_owned()),
                None => break assert!(line.starts_with("routing: ")),
            }
        }
        gateway
    }

    /// The next line of its output.
    fn says(&mut self) -> String {
        match self.stdout.next() {
            Some(line) => line.expect("text"),
            None => panic!("it has ended: {:?}", self.stderr.next()),
        }
    }

    fn complains(&mut self) -> String {
        self.stderr.next().expect("a line").expect("text")
    }

    fn call(&self, protocol: &str, method: &str, further: &[&str]) -> Ran {
        let call = ["call", "-s", &self.address, "-p", protocol, method, "-d", r#"{"message":"x"}"#];
        run(&[&call[..], further].concat())
    }

    /// Waits until it has ended: its exit code, and what it still had to say on standard error.
    fn ended(&mut self) -> (Option<i32>, Vec<String>) {
        let code = self.child.wait().expect("it was started").code();
        (code, self.stderr.by_ref().map(|line| line.expect("text")).collect())
    }

    fn reload(&self) {
        signal(&self.child, "HUP");
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.child.kill(); // fails if it has ended already
        let _ = self.child.wait();
    }
}

/// A file with one listener, the clusters `first` and `second`, and these routes.
fn settings(listen: &str, a: &Server, b: &Server, routes: &[(&str, &str)]) -> String {
    let mut text = format!(
        "[listeners.main]\nlisten = \"{listen}\"\n\
         [clusters.first]\nprotocol = \"grpc\"\nservers = \"{}\"\n\
         [clusters.second]\nprotocol = \"baidu_std\"\nservers = \"list://{}\"\nbalancer = \"rr\"\n",
        a.address, b.address
    );
    for (calls, to) in routes {
        text += &format!("[[routes]]\nmatch = {calls}\nto = \"{to}\"\n");
    }
    text
}

/// A file with this listener and one route.
fn of_listener(listener: &str) -> String {
    format!(
        "[listeners.main]\n{listener}\n[clusters.a]\nprotocol = \"grpc\"\nservers = \"127.0.0.1:9\"\n\
         [[routes]]\nmatch = \"*\"\nto = \"a\"\n"
    )
}
