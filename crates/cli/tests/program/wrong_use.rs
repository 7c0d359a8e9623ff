use crate::support::run;

/// Each error is reported on standard error alone.
#[test]
fn wrong_use_is_named_and_exits_2() {
    for (args, said) in [
        (&[][..], "Usage"),
        (&["bogus"], "bogus"),
        (&["serve", "--shards", "0"], "--shards"),
        (&["serve", "--listen", "127.0.0.1:99999"], "127.0.0.1:99999"),
        (&["serve", "--listen", "nonsense"], "nonsense"),
        (&["demo", "--duration", "soon"], "--duration"),
        (&["demo", "--cluster", "1"], "--cluster"),
        (&["demo", "--cluster", "2", "--balancers", "round"], "round"),
        (&["demo", "--balancers", "rr"], "--cluster"),
        (&["call"], "<METHOD>"),
        (&["call", "-p", "smoke", "a.B/C"], "known are "),
        (&["call", "-p", "smoke", "a.B/C"], ", websocket, websocket:h2"),
        (&["press", "-p", "smoke"], ", websocket, websocket:h2"),
        (&["call", "-p", "websocket:h3", "a.B/C"], "write \"websocket\" or \"websocket:h2\""),
        (&["serve", "--protocols", "http,websocket"], "it is part of http and h2"),
        (&["serve", "--port", "8001"], "--listen 127.0.0.1:8001"),
        (&["call", "-p", "tls", "a.B/C"], "not spoken yet"),
        (&["call", "-p", "mongo", "a.B/C"], "no client for it"),
        (&["call", "-p", "http:smoke", "a.B/C"], "no parameter \"smoke\""),
        (&["call", "-s", "nonsense", "example.EchoService/Echo"], "nonsense"),
        (&["call", "-s", "list://127.0.0.1:1", "--balancer", "round", "a.B/C"], "round"),
        (&["call", "-s", "127.0.0.1:1", "--balancer", "rr", "a.B/C"], "list://127.0.0.1:1"),
        (&["call", "-s", "lists://127.0.0.1:1", "a.B/C"], "lists://"),
        (&["press", "-p", "zmtp", "-m", "PUSH", "--balancer", "rr"], "--balancer: for calls"),
        (&["call", "example.EchoService/Echo", "--proto", "missing.proto"], "missing.proto"),
        (&["call", "-p", "fb_rpc", "a.B/C"], "known are flat.Echo/Echo, test.BenchmarkService/Test"),
        (&["call", "-p", "fb_rpc", "a.B/C", "--fbs", "missing.fbs"], "missing.fbs"),
        (&["call", "-p", "fb_rpc", "a.B/C", "--proto", "a.proto"], "--fbs"),
        (&["call", "-p", "http", "a.B/C", "--fbs", "a.fbs"], "--fbs: not over this protocol"),
        (&["call", "example.EchoService/Echo", "-d", "{\"message\":"], "line 1 column 11"),
        (&["call", "example.EchoService/Echo", "-d", "{\n\"message\": 5}"], "line 2 column"),
        (&["call", "example.EchoService/Echo", "-d", "{}"], "example.EchoRequest.message"),
        (&["call", "example.EchoService/Echo", "-d", "no-such-file.json"], "no-such-file.json"),
        (&["call", "example.EchoService/Echo", "-H", "novalue"], "NAME: VALUE"),
        (&["call", "-p", "http", "--connection-type", "single", "example.EchoService/Echo"], "Single"),
        (&["press", "--connections", "5", "--concurrency", "2"], "--connections 5"),
        (&["press", "-p", "http", "--connections", "5"], "--concurrency 5"),
        (&["press", "--qps", "0"], "--qps"),
        (&["press", "-p", "zmtp", "-m", "PUSH", "--qps", "9"], "--qps: for calls"),
        (&["press", "--hedge", "soon"], "auto"),
        (&["press", "--hedge", "5 s", "-s", "127.0.0.1:1"], "--hedge"),
        (&["call", "--hedge", "20ms", "example.StreamService/Chat"], "--hedge: methods that stream"),
        (
            &["press", "--hedge", "20ms", "-m", "example.StreamService/Chat"],
            "--hedge: example.StreamService/Chat",
        ),
        (&["gateway"], "--to URL, or a FILE"),
        (&["gateway", "--to", "127.0.0.1:1"], "grpc://127.0.0.1:1"),
        (&["gateway", "--to", "list://127.0.0.1:1"], "grpc+list://127.0.0.1:1"),
        (&["gateway", "--to", "grcp+list://127.0.0.1:1"], "write \"grpc\""),
        (&["gateway", "--to", "grpc://127.0.0.1:1", "--listen", "0.0.0.0:0"], "--allow-all"),
        (&["gateway", "--to", "grpc://127.0.0.1:1", "a.toml"], "FILE"),
        (&["gateway", "--to", "grpc://127.0.0.1:1", "--watch"], "--watch"),
        (&["gateway", "a.toml", "--listen", "127.0.0.1:0"], "--listen"),
        (&["gateway", "a.toml", "--tls"], "clusters.NAME.tls"),
        (&["gateway", "a.toml", "--tls-ca", "ca.pem"], "clusters.NAME.tls"),
        (&["gateway", "a.toml", "--dangerous-no-verify"], "clusters.NAME.tls"),
        (&["gateway", "--to", "grpc://127.0.0.1:1", "--protocols", "http"], "grpc-web, connect"),
        (
            &["gateway", "--to", "http://127.0.0.1:1"],
            "write grpc://127.0.0.1:1 for gRPC, connect://127.0.0.1:1",
        ),
        (&["gateway", "--to", "https://localhost:1"], "write grpc+https://localhost:1 for gRPC"),
        (&["gateway", "--to", "redis://127.0.0.1:1"], "not relayed over redis"),
        (&["gateway", "--to", "memcache://127.0.0.1:1"], "not relayed over memcache"),
        (&["gateway", "--to", "grpc:127.0.0.1:1"], "as in grpc://127.0.0.1:1"),
        (&["gateway", "--to", "grpc://127.0.0.1:1", "--listen", "7100"], "as in 127.0.0.1:7100"),
        (&["gateway", "--to", "redis://127.0.0.1:1"], "whose calls have no service"),
        (&["gateway", "missing.toml"], "missing.toml: No such file"),
        (&["gateway", "explain", "a.toml", "Echo"], "SERVICE/METHOD"),
        (&["view", "127.0.0.1:9101x"], "neither host:port nor [v6]:port"),
        (&["view", "127.0.0.1:0"], "neither host:port nor [v6]:port"),
        (&["view", "http://127.0.0.1:9101"], "neither host:port nor [v6]:port"),
        (&["view", "::1:9101"], "neither host:port nor [v6]:port"),
        (&["why"], "<ADDRESS>"),
        (&["why", "nonsense"], "nonsense"),
        (&["why", "list://127.0.0.1:1", "--text"], "--text"),
        (&["press", "--qps", "-1"], "-1"),
        (&["press", "--steps", "1,x"], "--steps"),
        (&["press", "--steps", "1.5"], "1.5"),
        (&["press", "--duration", "1 day"], "--duration"),
        // The name that another command once had for it.
        (&["press", "--seconds", "1 day"], "--duration"),
        (&["demo", "--seconds", "1 day"], "--duration"),
        (&["press", "--count", "0"], "--count"),
        (&["press", "--attachment-size", "9999999999"], "--attachment-size"),
        (&["press", "--blocking", "--qps", "5"], "--blocking"),
        (&["press", "-p", "redis", "--input", "SET \"open"], "quotes"),
        (&["press", "--output", "/no/such/directory/file"], "/no/such/directory/file"),
    ] {
        let ran = run(args).exits(2);
        assert!(ran.stderr.contains(said), "{args:?} must say {said:?}, and says {:?}", ran.stderr);
        assert_eq!(ran.stdout, "", "{args:?}");
    }
}

