use crate::support::{Server, polywire, run};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    process::Stdio,
};

#[test]
fn sigterm_and_ctrl_c_end_serve_with_code_0_and_no_further_output() {
    for name in ["TERM", "INT"] {
        let server = Server::start();
        server.signal(name);
        assert_eq!(server.ended(), (Some(0), String::new()), "{name}");
    }
}

#[test]
fn every_listener_is_announced_and_served() {
    let path = std::env::temp_dir().join(format!("polywire-test-{}.sock", std::process::id()));
    let unix = format!("unix:{}", path.display());
    let mut server = Server::with(&["--listen", "127.0.0.1:0", "--listen", "[::1]:0", "--listen", &unix]);
    let addresses = [server.address.clone(), server.next_address(), server.next_address()];
    assert_eq!(addresses[2], unix);
    for address in addresses {
        let ran =
            run(&["call", "--server", &address, "example.EchoService/Echo", "-d", "{\"message\":\"x\"}"]);
        assert_eq!(ran.succeeds().stdout, "{\"message\":\"x\"}\n");
    }
}

#[test]
fn a_stopping_server_lets_calls_under_way_finish() {
    let server = Server::with(&["--listen", "127.0.0.1:0", "--sleep-ms", "2000"]);
    let mut call = polywire(&["call", "--server", &server.address, "helloworld.Greeter.SayHello"]);
    let mut call =
        call.args(["--timeout-ms", "0"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let under_way = "helloworld_greeter_say_hello_concurrency : 1";
    while !run(&["call", "-s", &server.address, "-p", "http", "GET /vars"]).stdout.contains(under_way) {
        assert!(call.try_wait().unwrap().is_none(), "it ended before it was seen");
    }
    server.signal("TERM");
    let output = call.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "{\"message\":\"Hello world\"}\n");
    assert_eq!(server.ended().0, Some(0));
}

/// Takes the next request, answers it with 200, and returns its first line and its body.
fn request(registry: &TcpListener) -> (String, String) {
    let mut stream = BufReader::new(registry.accept().unwrap().0);
    let (mut first, mut bytes) = (String::new(), 0);
    stream.read_line(&mut first).unwrap();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        match line.to_ascii_lowercase().split_once(':') {
            Some(("content-length", length)) => bytes = length.trim().parse().unwrap(),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; bytes];
    stream.read_exact(&mut body).unwrap();
    let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    stream.get_mut().write_all(answer).unwrap();
    (first, String::from_utf8(body).unwrap())
}

#[test]
fn a_server_is_announced_in_a_registry_while_it_runs() {
    let registry = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("consul://{}/echo", registry.local_addr().unwrap());
    let server = Server::with(&["--listen", "127.0.0.1:0", "--register", &url]);
    let (first, body) = request(&registry);
    assert!(first.starts_with("PUT /v1/agent/service/register"), "{first}");
    let port = server.address.rsplit(':').next().unwrap();
    assert!(body.contains(&format!("\"Port\":{port}")) && body.contains("\"Name\":\"echo\""), "{body}");
    server.signal("TERM");
    while !request(&registry).0.contains("/v1/agent/service/deregister/") {}
    assert_eq!(server.ended().0, Some(0));

    let wrong = run(&["serve", "--listen", "127.0.0.1:0", "--register", "dns://echo"]).exits(2);
    assert!(
        wrong.stderr.contains("names no registry") && wrong.stderr.contains("etcd://"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn an_address_in_use_is_named_and_exits_1() {
    let server = Server::start();
    let ran = run(&["serve", "--listen", &server.address]).exits(1);
    assert!(ran.stderr.contains(&server.address), "{}", ran.stderr);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut demo = polywire(&["demo", "--duration", "200ms", "--check"]);
    let mut demo = demo.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(demo.stdout.take().unwrap()).read_line(&mut first).unwrap(); // then the pipe is closed
    let output = demo.wait_with_output().unwrap();
    assert!(first.starts_with("listening on "));
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr)), (Some(0), "".into()));
}
