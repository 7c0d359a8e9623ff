//! The page `/try`: what its forms send reaches a method as any call does, and nobody else's page can send
//! it.

use super::{Shelves, library::Library, start};
use polywire::{Context, Ended, Next, Running, Server, Status};
use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};

const ECHO: &str = "/try/library.v1.Library/Echo";

/// Status and body of the answer to a request with these fields, which `|` separates.
fn exchange(running: &Running, line: &str, fields: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
    let head = format!(
        "{line} HTTP/1.1|Host: localhost|{fields}|Connection: close|Content-Length: {}||",
        body.len()
    );
    stream.write_all((head.replace('|', "\r\n") + body).as_bytes()).expect("it reads");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer); // a refusal may reset what was not read
    let status = answer.get(9..12).unwrap_or("0").parse().expect("a status");
    (status, answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
}

fn token(running: &Running) -> String {
    exchange(running, "GET /token", "Accept: */*", "").1
}

/// What a form with these fields answers, as text.
fn call(running: &Running, path: &str, fields: &str) -> (u16, String) {
    let form =
        format!("Content-Type: application/x-www-form-urlencoded|X-Polywire-Token: {}", token(running));
    exchange(running, &format!("POST {path}"), &form, fields)
}

#[test]
fn fields_of_a_form_make_the_message() {
    let running = start(Server::new());
    let page = exchange(&running, &format!("GET {ECHO}?console=0"), "Accept: */*", "").1;
    for part in [
        "name=\".f_string\"",
        "<select name=\".f_bool\"><option value=\"\" selected></option><option value=\"true\">",
        "<select name=\".f_enum\">",
        "<textarea spellcheck=false name=\".words\"",
        "name=\".f_time\"",
        "<textarea spellcheck=false name=\".inner\"",
        "<textarea spellcheck=false name=\".counts\"",
        "<textarea spellcheck=false name=\"json\"",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let (status, text) = call(
        &running,
        ECHO,
        ".f_string=a%22%5C%3Cb%3E&.f_int64=-9007199254740993&.f_bool=true&.f_double=1.5&.f_bytes=AQI%3D&.f_time=2026-11-23T17%3A00%3A00Z\
         &.words=one%0D%0Atwo&.numbers=1%0A2&.inner=%7B%22fUint32%22%3A7%2C%22inner%22%3A%7B%22fInt32%22%3A9%7D%7D&.counts=%7B%22a%22%3A1%7D&.right=5&.f_int32=",
    );
    assert_eq!(status, 200, "{text}");
    for part in [
        "status: OK\n",
        "http_status: 200\n",
        "\"fString\": \"a\\\"\\\\<b>\"",
        "\"fInt64\": \"-9007199254740993\"",
        "\"fBool\": true",
        "\"fDouble\": 1.5",
        "\"fBytes\": \"AQI=\"",
        "\"fTime\": \"2026-11-23T17:00:00Z\"",
        "\"words\": [\n",
        "\"two\"",
        "\"fUint32\": 7",
        "\"fInt32\": 9",
        "\"right\": 5",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for (fields, words) in [
        (".nothing=1", "the message has no field .nothing"),
        (".inner.f_int32=1", "the message has no field .inner.f_int32"),
        ("timeout_ms=0", "timeout_ms has to be a number, 1 to 60000"),
        ("metadata=x", "metadata has lines of NAME: VALUE"),
        ("metadata=a%0Db%3A1", "a call cannot have the field"),
        ("metadata=Content-Length%3A1", "a call cannot have the field"),
        ("authorization=a%0D%0Ahost%3Aevil", "a call cannot have the field"),
    ] {
        let (status, text) = call(&running, ECHO, fields);
        assert!(status == 400 && text.contains(words), "{fields}: {status} {text}");
    }
    let nested = ".parent=shelves%2F1&.request_id=7&.book.title=Emma&.book.tags=a%0Ab";
    let (_, text) = call(&running, "/try/library.v1.Library/CreateBook", nested);
    for part in ["\"name\": \"shelves/1/books/7\"", "\"title\": \"Emma\"", "\"tags\": [\n"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // what the method does not take is said by the method
    let (status, text) = call(&running, ECHO, ".f_int32=many");
    assert!(status == 200 && text.contains("http_status: 400") && text.contains("f_int32"), "{text}");
    assert_eq!(exchange(&running, "GET /try/library.v1.Library/Nothing", "Accept: */*", "").0, 404);
}

#[test]
fn json_reaches_the_method_and_failures_are_shown() {
    let running = start(Server::new());
    let form = format!("Content-Type: application/json|X-Polywire-Token: {}", token(&running));
    let body = r#"{"json":"{\"name\":\"shelves/1/books/lost\"}"}"#;
    let (status, text) = exchange(&running, "POST /try/library.v1.Library/GetCover?json", &form, body);
    assert!(
        status == 200 && text.contains(r#""status":"NOT_FOUND""#) && text.contains("no \\\"shelves"),
        "{text}"
    );
}

#[test]
fn of_a_stream_the_first_messages_are_shown_and_the_rest_is_given_up() {
    let running = start(Server::new());
    let path = "/try/library.v1.Library/WatchBook";
    let (status, text) = call(&running, path, ".name=b&.count=2000000000&messages=3");
    assert!(
        status == 200 && text.contains("messages: 3\n") && text.contains("b 2") && !text.contains("b 3\""),
        "{text}"
    );
    assert!(text.contains("The stream went on"), "{text}");
    let (_, text) = call(&running, path, ".name=b&.count=2&messages=3");
    assert!(text.contains("messages: 2\n") && text.contains("The stream has ended."), "{text}");
}

#[test]
fn a_call_passes_the_limits_the_authenticator_and_the_middleware() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = seen.clone();
    let note = move |cx: Context, next: Next| {
        let field = |name| cx.metadata().get_str(name).unwrap_or("-").to_owned();
        let line = format!(
            "{} {} {} {}",
            cx.method(),
            field("x-polywire-try"),
            field("x-shop"),
            cx.peer().is_local()
        );
        noted.lock().unwrap().push(line);
        async move {
            match cx.metadata().get_str("x-shop") {
                Some("closed") => Ended::from(Status::permission_denied("the shop is closed")),
                _ => next.run(cx).await,
            }
        }
    };
    let running = start(Server::new().middleware(note));
    let (_, text) = call(&running, ECHO, "metadata=x-shop%3A%20north");
    assert!(text.contains("status: OK\n"), "{text}");
    let (_, text) = call(&running, ECHO, "metadata=X-Shop%3Aclosed");
    assert!(text.contains("status: PERMISSION_DENIED\n") && text.contains("the shop is closed"), "{text}");
    assert_eq!(*seen.lock().unwrap(), ["Echo 1 north true", "Echo 1 closed true"]);

    let service = || Shelves.into_service().method("Echo", |echo| echo.max_memory(1));
    let limited = Server::new().service(service()).listen("127.0.0.1:0").start().expect("it starts");
    let (_, text) = call(&limited, ECHO, ".f_string=more+than+that");
    assert!(
        text.contains("status: RESOURCE_EXHAUSTED refused\n") && text.contains("http_status: 503"),
        "{text}"
    );
}

#[test]
fn nobody_calls_a_method_by_a_page_without_the_token() {
    let calls = Arc::new(AtomicU32::new(0));
    let counted = calls.clone();
    let count = move |cx: Context, next: Next| {
        counted.fetch_add(1, Relaxed);
        next.run(cx)
    };
    let running = start(Server::new().middleware(count));
    let form = "Content-Type: application/x-www-form-urlencoded";
    let token = token(&running);
    for (line, fields) in [
        (format!("GET {ECHO}?.f_string=a&json=%7B%7D"), form.to_owned()),
        (format!("GET {ECHO}?token={token}"), format!("X-Polywire-Token: {token}")),
        (format!("POST {ECHO}"), form.to_owned()),
        (format!("POST {ECHO}"), format!("{form}|X-Polywire-Token: {}", "0".repeat(32))),
        (format!("POST {ECHO}"), format!("{form}|X-Polywire-Token: {token}|X-Forwarded-For: 10.0.0.1")),
        (format!("POST {ECHO}"), format!("{form}|X-Polywire-Token: {token}|Origin: http://evil.example")),
        (format!("POST {ECHO}"), format!("{form}|X-Polywire-Token: {token}|Sec-Fetch-Site: cross-site")),
        (format!("POST {ECHO}"), format!("Content-Type: text/plain|X-Polywire-Token: {token}")),
    ] {
        exchange(&running, &line, &fields, ".f_string=a");
    }
    assert_eq!(calls.load(Relaxed), 0);
    call(&running, ECHO, ".f_string=a");
    assert_eq!(calls.load(Relaxed), 1);
}

#[test]
fn schemas_are_shown_as_they_are_written() {
    let running = start(Server::new());
    let get = |path: &str| exchange(&running, &format!("GET {path}"), "Accept: */*", "");
    let (_, list) = get("/list");
    assert!(list.starts_with("{\"name\":\"library.v1.Library\",\"method\":[{\"name\":\"GetBook\",\"input_type\":\".library.v1.GetBookRequest\",\"output_type\":\".library.v1.Book\"},"), "{list}");
    let (_, text) = get("/protobufs/library.v1.Everything");
    for line in [
        "message library.v1.Everything {\n",
        "  bytes f_bytes = 9;\n",
        "  library.v1.Genre f_enum = 10;\n",
        "  google.protobuf.Timestamp f_time = 11;\n",
        "  repeated string words = 15;\n",
        "  map<string, int32> counts = 18;\n",
        "  optional int32 maybe = 19;\n",
        "  oneof {\n    string left = 20;\n    int32 right = 21;\n  }\n}\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(get("/protobufs/library.v1.Genre").1.starts_with("enum library.v1.Genre {\n"));
    assert!(
        get("/protobufs/library.v1.Library")
            .1
            .contains("  rpc WatchBook(library.v1.WatchBookRequest) returns (stream library.v1.Book);\n")
    );
    let (_, html) = get("/protobufs/library.v1.Everything?console=0");
    assert!(html.contains("href=\"../protobufs/google.protobuf.Timestamp\""), "{html}");
    let (_, all) = get("/protobufs");
    for name in ["library.v1.Everything\n", "library.v1.Genre\n", "library.v1.Library\n"] {
        assert!(all.contains(name), "{name}: {all}");
    }
    assert_eq!(get("/protobufs/library.v1.Nothing").0, 404);
    assert_eq!(get("/protobufs/%3Cscript%3E").0, 404);
}
