//! Flags and limits of a server, as its pages show and change them.

use super::support::*;
use polywire::{Pages, Running, Server, flags::Origin};
use std::{
    io::{Read, Write},
    net::TcpStream,
};

#[test]
fn flags_are_listed_by_name_in_three_forms() {
    let (running, flags, _) = with_flags();
    let head = "Name | Value | Description | Defined At\n---------------------------------------\n";
    let batch =
        "batch (R) | 64 | Rows that are written at once | a whole number (u64), at least 1, at most 1000\n";
    for path in ["/flags/batch", "/-/flags/b*", "/flags/ba$ch;none", "/flags/batch,"] {
        assert!(get(&running, path).ends_with(&format!("\r\n\r\n{head}{batch}")), "{}", get(&running, path));
    }
    let all = get(&running, "/flags");
    assert!(all.ends_with(&flags.table("")), "{all}");
    // those of the server, of its methods but not of its pages, and of names that can be those of flags
    for name in ["max_concurrency", "max_concurrency/test.Holding/Hold", "drain_limit", "immutable_flags"] {
        assert!(all.contains(&format!("\n{name} (R) | ")), "{name}: {all}");
    }
    assert_eq!(all.matches("\nmax_concurrency").count(), 2, "{all}");
    let one = get(&running, "/flags/max_concurrency/test.Holding/Hold?json");
    assert!(
        one.contains(
            r#""rows":[["max_concurrency/test.Holding/Hold",0,"max_concurrency/test.Holding/Hold","1","1","#
        ),
        "{one}"
    );
    let html = exchange(&running, "GET /flags", BROWSER, "").1;
    assert!(html.contains("href=\"flags/max_concurrency/test.Holding/Hold\""), "{html}");

    assert_eq!(change(&running, "/flags", "name=batch&value=128&for=600").0, 200);
    let json = get(&running, "/flags/batch?json");
    assert!(json.contains(r#"["batch",0,"batch","128","64","Rows that are written at once","#), "{json}");
    assert!(json.contains("\"console from 127.0.0.1:"), "{json}");
    assert!(get(&running, "/flags/batch").contains("batch (R) | 128 (default:64) | "));
    // nothing, and words that say so
    assert!(get(&running, "/flags/x*").ends_with(head));
    assert!(get(&start(Server::new()).0, "/flags").contains("Pages::flags(..)"));
}

#[test]
fn get_never_sets_a_flag_and_post_only_with_the_token() {
    let (running, flags, batch) = with_flags();
    let (own, other) = (token(&running), token(&start(Server::new()).0));
    const FORM: &str = "Host: localhost|Content-Type: application/x-www-form-urlencoded";
    let with = |token: &str| format!("{FORM}|X-Polywire-Token: {token}");
    let set = "name=batch&value=128";
    for (status, line, fields, body) in [
        (405, "GET /flags/batch?setvalue=128", with(&own), ""),
        (405, "GET /-/flags/batch?setvalue=128&withform", with(&own), ""),
        (405, "HEAD /flags/batch?setvalue=128", with(&own), ""),
        (200, "GET /flags?name=batch&value=128", with(&own), ""),
        (200, "GET /flags/batch?value=128", with(&own), ""),
        (200, "GET /flags", with(&own), set),
        (403, "POST /flags", FORM.to_owned(), set),
        (403, "POST /flags", with(&other), set),
        (403, "POST /flags", with(""), set),
        (403, "POST /flags/batch?setvalue=128", FORM.to_owned(), set),
        (403, "POST /flags", format!("{}|Origin: http://evil.example", with(&own)), set),
        (403, "POST /flags", format!("{}|X-Forwarded-For: 10.0.0.1", with(&own)), set),
        (421, "POST /flags", with(&own).replace("localhost", "evil.example"), set),
    ] {
        let (answered, answer) = exchange(&running, line, &fields, body);
        assert_eq!(answered, status, "{line} {fields}: {answer}");
    }
    assert_eq!((batch.get(), flags.changes().len()), (64, 0));

    let (status, answer) = change(&running, "/flags", set);
    assert!(status == 200 && answer.contains("# batch: 64 → 128\n"), "{answer}");
    let fields = format!("Host: localhost|Content-Type: application/json|X-Polywire-Token: {own}");
    let json = r#"{"name":"batch","value":256,"for":600}"#;
    let (status, answer) = exchange(&running, "POST /-/flags?json", &fields, json);
    assert!(
        status == 200
            && answer.contains(r#""facts":{"flag":"batch","old":"128","value":"256","goes_back_in":"#),
        "{answer}"
    );
    assert_eq!((batch.get(), flags.changes().len()), (256, 2));
    assert!(flags.goes_back_in("batch").is_some_and(|time| time.as_secs() > 590));
    let by = flags.last_change("batch").expect("two changes").origin;
    assert!(by.who == "console" && by.from.starts_with("127.0.0.1:"), "{by:?}");
}

#[test]
fn a_wrong_change_of_a_flag_is_refused_in_the_words_of_its_validator() {
    // Each server takes ten changes a second.
    let (running, flags, batch) = with_flags();
    let refused_by = |running: &Running, fields: &str, status: u16, words: &str| {
        let (answered, answer) = change(running, "/flags", fields);
        assert!(answered == status && answer.contains(words), "{fields}: {answer}");
    };
    let refused = |fields: &str, status, words: &str| refused_by(&running, fields, status, words);
    refused("name=batch&value=0", 400, "cannot set batch to \"0\": it has to be at least 1, at most 1000");
    refused("name=batch&value=many", 400, "it has to be a whole number (u64)");
    refused(&format!("name=batch&value={}", "1".repeat(1025)), 400, "more than 1024 bytes");
    refused("name=max_concurrency&value=automatic", 400, "write a number, unlimited, auto");
    refused("name=bacth&value=1", 404, "did you mean batch?");
    refused("value=1", 400, "the field name");
    refused("name=batch", 400, "the field value");
    let (timed, _, _) = with_flags();
    for time in ["0", "-1", "1.5", "31536001", "99999999999999999999", "ten"] {
        let fields = format!("name=batch&value=1&for={time}");
        refused_by(&timed, &fields, 400, "for has to be a number of seconds");
    }
    assert_eq!((batch.get(), flags.changes().len()), (64, 0));
    let origin = Origin::new("the test", "here");
    flags.set("immutable_flags", "true", &origin).expect("it can be set once");
    refused("name=batch&value=1", 403, "immutable_flags is on");
    refused("name=immutable_flags&value=false", 403, "immutable_flags is on");
    assert_eq!(batch.get(), 64);
    for (path, words) in [("/flags/bacth", "did you mean batch?"), ("/flags/%00", "no flag is called")] {
        let (status, answer) = exchange(&running, &format!("GET {path}"), "", "");
        assert!(status == 404 && answer.contains(words), "{answer}");
    }
}

#[test]
fn hostile_names_and_values_of_flags_are_shown_and_obeyed_by_nobody() {
    let (running, flags, _) = with_flags();
    let hostile = "%3Cscript%3Ealert(1)%3C%2Fscript%3E%22'%26%1b%5B2J%E2%80%AE%0A";
    let is_harmless = |answer: &str, what: &str| {
        let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
        assert!(!body.contains('\x1b') && !body.contains('\u{202e}'), "{what}: {body}");
        if head.contains("text/html") {
            assert!(body.matches("<script").count() <= 1 && !body.contains("<script>"), "{what}: {body}");
        }
        if head.contains("json") {
            assert!(!body.contains('<'), "{what}: {body}");
        }
    };
    let (status, answer) = change(&running, "/flags", &format!("name=motto&value={hostile}"));
    assert_eq!(status, 200, "{answer}");
    is_harmless(&answer, "the answer as text");
    assert_eq!(flags.find("motto").expect("it").value(), HOSTILE.to_owned() + "\n", "it is kept as it is");
    let token = token(&running);
    for (path, fields) in
        [("/flags", "Host: localhost"), ("/flags?json", "Host: localhost"), ("/flags", BROWSER)]
    {
        for path in [path.to_owned(), path.replace("/flags", "/flags/motto")] {
            let (status, answer) = exchange(&running, &format!("GET {path}"), fields, "");
            assert!(status == 200 && answer.contains("alert(1)"), "{path}: {answer}");
            is_harmless(&answer, &path);
        }
        // as a name: in the address and in the form
        let (status, answer) = exchange(
            &running,
            &format!("GET {}", path.replace("/flags", &format!("/flags/{hostile}"))),
            fields,
            "",
        );
        assert_eq!(status, 404, "{answer}");
        is_harmless(&answer, path);
        let form =
            format!("{fields}|Content-Type: application/x-www-form-urlencoded|X-Polywire-Token: {token}");
        for (expected, body) in [
            (404, format!("name={hostile}&value=1")),
            (400, format!("name=batch&value={hostile}")),
            (400, format!("name=batch&value=1&for={hostile}")),
        ] {
            let (status, answer) = exchange(&running, &format!("POST {path}"), &form, &body);
            assert_eq!(status, expected, "{answer}");
            is_harmless(&answer, path);
        }
    }
    // a pattern that costs much with every flag
    let long = "*a".repeat(600);
    assert_eq!(exchange(&running, &format!("GET /flags/{long}"), "", "").0, 400);
    assert_eq!(exchange(&running, &format!("GET /flags/{}", &long[..1024]), "", "").0, 200);
}

#[test]
fn a_set_of_flags_has_the_limits_of_one_server() {
    let (_running, flags, _) = with_flags();
    let error = Server::new()
        .pages(Pages::default().flags(&flags))
        .listen("127.0.0.1:0")
        .start()
        .err()
        .expect("they are taken");
    assert!(error.to_string().contains("there are two flags \"max_concurrency\""), "{error}");
}

#[test]
fn limits_say_what_they_have_refused_and_change_by_their_flags() {
    let (running, _, _) = with_flags();
    let quiet = get(&running, "/limits");
    assert!(quiet.contains("\n# Nothing was refused since the start.\n"), "{quiet}");
    let call = |line: &str| {
        let mut stream = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
        let head =
            format!("{line} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("it reads");
        stream
    };
    let row = |now: u32, refused: u32| {
        format!(r#"["max_concurrency/test.Holding/Hold",1,"test.Holding/Hold","1",{now},1,1,{refused},null]"#)
    };
    let _held = call("POST /test.Holding/Hold");
    let shown = |expected: &str| {
        let arrived = (0..1000).any(|_| get(&running, "/limits?json").contains(expected));
        assert!(arrived, "{expected}: {}", get(&running, "/limits?json"));
    };
    shown(&row(1, 0));
    let (status, _) = exchange(&running, "POST /test.Holding/Hold", "", "");
    assert_eq!(status, 503);
    shown(&row(1, 1));
    let json = get(&running, "/limits?json");
    assert!(
        json.contains(r#"["concurrency test.Holding/Hold",0,"concurrency","test.Holding/Hold",1]"#),
        "{json}"
    );
    // a peer whose bytes are no request
    let mut garbage = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
    garbage.write_all(&[0xff; 64]).expect("it reads");
    let _ = garbage.read_to_end(&mut Vec::new());
    shown(r#"["fault_malformed",0,"fault_malformed",1]"#);

    let html = exchange(&running, "GET /limits", BROWSER, "").1;
    assert!(html.contains("href=\"flags/max_concurrency/test.Holding/Hold\""), "{html}");
    assert!(!html.contains("<script>") && !html.contains('\x1b'), "{html}");
    assert!(!get(&running, "/limits").contains('\x1b'));
    let (status, answer) = change(&running, "/flags", "name=max_concurrency/test.Holding/Hold&value=2");
    assert_eq!(status, 200, "{answer}");
    shown(r#""test.Holding/Hold","2",1,2,1,1,null]"#);
}
