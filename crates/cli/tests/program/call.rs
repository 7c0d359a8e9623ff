use crate::support::{Server, polywire, run};
use polywire_cli::protocols::{SAMPLES, Sample};
use std::{fs, io::Write, process::Stdio};

fn scratch(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("polywire-call-{}-{name}", std::process::id()))
}

#[test]
fn a_service_answers_every_protocol_with_the_same_json() {
    let server = Server::start();
    for protocol in ["baidu_std", "http", "http:proto"] {
        for method in ["example.EchoService.Echo", "example.EchoService/Echo"] {
            let args = [
                "call",
                "-s",
                &server.address,
                "-p",
                protocol,
                method,
                "-d",
                "{\"message\":\"\\u00e9 \\\"\"}",
            ];
            let ran = run(&args).succeeds();
            assert_eq!((&*ran.stdout, &*ran.stderr), ("{\"message\":\"\u{e9} \\\"\"}\n", ""), "{protocol}");
        }
    }
}

#[test]
fn every_protocol_answers_as_the_table_has_it() {
    let server = Server::start();
    for Sample { protocol, method, request, reply, .. } in SAMPLES {
        let first = request.lines().next().unwrap(); // if there are several
        let ran = run(&["call", "-s", &server.address, "-p", protocol, method, "-d", first]).succeeds();
        assert_eq!((&*ran.stdout, &*ran.stderr), (&*format!("{reply}\n"), ""), "{protocol}");
    }
}

#[test]
fn one_service_answers_old_clients_and_new_ones() {
    let server = Server::start();
    // Methods by name, errors by number: the second service of the program.
    for protocol in ["ubrpc_mcpack2", "ubrpc_compack", "public_pbrpc", "sofa_pbrpc", "hulu_pbrpc"] {
        let data = [
            "test.BenchmarkService/Test",
            "-d",
            "{\"opcode\":1,\"echoAttachment\":0,\"attachmentSize\":3,\"requestId\":7}",
        ];
        let ran = run(&[&["call", "-s", &server.address, "-p", protocol][..], &data].concat()).succeeds();
        assert!(ran.stdout.contains("\"requestId\":\"7\""), "{protocol}: {}", ran.stdout);
    }
}

/// V2, V1 and V0 of fb_rpc.
#[test]
fn the_benchmark_service_answers_every_text_of_fb_rpc() {
    let server = Server::start();
    let message = r#"{"opcode":1,"request_id":7,"message":"hi"}"#;
    for protocol in ["fb_rpc", "fb_rpc:v1", "fb_rpc_v0"] {
        let call =
            ["call", "-s", &server.address, "-p", protocol, "test.BenchmarkService/Test", "-d", message];
        assert_eq!(run(&call).succeeds().stdout, format!("{message}\n"), "{protocol}");
    }
    // A service that does not answer drafts.
    let ran = run(&["call", "-s", &server.address, "-p", "fb_rpc:v1", "flat.Echo/Echo"]);
    assert!(ran.exits(1).stderr.contains("No such method"));
}

#[test]
fn flatbuffers_are_asked_for_as_json() {
    let server = Server::start();
    for protocol in ["fb_rpc", "grpc:flatbuffers", "grpc-web:flatbuffers"] {
        let data = ["flat.Echo/Echo", "-d", "{\"message\":\"same\"}"];
        let ran = run(&[&["call", "-s", &server.address, "-p", protocol][..], &data].concat()).succeeds();
        assert_eq!((&*ran.stdout, &*ran.stderr), ("{\"message\":\"same\"}\n", ""), "{protocol}");
    }
}

