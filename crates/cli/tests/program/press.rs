use crate::support::{Ran, Server, polywire, run, signal};
use polywire_cli::protocols::{SAMPLES, Sample};
use serde_json::Value;
use std::{
    fs,
    io::{BufRead, BufReader, Read},
    process::Stdio,
};

fn press(server: &Server, options: &[&str]) -> Value {
    let args = [&["press", "--server", &server.address, "--json"][..], options].concat();
    let ran = run(&args).succeeds();
    assert_eq!(ran.stdout.lines().count(), 1);
    ran.json()
}

fn number(json: &Value, name: &str) -> f64 {
    json[name].as_f64().unwrap_or_else(|| panic!("{name} is no number in {json}"))
}

#[test]
fn a_count_of_calls_is_made_exactly_and_every_figure_is_there() {
    let server = Server::start();
    let json =
        press(&server, &["--count", "1001", "--concurrency", "7", "--connections", "3", "--threads", "2"]);
    assert_eq!((json["calls"].as_u64(), json["errors"].as_u64()), (Some(1001), Some(0)));
    assert_eq!(json["status"], serde_json::json!({ "OK": 1001 }));
    assert_eq!((&json["callers"], &json["connections"], &json["threads"]), (&7.into(), &3.into(), &2.into()));
    assert_eq!(json["method"], "example.EchoService/Echo");
    for name in ["calls_per_s", "bytes_per_s", "cpu_us_per_call", "duration_s"] {
        assert!(number(&json, name) > 0.0, "{name} in {json}");
    }
    let order = ["min_us", "p50_us", "p90_us", "p99_us", "p999_us", "max_us"].map(|name| number(&json, name));
    assert!(order.is_sorted() && order[0] >= 1.0, "{json}");
    assert!((order[0]..=order[5]).contains(&number(&json, "avg_us")), "{json}");
    let rate = number(&json, "calls") / number(&json, "duration_s");
    assert!((number(&json, "calls_per_s") / rate - 1.0).abs() < 0.05, "{json}");
    let bars = json["histogram"].as_array().unwrap();
    assert_eq!(bars.iter().map(|bar| bar["calls"].as_u64().unwrap()).sum::<u64>(), 1001);
    assert!(bars.iter().all(|bar| number(bar, "from_us") < number(bar, "to_us")));
    // The server has counted the same number.
    let status = run(&["call", "-s", &server.address, "-p", "http", "GET /status"]).stdout;
    assert!(status.contains("Echo\ncount: 1001\n"), "{status}");
}

#[test]
fn every_protocol_can_be_pressed() {
    let server = Server::start();
    // With the default method.
    for Sample { protocol, method, .. } in SAMPLES {
        let json = press(&server, &["--protocol", protocol, "--count", "8", "--concurrency", "4"]);
        assert_eq!((&json["status"]["OK"], &json["method"]), (&8.into(), &(*method).into()), "{json}");
    }
    for options in [
        &["--protocol", "http", "--method", "helloworld.Greeter.SayHello"][..],
        &["--protocol", "http", "--method", "GET /health"],
        &["--protocol", "redis", "--method", "SET key value"],
        &["--protocol", "redis", "--input", "[\"SET\",\"n\",1]\nINCR n\nGET n"],
        &["--method", "test.BenchmarkService.Test", "--attachment-size", "1000"],
        &["--protocol", "fb_rpc", "--fbs", concat!(env!("CARGO_MANIFEST_DIR"), "/proto/flat.fbs")],
        &["--protocol", "fb_rpc:v1", "--method", "test.BenchmarkService/Test"],
        &["--compress", "gzip", "--metadata", "user=me"],
        &["--connection-type", "pooled"],
        &["--connection-type", "short"],
        &["--blocking"],
    ] {
        let json = press(&server, &[&["--count", "60", "--concurrency", "4"][..], options].concat());
        assert_eq!(json["status"], serde_json::json!({ "OK": 60 }), "{options:?}");
        assert_eq!(json["callers"], 4);
    }
}

