//! What a server says when it starts, and paths that are given there.

use super::{Shelves, ask, channel, library::Library};
use polywire::{Content, HttpRule, Json, Method, Server, Target};

fn error(name: &str, configure: impl FnOnce(Method) -> Method) -> String {
    let service = Shelves.into_service().method(name, configure);
    match Server::new().service(service).listen("127.0.0.1:0").start() {
        Ok(_) => panic!("it starts"),
        Err(error) => error.to_string(),
    }
}

#[tokio::test]
async fn wrong_rules_end_the_start_and_name_their_method() {
    for (rule, reason) in [
        (HttpRule::get("/v1/{id}"), "library.v1.GetBookRequest has no field id"),
        (HttpRule::get("/v1/{name"), "without its `}`"),
        (HttpRule::get("/v1/{mask.paths}"), "mask.paths is repeated"),
        (HttpRule::get("/v1/books/{name}:x").response_body("y"), "library.v1.Book has no field y"),
        (HttpRule::put("/v1/x").body("book"), "library.v1.GetBookRequest has no field book"),
        (HttpRule::get("/v1/echo"), "of library.v1.Library/GetBook takes the same requests"),
    ] {
        let text = error("GetBook", |method| method.http_rules(&[rule]));
        let (first, other) = (format!("{} {}", rule.verb, rule.path), "library.v1.Library/");
        assert!(text.contains(reason) && text.contains(&first) && text.contains(other), "{text}");
    }
    let text = error("GetBook", |method| method.path("/v1/{id}"));
    assert!(text.contains("path \"/v1/{id}\" of library.v1.Library/GetBook"), "{text}");
    assert!(text.contains("library.v1.GetBookRequest has no field id"), "{text}");
}

#[tokio::test]
async fn paths_that_are_given_at_the_start_bind_as_well() {
    let service = Shelves
        .into_service()
        .method("Echo", |echo| {
            echo.http_rules(&[]).path("GET|DELETE|PUT /e/{f_int64}/{inner.f_string}").path("GET /e/*")
        })
        .method("GetBook", |get| get.http(HttpRule::post("/lend/{name}")));
    let running = Server::new().service(service).listen("127.0.0.1:0").start().expect("it starts");
    let channel = channel(&running, "http").await;
    for (verb, path, body, expected) in [
        ("GET", "/e/5/a?f_bool=1", "", r#"{"f_int64":5,"f_bool":true,"inner":{"f_string":"a"}}"#),
        ("DELETE", "/e/5/a?f_bool=1", "", r#"{"f_int64":5,"f_bool":true,"inner":{"f_string":"a"}}"#),
        (
            "PUT",
            "/e/5/a?f_bool=1",
            r#"{"f_int32":2}"#,
            r#"{"f_int32":2,"f_int64":5,"inner":{"f_string":"a"}}"#,
        ),
        ("GET", "/e/5/a/b?f_bool=1", r#"{"f_int32":2}"#, r#"{"f_int32":2}"#),
        ("POST", "/lend/x", "", r#"{"name":"x"}"#),
        ("GET", "/v1/shelves/1/books/2", "", r#"{"name":"shelves/1/books/2"}"#),
    ] {
        assert_eq!(ask(&channel, verb, path, body).await.as_deref(), Ok(expected), "{verb} {path}");
    }
    let wrong = ask(&channel, "GET", "/e/x/a", "").await.unwrap_err();
    assert_eq!(wrong, "f_int64: not an integer of its range", "a path's failures are texts");
    assert!(ask(&channel, "GET", "/v1/echo", "").await.is_err(), "its own rules are gone");
    running.stop().await;
}

#[tokio::test]
async fn what_json_means_to_a_server_it_means_to_rules() {
    let service = Shelves.into_service();
    let running = Server::new().json(Json::DEFAULT).service(service).listen("127.0.0.1:0").start().unwrap();
    let channel = channel(&running, "http").await;
    let reply = ask(&channel, "GET", "/v1/echo?f_int64=5", "").await;
    assert_eq!(reply.as_deref(), Ok(r#"{"f_int64":5}"#));
    running.stop().await;
}

#[tokio::test]
async fn paths_that_say_nothing_about_bodies_take_all_formats() {
    let service = Shelves.into_service().method("Echo", |echo| {
        let echo = echo.http_rules(&[]).path("ANY /text").path("PUT /text/{f_bool}").path("PUT /star/*");
        echo.allow_default_url()
    });
    let running = Server::new().service(service).listen("127.0.0.1:0").start().expect("it starts");
    for protocol in ["http", "h2"] {
        let channel = channel(&running, protocol).await;
        for (verb, path, expected) in [
            ("POST", "/library.v1.Library/Echo", "f_int32: 5\n"),
            ("POST", "/text", "f_int32: 5\n"),
            ("POST", "/text/?f_bool=1", "f_int32: 5\n"),
            ("PUT", "/text", "f_int32: 5\n"),
            ("DELETE", "/text", "f_int32: 5\n"),
            ("DELETE", "/text?f_bool=1", "f_int32: 5\nf_bool: true\n"),
            ("PUT", "/text/true", "f_int32: 5\nf_bool: true\n"),
            ("PUT", "/star/true", "f_int32: 5\n"),
        ] {
            let call = channel.call(Target::named("", path), "f_int32: 5").content(Content::PROTO_TEXT);
            let answer = call.metadata(":method", verb).await.map(|reply| reply.body.to_vec());
            let answer = answer.map(|body| String::from_utf8(body).expect("text"));
            assert_eq!(answer.as_deref(), Ok(expected), "{protocol} {verb} {path}");
        }
        for (verb, path, body, expected) in [
            ("GET", "/text?f_bool=1", "", r#"{"f_bool":true}"#),
            ("GET", "/text", "", "{}"),
            ("POST", "/text", "", "{}"),
            ("POST", "/text?f_bool=1", r#"{"f_int32":5}"#, r#"{"f_int32":5}"#),
        ] {
            assert_eq!(ask(&channel, verb, path, body).await.as_deref(), Ok(expected), "{verb} {path}");
        }
    }
    running.stop().await;
}

#[tokio::test]
async fn a_path_with_a_colon_comes_before_a_variable_with_the_suffix() {
    let service = Shelves
        .into_service()
        .method("Echo", |echo| echo.http_rules(&[HttpRule::get("/v9/{f_string}:cancel")]))
        .method("GetBook", |get| get.http_rules(&[]).path("GET /v9/all:cancel"));
    let running = Server::new().service(service).listen("127.0.0.1:0").start().expect("it starts");
    let channel = channel(&running, "http").await;
    for (path, expected) in
        [("/v9/all:cancel?name=x", r#"{"name":"x"}"#), ("/v9/one:cancel?name=x", r#"{"fString":"one"}"#)]
    {
        assert_eq!(ask(&channel, "GET", path, "").await.as_deref(), Ok(expected), "{path}");
    }
    running.stop().await;
}