#[test]
fn a_port_in_use_is_named_without_a_place_in_a_file() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let ran = run(&["gateway", "--to", "grpc://127.0.0.1:1", "--listen", &address]).exits(1);
    let said = format!("polywire: cannot listen on {address}: Address already in use");
    assert!(ran.stderr.starts_with(&said), "{}", ran.stderr);
}

#[test]
fn a_server_that_is_not_there_is_named_and_exits_1() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    for protocol in ["baidu_std", "grpc", "http"] {
        let ran = run(&["call", "-s", &closed, "-p", protocol, "no.Such/Method"]).exits(1);
        let said = format!("polywire: cannot connect to {closed}: Connection refused");
        assert!(ran.stderr.starts_with(&said), "{protocol}: {}", ran.stderr);
        assert!(!ran.stderr.contains("example."), "{protocol}: {}", ran.stderr);
    }
    let ran = run(&["why", &closed]).exits(1);
    let said =
        format!("no answer of a page /why from {closed}: UNAVAILABLE (brpc 111): cannot connect to {closed}");
    assert!(ran.stderr.contains(&said), "{}", ran.stderr);
    let ran = run(&["press", "--server", &closed, "--json"]).exits(1);
    let said = format!(
        "polywire: UNAVAILABLE (brpc 111): cannot connect to {closed}: Connection refused (os error 111)\n"
    );
    assert_eq!((ran.stderr, ran.stdout), (said, String::new()));
}