#[test]
fn attachments_count_as_bytes() {
    let server = Server::start();
    let json = press(&server, &["--count", "10", "--attachment-size", "100000"]);
    let bytes = number(&json, "bytes_per_s") * number(&json, "duration_s");
    // Both directions, in addition to two short messages.
    assert!((bytes / 10.0 - 200_000.0).abs() < 2_000.0, "{json}");
}

#[test]
fn an_open_loop_sends_what_was_planned() {
    let server = Server::start();
    let json = press(&server, &["--qps", "500", "--duration", "1s"]);
    let (calls, unsent) = (number(&json, "calls"), number(&json, "unsent"));
    assert_eq!((calls + unsent, json["qps"].as_f64()), (500.0, Some(500.0)), "{json}");
    assert_eq!((json["errors"].as_u64(), json["callers"].as_u64()), (Some(0), Some(1000)));
}

#[test]
fn an_open_loop_tells_what_a_slow_server_kept_it_from_sending() {
    let server = Server::with(&["--listen", "127.0.0.1:0", "--sleep-ms", "100"]);
    let method = ["--method", "helloworld.Greeter/SayHello"];
    let options = ["--qps", "100", "--duration", "1s", "--concurrency", "2", "--timeout-ms", "0"];
    let json = press(&server, &[&method[..], &options].concat());
    // Two callers make some twenty calls a second; latencies count from the plan, so they grow.
    assert!(number(&json, "unsent") > 50.0 && number(&json, "late") > 5.0, "{json}");
    assert!(number(&json, "max_us") > 400_000.0, "{json}");
}

