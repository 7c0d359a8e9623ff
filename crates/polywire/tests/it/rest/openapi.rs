//! The page `/openapi.json`: what it says is what the server answers, and it is for those who see schemas.

use super::{Shelves, library::Library};
use axum::{Router, routing};
use polywire::{
    Caller, HttpRule, Identity, Json, Pages, Running, Server, Service, Status,
    console::{Page, View},
};
use std::{
    io::{Read, Write},
    net::TcpStream,
};

/// Status, head and body of the answer to a GET.
fn get(running: &Running, path: &str, fields: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
    let head = format!("GET {path} HTTP/1.1|Host: localhost|{fields}Connection: close||");
    stream.write_all(head.replace('|', "\r\n").as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    let status = answer.get(9..12).unwrap_or("0").parse().expect("a status");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    (status, head.to_owned(), body.to_owned())
}

fn start(server: Server, service: Service) -> Running {
    server.service(service).listen("127.0.0.1:0").start().expect("it starts")
}

/// The paths of a document, each with its verbs.
fn paths(document: &str) -> Vec<String> {
    let value: serde_json::Value = serde_json::from_str(document).expect("JSON");
    let paths = value["paths"].as_object().expect("an object");
    let verbs = |item: &serde_json::Value| {
        let verbs = item.as_object().expect("an object").keys().cloned();
        verbs.collect::<Vec<_>>().join("|")
    };
    paths.iter().map(|(path, item)| format!("{} {path}", verbs(item))).collect()
}

#[test]
fn rules_of_the_file_and_of_the_program_are_described() {
    let service = Shelves
        .into_service()
        .method("GetBook", |get| get.http(HttpRule::post("/lend/{name}")))
        .method("ListBooks", |list| list.http_rules(&[]))
        .method("MoveBook", |moves| moves.http_rules(&[]).path("PUT|PATCH /move/{shelf}"))
        .method("Count", |count| count.path("/count/*"));
    let running = start(Server::new(), service);
    let (status, head, document) = get(&running, "/openapi.json", "");
    assert_eq!(status, 200, "{document}");
    assert!(head.to_lowercase().contains("content-type: application/json"), "{head}");
    let mut expected = [
        "delete|get|patch|put /v1/shelves/{name}/books/{name_1}",
        "get /v1/books/{name}",
        "post /lend/{name}",
        "post /library.v1.Library/ListBooks",
        "get /v1/shelves/{parent}/titles",
        "post /v1/shelves/{parent}/books",
        "patch|put /move/{shelf}",
        "get /v1/shelves/{name}/books/{name_1}:watch",
        "get|post /v1/echo",
        "get /v1/echo/{fInt64}/{fEnum}/{fTime}",
        "get /v1/files/{fString}",
        "post /v1/echo/words",
        "get|put /v1/shelves/{name}/books/{name_1}/cover",
        "post /v1/reverse",
        "get /v1/shelves/{name}/books/{name_1}:read",
    ];
    expected.sort_unstable();
    let mut found = paths(&document);
    found.sort_unstable();
    assert_eq!(found, expected);
    let value: serde_json::Value = serde_json::from_str(&document).expect("JSON");
    let schema = |path: &str| value.pointer(path).unwrap_or_else(|| panic!("no {path}")).to_string();
    // By its name a method answers in brpc's JSON, by a rule in protobuf's.
    let pages = |name: &str| format!("/components/schemas/{name}/properties/pages");
    assert_eq!(schema(&pages("library.v1.Book")), r#"{"format":"int64","type":"string"}"#);
    assert_eq!(schema(&pages("library.v1.Book-brpc")), r#"{"format":"int64","type":"integer"}"#);
    let cover = schema("/paths/~1v1~1shelves~1{name}~1books~1{name_1}~1cover/put/requestBody/content");
    assert_eq!(cover, r#"{"*/*":{}}"#);

    let own = get(&running, "/openapi.json?service=library.v1.Library", "").2;
    assert_eq!(paths(&own), paths(&document), "it is the only service");
    assert_eq!(document, get(&running, "/-/openapi.json", "accept: text/html|").2, "also in a browser");
    let unknown = get(&running, "/openapi.json?service=library.v1.Nothing", "");
    assert_eq!((unknown.0, &*unknown.2), (404, "no service with a schema has this full name: /list has all"));
    assert_eq!(get(&running, "/openapi.json?oneofs=some", "").0, 400);
    let checked = get(&running, "/openapi.json?oneofs=checked", "").2;
    assert!(checked.contains("\"oneOf\":") && !document.contains("\"oneOf\":"));
}

#[test]
fn the_mapping_is_that_of_the_server() {
    let running = start(Server::new().json(Json::CANONICAL), Shelves.into_service());
    let document = get(&running, "/openapi.json", "").2;
    assert!(!document.contains("-brpc"), "{document}");
    let running = start(Server::new().json(Json::DEFAULT), Shelves.into_service());
    let document = get(&running, "/openapi.json", "").2;
    assert!(document.contains("\"f_int64\":{\"type\":\"integer\""), "{document}");
}

#[test]
fn it_is_for_those_who_see_schemas() {
    let guarded = Server::new().pages(Pages::default().token("5c2cd2a0e8b94c57"));
    let running = start(guarded, Shelves.into_service());
    for path in ["/openapi.json", "/protobufs"] {
        assert_eq!(get(&running, path, "").0, 401, "{path}");
        let shown = get(&running, path, "Authorization: Bearer 5c2cd2a0e8b94c57|").0;
        assert_eq!(shown, 200, "{path}");
        assert_eq!(get(&running, path, "Origin: http://evil.example|").0, 403, "{path}");
    }

    let asked = Server::new().authenticate(|caller: Caller| async move {
        match caller.bearer() {
            Some("a-clerk") => Ok(Identity::named("clerk")),
            _ => Err(Status::unauthenticated("a bearer token is needed")),
        }
    });
    let running = start(asked, Shelves.into_service().method("Count", |count| count.open_to_all()));
    for path in ["/openapi.json", "/protobufs"] {
        assert_eq!(get(&running, path, "").0, 200, "a peer of this machine reads {path}");
        assert_ne!(get(&running, path, "x-forwarded-for: 192.0.2.1|").0, 200, "{path} behind a proxy");
    }
    let document: serde_json::Value =
        serde_json::from_str(&get(&running, "/openapi.json", "").2).expect("JSON");
    assert_eq!(document["security"].to_string(), r#"[{"bearer":[]}]"#);
    let count = &document["paths"]["/library.v1.Library/Count"]["post"];
    assert_eq!(count["security"].to_string(), "[]");
    assert!(document["paths"]["/v1/echo"]["get"]["responses"]["401"].is_object());
    for (guarded, described) in [("http", true), ("h2", true), ("baidu_std", false)] {
        let running = start(Server::new().guard(guarded, |_, _| Ok(())), Shelves.into_service());
        let document = get(&running, "/openapi.json", "").2;
        let ends = document.ends_with(",\"security\":[{\"bearer\":[]}]}\n");
        assert_eq!(ends, described, "{guarded}: {document}");
    }
}

#[test]
fn what_the_application_has_at_the_path_comes_first() {
    let own = |pages: Pages| start(Server::new().pages(pages), Shelves.into_service());
    let page = Page::new("openapi.json", "ours", |_| Ok(View::new("Own").plain("own page".to_owned())));
    let running = own(Pages::default().page(page));
    for path in ["/openapi.json", "/-/openapi.json"] {
        assert_eq!(get(&running, path, "").2, "own page", "{path}");
    }
    let service = Shelves.into_service().method("Count", |count| count.path("GET /openapi.json"));
    let running = start(Server::new(), service);
    assert!(!get(&running, "/openapi.json", "").2.contains("3.1.0"));
    assert!(get(&running, "/-/openapi.json", "").2.contains("3.1.0"));

    let router = || Router::new().route("/openapi.json", routing::get(async || "own router"));
    for (server, body) in
        [(Server::new().fallback(router()), "own router"), (Server::new().fallback(Router::new()), "")]
    {
        let running = start(server, Shelves.into_service());
        assert_eq!(get(&running, "/openapi.json", "").2, body);
        assert!(get(&running, "/-/openapi.json", "").2.contains("3.1.0"));
        assert_eq!(get(&running, "/health", "").2, "OK", "other pages are where they were");
    }
}
