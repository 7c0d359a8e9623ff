//! Requests that are written by hand.

use super::{Shelves, ask, channel, library::Library, start};
use polywire::{
    Bounds, Caller, Context, HttpRule, Identity, Json, Limits, Method, Next, Origins, Running, Server, Status,
};
use std::{
    io::{Read, Write},
    net::TcpStream,
};

#[tokio::test]
async fn requests_are_bound_as_their_rules_say() {
    let running = start(Server::new());
    for protocol in ["http", "h2"] {
        let channel = channel(&running, protocol).await;
        for (verb, path, body, expected) in [
            ("GET", "/v1/shelves/1/books/2", "", r#"{"name":"shelves/1/books/2"}"#),
            ("GET", "/v1/shelves/1/books/2/", "", r#"{"name":"shelves/1/books/2"}"#),
            ("GET", "/v1/shelves/1/books/a%2Fb", "", r#"{"name":"shelves/1/books/a%2Fb"}"#),
            ("GET", "/v1/books/a%2Fb?mask=title,fooBar", "", r#"{"name":"a/b","title":"title,foo_bar"}"#),
            (
                "GET",
                "/v1/shelves/7/books?page_size=5",
                "",
                r#"{"request":{"parent":"shelves/7","pageSize":5}}"#,
            ),
            (
                "GET",
                "/v1/shelves/7/books?filter.genre=POEMS&filter.tags=a&filter.tags=b&filter.minPages=0",
                "",
                r#"{"request":{"parent":"shelves/7","filter":{"genre":"POEMS","tags":["a","b"],"minPages":"0"}}}"#,
            ),
            ("GET", "/v1/shelves/7/titles?page_size=2", "", r#"["shelves/7 0","shelves/7 1"]"#),
            ("GET", "/v1/shelves/7/titles", "", "[]"),
            (
                "POST",
                "/v1/shelves/1/books?request_id=9",
                r#"{"title":"T","pages":"3","published":"2020-01-02T03:04:05Z"}"#,
                r#"{"name":"shelves/1/books/9","title":"T","pages":"3","published":"2020-01-02T03:04:05Z"}"#,
            ),
            (
                "PATCH",
                "/v1/shelves/1/books/2?update_mask=title,pages",
                r#"{"title":"T"}"#,
                r#"{"name":"shelves/1/books/2","title":"T","tags":["title","pages"]}"#,
            ),
            (
                "PUT",
                "/v1/shelves/1/books/2?update_mask=ignored",
                r#"{"book":{"title":"T"},"updateMask":"a"}"#,
                r#"{"name":"shelves/1/books/2","title":"T","tags":["a"]}"#,
            ),
            ("DELETE", "/v1/shelves/1/books/2", "", "{}"),
            (
                "POST",
                "/v1/shelves/1/books/2:move",
                r#"{"shelf":"x"}"#,
                r#"{"name":"shelves/1/books/2","title":"x"}"#,
            ),
            (
                "GET",
                "/v1/echo/-5/1/2020-01-02T03:04:05Z?maybe=0",
                "",
                r#"{"fInt64":"-5","fEnum":"NOVEL","fTime":"2020-01-02T03:04:05Z","maybe":0}"#,
            ),
            ("GET", "/v1/files/a/b%20c/d%2Fe", "", r#"{"fString":"a/b c/d%2Fe"}"#),
            ("GET", "/v1/files", "", "{}"),
            ("GET", "/v1/files/a/../%2e%2e/b%2F..", "", r#"{"fString":"a/../../b%2F.."}"#),
            ("GET", "/v1/books/..%2F..", "", r#"{"name":"../.."}"#),
            ("POST", "/v1/echo/words?left=x", r#"["a"]"#, r#"{"words":["a"],"left":"x"}"#),
            ("REPORT", "/v1/echo?f_bool=true", "", r#"{"fBool":true}"#),
            (
                "GET",
                "/v1/echo?unknown=1&counts[a]=2&inner.inner.f_int32=3",
                "",
                r#"{"inner":{"inner":{"fInt32":3}},"counts":{"a":2}}"#,
            ),
        ] {
            assert_eq!(
                ask(&channel, verb, path, body).await.as_deref(),
                Ok(expected),
                "{protocol} {verb} {path}"
            );
        }
    }
    running.stop().await;
}

#[tokio::test]
async fn what_goes_wrong_is_said_as_gateways_say_it() {
    let running = start(Server::new());
    for protocol in ["http", "h2"] {
        let channel = channel(&running, protocol).await;
        for (verb, path, body, expected) in [
            (
                "GET",
                "/v1/shelves/1/books/lost",
                "",
                r#"{"code":5,"message":"no \"shelves/1/books/lost\"","details":[]}"#,
            ),
            (
                "GET",
                "/v1/shelves/1/books?page_size=x",
                "",
                r#"{"code":3,"message":"page_size: not an integer of its range","details":[]}"#,
            ),
            (
                "GET",
                "/v1/echo/x/1/2020-01-02T03:04:05Z",
                "",
                r#"{"code":3,"message":"f_int64: not an integer of its range","details":[]}"#,
            ),
            ("GET", "/v1/books/%ff", "", r#"{"code":3,"message":"name: not UTF-8","details":[]}"#),
            (
                "POST",
                "/v1/echo",
                r#"{"fInt32":"x"}"#,
                r#"{"code":3,"message":"JSON at byte 13: f_int32: not an integer of its range","details":[]}"#,
            ),
            (
                "POST",
                "/v1/echo",
                "<a>",
                r#"{"code":3,"message":"JSON at byte 0: expected an object, found '<'","details":[]}"#,
            ),
            (
                "GET",
                "/v1/shelves/1/books/2:watch?count=-1",
                "",
                r#"{"code":11,"message":"less than none","details":[]}"#,
            ),
            (
                "GET",
                "/v1/shelves/1/books/2:watch?count=x",
                "",
                r#"{"code":3,"message":"count: not an integer of its range","details":[]}"#,
            ),
        ] {
            assert_eq!(
                ask(&channel, verb, path, body).await.unwrap_err(),
                expected,
                "{protocol} {verb} {path}"
            );
        }
    }
    running.stop().await;
}

/// Whatever refuses a request: authenticator, middleware, deadline, a limit. By its name of brpc's style the
/// same method fails as brpc's clients expect it.
#[tokio::test(flavor = "multi_thread")]
async fn a_failure_is_an_object_wherever_it_arises() {
    let gate = |cx: Context, next: Next| async move {
        match cx.metadata().get_str("x-case") {
            Some("clerk") => Err(Status::permission_denied("a clerk may not do that")),
            Some("anonymous") => Err(Status::unauthenticated("who?")),
            Some("late") => std::future::pending().await,
            _ => Ok(next.run(cx).await),
        }
    };
    let running = start(
        Server::new()
            .limits(Limits::DEFAULT.max_message(1000))
            .bounds(Bounds::default().method_concurrency(1))
            .middleware(gate)
            .authenticate(|caller: Caller| async move {
                match caller.bearer() {
                    Some("known") => Ok(Identity::named("ada")),
                    Some("oauth") => Err(Status::unauthenticated("expired")
                        .with_metadata("www-authenticate", "Bearer error=\"invalid_token\"")),
                    Some("broken") => Err(Status::unavailable("the database is down")),
                    _ => Err(Status::unauthenticated("a bearer token is needed")),
                }
            }),
    );
    const KNOWN: &str = "authorization: Bearer known";
    let long = "x".repeat(2000);
    let held = |running: &Running| {
        let mut stream = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
        let head = format!("GET /v1/books/held HTTP/1.1|Host: localhost|{KNOWN}|x-case: late||");
        stream.write_all(head.replace('|', "\r\n").as_bytes()).expect("it reads");
        stream
    };
    for (fields, body, rest, brpc) in [
        (
            "x: y".to_owned(),
            "",
            (401, 16, "a bearer token is needed"),
            (403, "[1004]Fail to authenticate, a bearer token is needed"),
        ),
        (
            "authorization: Bearer oauth".to_owned(),
            "",
            (401, 16, "expired"),
            (403, "[1004]Fail to authenticate, expired"),
        ),
        (
            "authorization: Bearer broken".to_owned(),
            "",
            (503, 14, "Authentication is not possible now, the database is down"),
            (503, "Authentication is not possible now, the database is down"),
        ),
        (
            format!("{KNOWN}|x-case: clerk"),
            "",
            (403, 7, "a clerk may not do that"),
            (403, "a clerk may not do that"),
        ),
        (format!("{KNOWN}|x-case: anonymous"), "", (401, 16, "who?"), (401, "who?")),
        (
            format!("{KNOWN}|x-case: late|x-polywire-timeout-ms: 20"),
            "",
            (504, 4, "the deadline of the call has passed"),
            (504, "the deadline of the call has passed"),
        ),
        (
            KNOWN.to_owned(),
            long.as_str(),
            (413, 3, "body longer than 1000 bytes"),
            (413, "body longer than 1000 bytes"),
        ),
        (
            format!("{KNOWN}|x-polywire-timeout-ms: soon"),
            "",
            (400, 3, "x-polywire-timeout-ms is not a number of milliseconds"),
            (400, "x-polywire-timeout-ms is not a number of milliseconds"),
        ),
    ] {
        for (request, rest) in
            [("POST /v1/shelves/1/books/2:move", Some(rest)), ("POST /library.v1.Library/MoveBook", None)]
        {
            let (head, answer) = exchange(&running, &format!("{request} HTTP/1.1|{fields}"), body);
            let Some((status, code, text)) = rest else {
                assert!(head.starts_with(&format!("http/1.1 {} ", brpc.0)), "{fields}: {head}");
                assert!(
                    head.contains("content-type: text/plain") && head.contains("x-bd-error-code: "),
                    "{head}"
                );
                assert!(
                    answer.starts_with(brpc.1) && !head.contains("www-authenticate"),
                    "{fields}: {answer}"
                );
                continue;
            };
            assert!(head.starts_with(&format!("http/1.1 {status} ")), "{fields}: {head}");
            assert!(head.contains("content-type: application/json"), "{fields}: {head}");
            let object = format!("{{\"code\":{code},\"message\":\"{text}");
            assert!(
                answer.starts_with(&object) && answer.ends_with("\",\"details\":[]}"),
                "{fields}: {answer}"
            );
            let challenge = match (status, fields.contains("oauth")) {
                (401, true) => Some("www-authenticate: bearer error=\"invalid_token\""),
                (401, false) => Some("www-authenticate: bearer"),
                _ => None,
            };
            let given = head.contains("www-authenticate");
            assert!(challenge.map_or(!given, |field| head.contains(field)), "{fields}: {head}");
        }
    }
    // a limit, while another call holds the only place: the first of these that comes when no call is
    // answered
    let mut others = Vec::new();
    let answer = || exchange(&running, &format!("GET /v1/books/free HTTP/1.1|{KNOWN}"), "");
    polywire_machine_testing::until("the place is taken", || {
        others.push(held(&running));
        answer().0.starts_with("http/1.1 503 ")
    })
    .await;
    let (head, body) = answer();
    assert!(
        head.contains("content-type: application/json") && body.starts_with("{\"code\":8,"),
        "{head}{body}"
    );
    drop((others, running));
}

#[tokio::test]
async fn a_strict_server_is_strict_about_queries() {
    let running = start(Server::new().json(Json::STRICT));
    let channel = channel(&running, "http").await;
    let wrong = ask(&channel, "GET", "/v1/echo?unknown=1", "").await.unwrap_err();
    assert!(wrong.contains("unknown: no field of that name"), "{wrong}");
    let wrong = ask(&channel, "POST", "/v1/echo", r#"{"unknown":1}"#).await.unwrap_err();
    assert!(wrong.contains("unknown: no field of that name"), "{wrong}");
    running.stop().await;
}

/// Head and body of the answer to a request over a connection of its own.
fn exchange(running: &Running, head: &str, body: &str) -> (String, String) {
    let mut stream = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
    let head = format!("{head}|Host: localhost|Connection: close|Content-Length: {}||", body.len());
    stream.write_all((head.replace('|', "\r\n") + body).as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    (head.to_lowercase(), body.to_owned())
}

#[tokio::test]
async fn verbs_and_heads_are_those_of_http() {
    let running = start(Server::new().origins(Origins::default().allow("https://books.example")));
    for (request, status, field) in [
        ("HEAD /v1/shelves/1/books/2 HTTP/1.1", "200 ok", "content-type: application/json"),
        ("OPTIONS /v1/shelves/1/books/2 HTTP/1.1", "204 no content", "allow: get, patch, put, delete"),
        ("POST /v1/shelves/1/books/2 HTTP/1.1", "405 method not allowed", "allow: get, patch, put, delete"),
        ("GET /v1/shelves/1/books/lost HTTP/1.1", "404 not found", "content-type: application/json"),
        ("GET /v1/shelves/1/books/2?mask=%zz HTTP/1.1", "400 bad request", "content-type: application/json"),
        ("GET /v1//shelves/1/books/2 HTTP/1.1", "404 not found", "content-type: text/plain"),
        ("GET /v1/shelves/1/pens HTTP/1.1", "404 not found", "content-type: text/plain"),
        (
            "OPTIONS /v1/shelves/1/books/2 HTTP/1.1|Origin: https://books.example|Access-Control-Request-Method: PATCH",
            "204 no content",
            "access-control-allow-origin: https://books.example",
        ),
        (
            "GET /v1/shelves/1/books/2 HTTP/1.1|Origin: https://books.example",
            "200 ok",
            "access-control-allow-origin: https://books.example",
        ),
        (
            "GET /v1/shelves/1/books/2 HTTP/1.1|Origin: https://evil.example",
            "403 forbidden",
            "content-type: application/json",
        ),
    ] {
        let (head, _) = exchange(&running, request, "");
        assert!(head.starts_with(&format!("http/1.1 {status}")), "{request}: {head}");
        assert!(head.contains(field), "{request}: {head}");
    }
    running.stop().await;
}

#[tokio::test]
async fn streams_are_lines_of_the_field_that_is_answered_with() {
    let running = start(Server::new());
    let watch = "GET /v1/shelves/1/books/2:watch?count=2 HTTP/1.1";
    let (head, body) = exchange(&running, watch, "");
    assert!(head.contains("content-type: application/jsonl"), "{head}");
    assert!(
        body.contains("\"shelves/1/books/2 0\"\n") && body.contains("\"shelves/1/books/2 1\"\n"),
        "{body}"
    );
    let (_, body) = exchange(&running, &format!("{watch}|Accept: text/event-stream"), "");
    assert!(body.contains("data: \"shelves/1/books/2 0\"\n\n"), "{body}");
    running.stop().await;
}

#[tokio::test]
async fn a_method_with_a_rule_keeps_its_name() {
    let running = start(Server::new());
    let channel = channel(&running, "http").await;
    // By its name `application/json` is what the server says, brpc's mapping: nothing of the rule applies.
    let named = ask(&channel, "POST", "/library.v1.Library/ListTitles", r#"{"page_size":1}"#).await;
    assert_eq!(named.as_deref(), Ok(r#"{"titles":[" 0"],"next_page_token":"next"}"#));
    let lost = ask(&channel, "POST", "/library.v1.Library/GetBook", r#"{"name":"/lost"}"#).await;
    assert_eq!(lost.unwrap_err(), r#"no "/lost""#);
    running.stop().await;
}

#[tokio::test]
async fn which_method_a_path_leads_to_does_not_depend_on_earlier_requests() {
    let two_fields = |echo: Method| echo.http_rules(&[HttpRule::post("/{f_string}/{inner.f_string}")]);
    let under_a_service =
        |echo: Method| echo.http_rules(&[HttpRule::post("/library.v1.Library/{inner.f_string}")]);
    let rest_of_the_path = |echo: Method| echo.http_rules(&[HttpRule::post("/{inner.f_string=**}")]);
    let star = |echo: Method| echo.http_rules(&[]).path("/*");
    for configure in [two_fields, under_a_service, rest_of_the_path, star] {
        let service = Shelves.into_service().method("Echo", configure);
        let running = Server::new().service(service).listen("127.0.0.1:0").start().unwrap();
        let channel = channel(&running, "http").await;
        let body = r#"{"name":"x","f_string":"y","f_int32":7}"#;
        for method in ["GetBook", "DeleteBook", "DeleteBook", "GetBook", "GetBook"] {
            let path = format!("/library.v1.Library/{method}");
            let answer = ask(&channel, "POST", &path, body).await.unwrap();
            let is_echo = answer.contains(method) || answer.contains(r#""f_int32":7"#);
            assert!(is_echo, "{method}: {answer}");
        }
        running.stop().await;
    }
}