#[test]
fn steps_have_a_row_each() {
    let server = Server::start();
    let json = press(&server, &["--steps", "1,5", "--count", "100"]);
    let steps = json["steps"].as_array().unwrap();
    assert_eq!(steps.iter().map(|step| step["callers"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 5]);
    assert!(steps.iter().all(|step| step["calls"] == 100));
    assert_eq!(json["calls"], 200);
    let ran = run(&["press", "-s", &server.address, "--steps", "1,5", "--count", "100"]).succeeds();
    assert_eq!(ran.stdout.lines().filter(|line| line.starts_with('|')).count(), 4, "{}", ran.stdout);
}

#[test]
fn the_summary_is_text_for_people() {
    let server = Server::start();
    let ran = run(&["press", "-s", &server.address, "--count", "50"]).succeeds();
    for part in ["example.EchoService/Echo at", "1 caller,", "50 in ", "p99.9", "CPU here", "#"] {
        assert!(ran.stdout.contains(part), "{part} in {}", ran.stdout);
    }
}

#[test]
fn replies_are_written_one_a_line() {
    let server = Server::start();
    let file = std::env::temp_dir().join(format!("polywire-press-{}.json", std::process::id()));
    let input = "{\"message\":\"a\"} {\"message\":\"b\"}";
    press(&server, &["--count", "4", "--input", input, "--output", file.to_str().unwrap()]);
    let text = fs::read_to_string(&file).unwrap();
    let ab = "{\"message\":\"a\"}\n{\"message\":\"b\"}\n";
    assert_eq!(text, ab.repeat(2));
    fs::remove_file(file).unwrap();
}

#[test]
fn failures_are_counted_by_code_with_a_message() {
    let server = Server::with(&["--listen", "127.0.0.1:0", "--sleep-ms", "60000"]);
    let args = ["press", "-s", &server.address, "--json", "-m", "helloworld.Greeter.SayHello"];
    let ran = run(&[&args[..], &["--timeout-ms", "20", "--count", "5"]].concat()).exits(1);
    let json = ran.json();
    assert_eq!(json["status"], serde_json::json!({ "DEADLINE_EXCEEDED": 5 }));
    assert_eq!((json["errors"].as_u64(), json["calls"].as_u64()), (Some(5), Some(5)));
    assert!(json["messages"]["DEADLINE_EXCEEDED"].as_str().unwrap().contains("deadline"));
    assert_eq!(number(&json, "max_us"), 0.0);
    let server = Server::start();
    let args = ["press", "-s", &server.address, "--json", "-p", "redis", "-m", "LPOP", "--count", "5"];
    assert_eq!(run(&args).exits(1).json()["status"], serde_json::json!({ "ERR": 5 }));
}

#[test]
fn ctrl_c_ends_a_press_early_with_its_summary() {
    let server = Server::start();
    let args = ["press", "-s", &server.address, "--json", "--duration", "0"];
    let mut child = polywire(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut second = String::new();
    stderr.read_line(&mut second).unwrap();
    assert!(second.contains("1 s"), "{second}");
    // On a busy machine the first second may have no calls.
    while !second.contains("p99") && second.lines().count() < 30 {
        stderr.read_line(&mut second).unwrap();
    }
    assert!(second.contains("p99"), "{second}");
    signal(&child, "INT");
    stderr.read_to_string(&mut second).unwrap();
    let json = Ran::new(&args, child.wait_with_output().unwrap()).succeeds().json();
    assert!(number(&json, "calls") > 0.0 && json["errors"] == 0, "{json}");
}

#[test]
fn a_server_that_dies_ends_in_counted_failures() {
    let server = Server::start();
    let args = ["press", "-s", &server.address, "--json", "--duration", "3s", "--concurrency", "10"];
    let mut child = polywire(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut second = String::new();
    stderr.read_line(&mut second).unwrap();
    server.signal("KILL");
    stderr.read_to_string(&mut second).unwrap();
    let json = Ran::new(&args, child.wait_with_output().unwrap()).succeeds().json();
    let status = json["status"].as_object().unwrap();
    assert!(number(&json, "errors") > 0.0, "{json}");
    assert!(status.keys().all(|code| ["OK", "UNAVAILABLE"].contains(&&**code)), "{json}");
}

#[test]
fn methods_that_stream_are_pressed_a_whole_call_at_a_time() {
    let server = Server::start();
    // Messages of a call, in both directions.
    for (method, input, messages) in [
        ("Repeat", "{\"message\":\"x\",\"count\":20}", 1 + 20),
        ("Collect", "{\"message\":\"x\"}", 10 + 1),
        ("Chat", "{\"message\":\"x\"}{\"message\":\"y\"}", 10 + 10),
    ] {
        let method = format!("example.StreamService/{method}");
        let options =
            ["-p", "grpc", "-m", &method, "-i", input, "--messages", "10", "-c", "3", "--count", "30"];
        let json = press(&server, &options);
        assert_eq!(json["status"], serde_json::json!({ "OK": 30 }), "{json}");
        assert_eq!(json["stream_messages"], 30 * messages, "{method}");
    }
    let args =
        ["press", "-s", &server.address, "-p", "grpc", "-m", "example.StreamService/Chat", "--blocking"];
    assert!(run(&args).exits(2).stderr.contains("no blocking interface"));
    let args = ["press", "-s", &server.address, "-p", "hulu_pbrpc", "-m", "example.StreamService/Chat"];
    let ran = run(&[&args[..], &["--count", "3"]].concat()).exits(1);
    assert!(ran.stdout.contains("UNIMPLEMENTED"), "hulu_pbrpc has no streams: {}", ran.stdout);
}

#[test]
fn what_is_pushed_is_published() {
    let server = Server::start();
    let mut push =
        polywire(&["press", "-s", &server.address, "-p", "zmtp", "-m", "PUSH", "-i", "news today"]);
    let mut push = push.args(["-d", "0"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let sub = press(&server, &["-p", "zmtp", "-m", "SUB", "-c", "2", "-i", "news", "-d", "500ms"]);
    assert_eq!((&sub["sockets"], &sub["method"]), (&2.into(), &"SUB".into()));
    for name in ["messages", "messages_per_s", "cpu_us_per_message"] {
        assert!(number(&sub, name) > 0.0, "{name} in {sub}");
    }
    let bytes = number(&sub, "bytes_per_s") / number(&sub, "messages_per_s");
    assert!((bytes - 10.0).abs() < 0.1, "news today: {sub}");
    signal(&push, "INT");
    let mut text = String::new();
    push.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(push.wait().unwrap().success() && text.contains("messages/s"), "{text}");
    let other = press(&server, &["-p", "zmtp", "-m", "PUSH", "-d", "300ms"]);
    assert!(number(&other, "messages") > 0.0, "{other}");
}