#[test]
fn flatbuffers_of_ones_own_are_known_from_their_schema() {
    let server = Server::start();
    let directory = scratch("fbs");
    fs::create_dir_all(directory.join("sub")).unwrap();
    let words = "namespace words; enum Mood : byte { Calm, Loud } table Said { text:string; mood:Mood; }";
    fs::write(directory.join("sub/words.fbs"), words).unwrap();
    let main = directory.join("main.fbs");
    let service = "namespace flat; rpc_service Echo { Echo(words.Said):words.Said; }";
    fs::write(&main, format!("include \"sub/words.fbs\"; {service}")).unwrap();
    let (main, address) = (main.to_str().unwrap(), &server.address);
    let call = |protocol, data| {
        run(&["call", "-s", address, "-p", protocol, "--fbs", main, "flat.Echo.Echo", "-d", data])
    };
    let data = "{\"text\":\"same\"}";
    for protocol in ["fb_rpc", "grpc:flatbuffers", "grpc-web:flatbuffers", "grpc", "baidu_std"] {
        let ran = call(protocol, data).succeeds();
        assert_eq!((ran.stdout, &*ran.stderr), (format!("{data}\n"), ""), "{protocol}");
    }
    for (data, says) in [
        ("{\n \"txt\":1}", "words.Said has no field \"txt\" at line 2 column 2"),
        ("{\"mood\":\"Wild\"}", "\"Wild\" is not a valid value of this field at line 1 column 9"),
    ] {
        let ran = call("fb_rpc", data).exits(2);
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
    }
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn functions_of_rest_rpc_take_an_array_of_arguments() {
    let server = Server::start();
    for protocol in ["rest_rpc", "rest_rpc:a", "rest_rpc:cross"] {
        let call =
            |rest: &[&str]| run(&[&["call", "-s", &server.address, "-p", protocol][..], rest].concat());
        assert_eq!(call(&["add", "-d", "[40, 2]"]).succeeds().stdout, "42\n", "{protocol}");
        assert_eq!(
            call(&["echo", "-d", "[\"hi\"] [\"ho\"]", "--interval", "0"]).succeeds().stdout,
            "\"hi\"\n\"ho\"\n"
        );
        let failed = call(&["nobody", "-d", "[1]"]);
        assert!(failed.stderr.contains("unknown function: "), "{}", failed.stderr);
    }
}

#[test]
fn sixty_four_bit_integers_are_strings_as_canonical_json_wants() {
    let server = Server::start();
    let data = r#"{"opcode":1,"echo_attachment":0,"attachmentSize":9007199254740993,"request_id":"7","message":"m"}"#;
    let ran = run(&["call", "-s", &server.address, "test.BenchmarkService.Test", "-d", data]).succeeds();
    let expected = r#"{"opcode":1,"echoAttachment":0,"attachmentSize":"9007199254740993","requestId":"7","message":"m"}"#;
    assert_eq!(ran.stdout.trim_end(), expected);
}

#[test]
fn proto_files_of_editions_and_with_rules_of_http_are_read() {
    let server = Server::start();
    let directory = scratch("editions");
    fs::create_dir_all(&directory).unwrap();
    let file = directory.join("echo.proto");
    let text = "edition = \"2023\"; package example; import \"google/api/annotations.proto\"; message M { string message = 1; }
        service EchoService { rpc Echo(M) returns (M) { option (google.api.http) = { get: \"/v1/{message}\" }; } }";
    fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let call = [
        "call",
        "-s",
        &server.address,
        "--proto",
        file,
        "example.EchoService/Echo",
        "-d",
        "{\"message\":\"hi\"}",
    ];
    assert_eq!(run(&call).succeeds().stdout, "{\"message\":\"hi\"}\n");
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn proto_files_describe_what_is_not_built_in() {
    let server = Server::start();
    let directory = scratch("proto");
    fs::create_dir_all(directory.join("sub")).unwrap();
    fs::write(
        directory.join("sub/words.proto"),
        "syntax=\"proto2\"; package w; message M { required string message = 1; }",
    )
    .unwrap();
    let main = directory.join("main.proto");
    fs::write(
        &main,
        "syntax=\"proto3\"; package example; import \"sub/words.proto\"; service EchoService { rpc Echo(w.M) returns (w.M); }",
    )
    .unwrap();
    let main = main.to_str().unwrap();
    let method = "example.EchoService.Echo";
    let data = "{\"message\":\"own schema\"}";
    let ran = run(&["call", "-s", &server.address, "--proto", main, method, "-d", data]).succeeds();
    assert_eq!(ran.stdout.trim_end(), data);
    let own = directory.to_str().unwrap();
    run(&["call", "-s", &server.address, "--proto", main, "--include", own, method, "-d", data]).succeeds();
    let other = std::env::temp_dir();
    let ran = run(&["call", "--proto", main, "-I", other.to_str().unwrap(), method]).exits(2);
    assert!(ran.stderr.contains("main.proto"), "{}", ran.stderr);
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn attachments_go_and_come_beside_the_message() {
    let server = Server::start();
    let (given, got) = (scratch("given"), scratch("got"));
    fs::write(&given, b"\0\xff bytes").unwrap();
    let (sent, received) = (given.to_str().unwrap(), got.to_str().unwrap());
    let args = ["call", "-s", &server.address, "example.EchoService/Echo", "--attachment", sent];
    let ran = run(&[&args[..], &["--attachment-output", received, "-v"]].concat()).succeeds();
    assert!(ran.stderr.contains("8 bytes of attachment"), "{}", ran.stderr);
    assert_eq!(fs::read(&got).unwrap(), b"\0\xff bytes");
    fs::remove_file(given).unwrap();
    fs::remove_file(got).unwrap();
}

#[test]
fn compressed_requests_are_understood() {
    let server = Server::start();
    let data = format!("{{\"message\":\"{}\"}}", "x".repeat(10_000));
    for codec in ["gzip", "zlib", "snappy"] {
        let args =
            ["call", "-s", &server.address, "example.EchoService/Echo", "--compress", codec, "-d", &data];
        assert_eq!(run(&args).succeeds().stdout.trim_end(), data);
    }
}

#[test]
fn several_requests_and_repeats_are_sent_in_turn() {
    let server = Server::start();
    let data = "{\"message\":\"a\"}{\"message\":\"b\"}";
    let args =
        ["call", "-s", &server.address, "example.EchoService/Echo", "--interval", "0", "--repeat", "2"];
    let ran = run(&[&args[..], &["-d", data]].concat()).succeeds();
    let two = "{\"message\":\"a\"}\n{\"message\":\"b\"}\n";
    assert_eq!(ran.stdout, two.repeat(2));
    let mut piped = polywire(&[&args[..], &["-d", "-"]].concat());
    let mut piped = piped.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    piped.stdin.take().unwrap().write_all(data.as_bytes()).unwrap();
    assert_eq!(String::from_utf8_lossy(&piped.wait_with_output().unwrap().stdout), two.repeat(2));
}

#[test]
fn http_paths_and_verbs_reach_pages() {
    let server = Server::start();
    let ran = run(&["call", "-s", &server.address, "-p", "http", "GET", "/health"]).succeeds();
    assert_eq!(ran.stdout.trim_end(), "OK");
    let ran = run(&["call", "-s", &server.address, "-p", "http", "GET /no/such/page"]).exits(1);
    assert!(
        ran.stderr.contains("Fail to find method on /no/such/page") && ran.stdout.is_empty(),
        "{}",
        ran.stderr
    );
}

#[test]
fn redis_replies_look_as_in_redis_cli() {
    let server = Server::start();
    let redis = |words: &[&str]| {
        run(&[&["call", "-s", &server.address, "-p", "redis"][..], words].concat()).succeeds().stdout
    };
    assert_eq!(redis(&["SET", "key", "two words"]), "OK\n");
    assert_eq!(redis(&["GET key"]), "\"two words\"\n");
    assert_eq!(redis(&["GET", "nothing"]), "(nil)\n");
    assert_eq!(redis(&["RPUSH", "list", "a", "-1"]), "(integer) 2\n");
    assert_eq!(redis(&["LRANGE", "list", "0", "-1"]), "1) \"a\"\n2) \"-1\"\n");
    let ran = run(&["call", "-s", &server.address, "-p", "redis", "INCR list"]).exits(1);
    assert!(ran.stdout.starts_with("(error) WRONGTYPE"), "{}", ran.stdout);
}

#[test]
fn a_mistyped_member_is_told_and_left_out() {
    let server = Server::start();
    let data = "{\"name\":\"x\",\"nmae\":\"y\"}";
    let ran = run(&["call", "-s", &server.address, "helloworld.Greeter/SayHello", "-d", data]).succeeds();
    assert!(ran.stderr.contains("helloworld.HelloRequest has no field \"nmae\""), "{}", ran.stderr);
}

#[test]
fn calls_that_fail_are_one_line_and_exit_1() {
    let server = Server::with(&["--listen", "127.0.0.1:0", "--sleep-ms", "60000"]);
    let slow = ["call", "-s", &server.address, "helloworld.Greeter/SayHello", "--timeout-ms", "50"];
    // A port that was just closed refuses connections.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let refused = ["call", "-s", &closed, "helloworld.Greeter/SayHello"];
    for (args, reason) in [(&slow[..], "DEADLINE_EXCEEDED"), (&refused[..], "refused")] {
        let ran = run(args).exits(1);
        assert!(ran.stderr.contains(reason) && ran.stderr.contains(args[2]), "{}", ran.stderr);
        assert_eq!((ran.stderr.lines().count(), &*ran.stdout), (1, ""));
    }
}

/// Answers lines of memcached's meta commands until the test ends: a counter is no number, and every
/// condition of a write fails.
fn cache() -> String {
    use std::io::{BufRead, BufReader, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let answer = |mut connection: std::net::TcpStream| {
        for line in BufReader::new(connection.try_clone().unwrap()).lines().map_while(Result::ok) {
            let reply = match line.split(' ').next() {
                Some("ma") => "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n",
                Some("ms") => "NS O0\r\n",
                Some("mg") => "EN O0\r\n",
                _ => continue, // a value
            };
            connection.write_all(reply.as_bytes()).unwrap();
        }
    };
    std::thread::spawn(move || {
        listener.incoming().map_while(Result::ok).for_each(|connection| {
            std::thread::spawn(move || answer(connection));
        });
    });
    address
}

#[test]
fn operations_of_memcached_that_fail_are_one_line_and_exit_1_and_a_miss_is_none() {
    for (line, code, out, said) in [
        ("incr k", 1, "", "the value is not a decimal number"),
        ("add k v", 1, "", "the key exists"),
        ("append k v", 1, "", "there is no such key"),
        ("get k", 0, "missing\n", ""),
    ] {
        let address = cache();
        let ran = run(&["call", "-s", &address, "-p", "memcache_meta", line]).exits(code);
        assert_eq!(ran.stdout, out, "{line}");
        assert!(ran.stderr.contains(said), "{line}: {}", ran.stderr);
    }
}

#[test]
fn a_key_of_memcached_chooses_the_server_where_the_balancer_hashes() {
    let list = |address: &str| format!("list://{address}");
    let hashed = ["--balancer", "c_ketama"];
    let address = cache();
    let call = ["call", "-s", &list(&address), "-p", "memcache_meta", "get k"];
    assert_eq!(run(&[&call[..], &hashed].concat()).succeeds().stdout, "missing\n");
    let address = cache();
    let press = ["press", "-s", &list(&address), "-p", "memcache_meta", "-m", "get k", "-n", "5", "--json"];
    assert_eq!(run(&[&press[..], &hashed].concat()).succeeds().json()["errors"], 0);
    let server = Server::start();
    let call = ["call", "-s", &list(&server.address), "example.EchoService/Echo"];
    let ran = run(&[&call[..], &hashed].concat()).exits(1);
    assert!(ran.stderr.contains("no key to choose a server by: say --key NUMBER"), "{}", ran.stderr);
}

#[test]
fn a_service_is_found_without_its_package_if_there_is_one_of_its_name() {
    let server = Server::start();
    for protocol in ["grpc", "baidu_std"] {
        for method in ["EchoService/Echo", "EchoService.Echo"] {
            let call = ["call", "-s", &server.address, "-p", protocol, method, "-d", r#"{"message":"x"}"#];
            assert_eq!(run(&call).succeeds().stdout, "{\"message\":\"x\"}\n", "{protocol} {method}");
        }
        for (method, said) in [
            ("Ecko/Echo", "; the server has: "),
            ("Ecko/Echo", "example.EchoService"),
            // `grpc.reflection.v1` and `.v1alpha`.
            ("ServerReflection/ServerReflectionInfo", "; say which: grpc.reflection.v1"),
            ("EchoService/Ecko", "it has example.EchoService/Echo"),
        ] {
            let ran = run(&["call", "-s", &server.address, "-p", protocol, method]).exits(2);
            assert!(ran.stderr.contains(said), "{protocol} {method}: {}", ran.stderr);
        }
    }
}
