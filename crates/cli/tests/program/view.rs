use crate::support::{Server, polywire, run};
use polywire::Pages;
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
};

/// `polywire view` at a port that the system chose; ended when it is dropped.
struct View {
    child: Child,
    address: String,
}

impl View {
    fn of(target: &str) -> View {
        View::with(target, &[])
    }

    fn with(target: &str, arguments: &[&str]) -> View {
        let all = [&["view", target, "--port", "0", "--timeout", "2s"], arguments].concat();
        let mut child = polywire(&all).stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("text");
        View { child, address: line.trim_end().strip_prefix("listening on ").expect("ready").to_owned() }
    }

    /// A request as it is, and all that is answered.
    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("text");
        answer
    }
}

impl Drop for View {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn pages_and_calls_pass_through_and_foreign_names_do_not() {
    let server = Server::start();
    let view = View::of(&server.address);
    let health = view.ask("GET /health HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n");
    assert!(health.starts_with("HTTP/1.1 200") && health.ends_with("\r\n\r\nOK"), "{health}");
    let body = r#"{"message":"through"}"#;
    let echo = view.ask(&format!(
        "POST /example.EchoService/Echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    ));
    assert!(echo.starts_with("HTTP/1.1 200") && echo.ends_with(body), "{echo}");
    let missing = view.ask("GET /nothing/here HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(missing.starts_with("HTTP/1.1 404"), "{missing}");
    for (request, status) in [
        ("GET /status HTTP/1.1\r\nHost: rebound.example\r\n\r\n", "421"),
        ("GET /status HTTP/1.1\r\n\r\n", "421"),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "411"),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"),
        ("nonsense\r\n\r\n", "400"),
    ] {
        let answer = view.ask(request);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {answer}");
    }
    let long = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(70_000));
    assert!(view.ask(&long).starts_with("HTTP/1.1 400 "));
    let curl =
        std::process::Command::new("curl").args(["-s", &format!("http://{}/version", view.address)]).output();
    match curl {
        Ok(curl) => assert!(String::from_utf8_lossy(&curl.stdout).contains("EchoService"), "{curl:?}"),
        Err(error) => eprintln!("curl is left out: {error}"),
    }
}

#[test]
fn a_target_that_is_not_there_is_named() {
    let gone = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let target = gone.local_addr().expect("bound").to_string();
    drop(gone);
    let answer = View::of(&target).ask("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 502 ") && answer.contains(&target), "{answer}");
}

#[test]
fn a_page_gets_a_line_that_says_whose_it_is() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let target = listener.local_addr().expect("bound").to_string();
    let answering = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("the view connects");
        let mut request = vec![0; 4096];
        let n = stream.read(&mut request).expect("a request");
        let page = "<html><body>page</body></html>";
        let head = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nContent-Length: 30\r\n\r\n";
        stream.write_all(format!("{head}{page}").as_bytes()).expect("it reads");
        String::from_utf8(request[..n].to_vec()).expect("text")
    });
    let answer = View::of(&target).ask("GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n");
    assert!(answer.ends_with(&format!("page<p>polywire view: {target}</p></body></html>")), "{answer}");
    let request = answering.join().expect("it answered");
    assert_eq!(request, format!("GET / HTTP/1.0\r\nHost: {target}\r\n\r\n"));
}

#[test]
fn many_urls_are_fetched_and_failures_are_marked() {
    let server = Server::start();
    let urls = std::env::temp_dir().join(format!("polywire-urls-{}", std::process::id()));
    let lines = format!("http://{0}/health\n\n{0}/nothing/here\nhttp://{0}/version\n", server.address);
    std::fs::write(&urls, lines).expect("a file");
    let ran = run(&["parallel-http", urls.to_str().expect("text"), "--one-line", "-c", "1"]).exits(1);
    let _ = std::fs::remove_file(&urls);
    let (address, lines) = (&server.address, ran.stdout.lines().collect::<Vec<_>>());
    assert_eq!(lines[..2], [format!("http://{address}/health OK"), format!("{address}/nothing/here ERROR")]);
    assert!(lines[2].starts_with(&format!("http://{address}/version ")), "{lines:?}");
}

/// A server of which this machine sees no page without the token.
#[test]
fn a_credential_is_shown_for_the_browser_and_a_login_passes() {
    const TOKEN: &str = "operators-0123456789";
    let server = polywire::Server::new()
        .pages(Pages::default().token(TOKEN))
        .listen("127.0.0.1:0")
        .start()
        .expect("it starts");
    let target = server.addresses()[0].to_string();
    let get = |view: &View, fields: &str| {
        view.ask(&format!("GET /status HTTP/1.1\r\nHost: {}\r\n{fields}\r\n", view.address))
    };
    let with = View::with(&target, &["--credential", &format!("Bearer {TOKEN}")]);
    assert!(get(&with, "").starts_with("HTTP/1.1 200"), "{}", get(&with, ""));
    assert!(
        get(&with, "Authorization: Bearer x\r\n").starts_with("HTTP/1.1 200"),
        "in place of the browser's"
    );
    assert!(get(&with, "Origin: http://evil.example\r\n").starts_with("HTTP/1.1 403"), "no other's page");
    assert!(with.ask("GET /status HTTP/1.1\r\nHost: evil.example\r\n\r\n").starts_with("HTTP/1.1 421"));
    let view = View::of(&target);
    assert!(get(&view, "").starts_with("HTTP/1.1 401"));
    let body = format!("pages_token={TOKEN}&to=status");
    let answer = view.ask(&format!(
        "POST /login HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {1}\r\n\r\n{body}",
        view.address,
        body.len()
    ));
    assert!(answer.starts_with("HTTP/1.1 303") && answer.contains("\r\nlocation: status\r\n"), "{answer}");
    let cookie = answer.split_once("set-cookie: ").expect("a cookie").1.split(';').next().expect("a pair");
    assert!(get(&view, &format!("Cookie: {cookie}\r\n")).starts_with("HTTP/1.1 200"));
}
