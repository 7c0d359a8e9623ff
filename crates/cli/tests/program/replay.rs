use crate::support::{Folder, Server, run};
use polywire_cli::protocols::{SAMPLES, Sample};
use serde_json::Value;

/// Requests of these protocols, recorded by a server.
fn record(folder: &Folder, protocols: impl Iterator<Item = &'static Sample>) -> usize {
    let server = Server::with(&["--listen", "127.0.0.1:0", "--dump", folder.as_str()]);
    let mut n = 0;
    for Sample { protocol, method, .. } in protocols {
        let press = ["press", "-s", &server.address, "-p", protocol, "-m", method, "-n", "3", "--json"];
        assert_eq!(run(&press).succeeds().json()["errors"], 0, "{protocol}");
        n += 3;
    }
    server.signal("TERM");
    assert_eq!(server.ended().0, Some(0));
    n
}

fn replay(folder: &Folder, server: &Server, more: &[&str]) -> Value {
    let args = [&["replay", folder.as_str(), "-s", &server.address, "--json"][..], more].concat();
    run(&args).succeeds().json()
}

/// Its calls stream in both directions, and messages of such streams are not recorded.
const STREAMS: &str = "streaming_rpc";
/// Its sample is a service that is called by another name than it is recorded under.
const CALLED_OTHERWISE: &str = "fb_rpc_v0";

fn is_replayed(sample: &Sample) -> bool {
    ![STREAMS, CALLED_OTHERWISE].contains(&sample.protocol)
}

#[test]
fn requests_of_every_protocol_are_recorded_and_replayed() {
    let folder = Folder::new("replay");
    let recorded = record(&folder, SAMPLES.iter().filter(|sample| is_replayed(sample)));
    let server = Server::start();
    let json = replay(&folder, &server, &["--concurrency", "2"]);
    assert_eq!((&json["calls"], &json["errors"]), (&recorded.into(), &0.into()), "{json}");
    let json = replay(&folder, &server, &["--qps", "500", "--times", "2"]);
    assert_eq!((&json["calls"], &json["errors"]), (&(2 * recorded).into(), &0.into()), "{json}");
}

#[test]
fn lines_of_convert_become_the_same_file() {
    let folder = Folder::new("replay");
    record(&folder, SAMPLES.iter().filter(|sample| is_replayed(sample)));
    let lines = run(&["convert", folder.as_str()]).succeeds().stdout;
    assert!(lines.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{lines}");
    let [made, text] = ["made", "lines"].map(|name| folder.path(name));
    std::fs::write(&text, &lines).unwrap();
    let args = ["convert", &text, "-o", &made];
    run(&args).succeeds();
    let mut files: Vec<_> =
        std::fs::read_dir(folder.as_str()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.to_str().unwrap().contains("requests."));
    assert_eq!(files.len(), 1);
    assert_eq!(std::fs::read(made).unwrap(), std::fs::read(&files[0]).unwrap());
}

#[test]
fn two_servers_are_compared_and_the_exit_code_says_whether_they_differ() {
    let folder = Folder::new("replay");
    let recorded = record(&folder, SAMPLES.iter().filter(|sample| is_replayed(sample)));
    let (one, other) = (Server::start(), Server::start());
    let compare = |with: &Server, more: &[&str]| {
        let args = ["replay", folder.as_str(), "-s", &one.address, "--compare", &with.address, "--json"];
        run(&[&args[..], more].concat())
    };
    let json = compare(&other, &[]).succeeds().json();
    assert_eq!((&json["requests"], &json["different"]), (&recorded.into(), &0.into()), "{json}");
    // a server without some of the protocols answers differently
    let third = Server::with(&["--listen", "127.0.0.1:0", "--protocols", "baidu_std,h2"]);
    let json = compare(&third, &["--show", "2"]).exits(1).json();
    assert!(json["different"].as_u64().unwrap() > 0, "{json}");
    assert_eq!(json["differences"].as_array().unwrap().len(), 2);
    assert!(json["places"]["status"].as_u64().unwrap() > 0, "{json}");
}

/// The lines of `convert` for a dump.
fn lines(folder: &Folder) -> Vec<Value> {
    let lines = run(&["convert", folder.as_str()]).succeeds().stdout;
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A file of dump with these records.
fn dump_of(folder: &Folder, lines: &[Value]) -> String {
    let [text, file] = ["lines", "made"].map(|name| folder.path(name));
    let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    std::fs::write(&text, lines.join("\n")).unwrap();
    run(&["convert", &text, "-o", &file]).succeeds();
    file
}

#[test]
fn records_of_a_protocol_without_a_client_are_left_out() {
    let folder = Folder::new("replay");
    record(&folder, SAMPLES.iter().filter(|sample| sample.protocol == "redis"));
    let mut lines = lines(&folder);
    lines[1]["protocol"] = "mongo".into();
    let file = dump_of(&folder, &lines);
    let server = Server::start();
    for more in [&[][..], &["--qps", "500"], &["--compare", &server.address]] {
        let ran = run(&[&["replay", &file, "-s", &server.address, "--json"][..], more].concat()).succeeds();
        assert!(
            ran.stderr.contains("1 record left out: this program has no client of mongo"),
            "{}",
            ran.stderr
        );
        let json = ran.json();
        let sent = if more.contains(&"--compare") { &json["requests"] } else { &json["calls"] };
        assert_eq!(sent, 2, "{json}");
    }
}

#[test]
fn calls_of_pages_over_websocket_are_replayed_in_json() {
    let folder = Folder::new("replay");
    let server = Server::with(&["--listen", "127.0.0.1:0", "--dump", folder.as_str()]);
    for (method, data) in [
        ("StreamService/Repeat", "{\"message\":\"a\",\"count\":2}"),
        ("EchoService/Echo", "{\"message\":\"a\"}"),
    ] {
        let method = format!("example.{method}");
        run(&["call", "-s", &server.address, "-p", "websocket", &method, "-d", data]).succeeds();
    }
    server.signal("TERM");
    assert_eq!(server.ended().0, Some(0));
    let server = Server::start();
    let json = replay(&folder, &server, &[]);
    assert_eq!((&json["calls"], &json["errors"]), (&2.into(), &0.into()), "{json}");
}

#[test]
fn failures_at_both_servers_are_told_though_they_are_alike() {
    let folder = Folder::new("replay");
    record(&folder, SAMPLES.iter().filter(|sample| sample.protocol == "redis"));
    let mut lines = lines(&folder);
    lines[0]["payload"] = "*1\r\n$6\r\nABSENT\r\n".into();
    let file = dump_of(&folder, &lines);
    let (one, other) = (Server::start(), Server::start());
    let compare = ["replay", &file, "-s", &one.address, "--compare", &other.address];
    let text = run(&compare).succeeds().stdout;
    assert!(text.contains("\n1 of these failed at both, first: UNKNOWN: ERR unknown command"), "{text}");
    let json = run(&[&compare[..], &["--json"]].concat()).succeeds().json();
    assert_eq!((&json["failed_at_both"], &json["different"]), (&1.into(), &0.into()), "{json}");
}
