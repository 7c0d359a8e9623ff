//! `call` and `press` with several servers.

use crate::support::{Server, counted, run};

#[test]
fn a_load_is_shared_by_the_servers_of_a_list() {
    let servers = [Server::start(), Server::start()];
    let list = format!("list://{},{}", servers[0].address, servers[1].address);
    let press = ["press", "--server", &list, "--balancer", "rr", "--count", "100", "--json"];
    let json = run(&press).succeeds().json();
    assert_eq!((&json["status"]["OK"], &json["errors"]), (&100.into(), &0.into()), "{json}");
    assert_eq!((&json["server"], &json["balancer"]), (&list.clone().into(), &"rr".into()));
    assert_eq!(json["connections"], 2, "{json}");
    let shares = servers.each_ref().map(counted);
    assert!(shares.iter().all(|share| (49..=51).contains(share)), "{shares:?}");
}

#[test]
fn calls_with_equal_keys_go_to_one_server_of_a_file() {
    let servers = [Server::start(), Server::start()];
    let file = std::env::temp_dir().join(format!("polywire-fleet-{}", std::process::id()));
    std::fs::write(&file, format!("{}\n{}\n", servers[0].address, servers[1].address)).unwrap();
    let url = format!("file://{}", file.display());
    let call = ["call", "-s", &url, "--balancer", "c_murmurhash", "example.EchoService/Echo"];
    for _ in 0..2 {
        run(&[&call[..], &["--key", "7", "--repeat", "3", "--interval", "0"]].concat()).succeeds();
    }
    let mut shares = servers.each_ref().map(counted);
    shares.sort();
    assert_eq!(shares, [0, 6]);
    let keyless = run(&call).exits(1);
    assert!(keyless.stderr.contains("key"), "{}", keyless.stderr);
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_call_goes_to_a_server_that_is_there() {
    let server = Server::start();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let list = format!("list://{closed},{}", server.address);
    let call = ["call", "-s", &list, "--balancer", "rr", "--retries", "1", "example.EchoService/Echo"];
    run(&[&call[..], &["--repeat", "4", "--interval", "0"]].concat()).succeeds();
    assert_eq!(counted(&server), 4);
}

#[test]
fn a_call_that_takes_long_is_sent_a_second_time() {
    let servers = [Server::start(), Server::with(&["--listen", "127.0.0.1:0", "--sleep-ms", "60000"])];
    let list = format!("list://{},{}", servers[0].address, servers[1].address);
    let call = ["call", "-s", &list, "--balancer", "rr", "--hedge", "20ms", "--timeout-ms", "30000"];
    let repeat =
        ["--repeat", "2", "--interval", "0", "helloworld.Greeter/SayHello", "-d", "{\"name\":\"A\"}"];
    let ran = run(&[&call[..], &repeat].concat()).succeeds();
    assert_eq!(ran.stdout, "{\"message\":\"Hello A\"}\n".repeat(2));
}

/// What the bootstrap says is tested where it is read.
#[test]
fn a_control_plane_is_asked_where_the_bootstrap_says() {
    let call = ["call", "-s", "xds:///shop", "-p", "grpc", "example.EchoService/Echo"];
    let without = run(&call).exits(2);
    assert!(without.stderr.contains("GRPC_XDS_BOOTSTRAP"), "{}", without.stderr);
}
