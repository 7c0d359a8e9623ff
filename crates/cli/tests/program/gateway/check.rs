//! `gateway`: what `check` and `explain` say of a file.

use super::of_listener;
use crate::support::{Folder, run};

#[test]
fn a_mistake_is_one_line_whatever_the_file_holds() {
    let folder = Folder::new("gateway-lines");
    let file = folder.write("gateway.toml", "\"x\\npolywire: gateway.toml read again\" = 1\n");
    let said = run(&["gateway", "check", &file]).exits(2).stderr;
    assert!(said.contains("x\\npolywire: gateway.toml read again: there is no such key"), "{said}");
    assert_eq!(said.lines().count(), 2, "a key that is missing, and one too many: {said}");
}

const WRONG: &str = r#"[listeners.main]
listen = ["0.0.0.0:8080", "http://0.0.0.0:8081"]
protocol = ["grpc"]

[listeners.more]
listen = "127.0.0.1:3"
protocols = ["grcp", "h2", "mongo", "sofa_pbrpc"]
tls = { cert = "/none.pem", key = "/none.key" }

[clusters.stock]
protocol = "grpc"
servers = "list://127.0.0.1:1"
balencer = "rr"
timeout = "300"
retries = 99
health = { grpc = "", http = "/health" }

[clusters.alone]
protocol = "grpcc"
servers = "127.0.0.1:1"

[clusters.one]
protocol = "grpc"
servers = "127.0.0.1:1"
balancer = "rr"

[clusters.redis]
protocol = "redis"
servers = "127.0.0.1:1"

[clusters.esp]
protocol = "esp"
servers = "127.0.0.1:1"

[clusters.two]
servers = "lists://127.0.0.1:1"

[[routes]]
match = "shop.Stock/"
to = "stokc"

[[routes]]
match = "shop.*"
to = 1

[[routes]]
match = "shop.Stock"
when = { header = { ":path" = "/" } }
to = "stock"

[[routes]]
match = "cart.*"
when = { header = {} }
to = "stock"

[[routes]]
match = "cart.*"
when = { header = { authorization = "Bearer S3CRET" } }
to = "stock"

[[routes]]
match = "cart.*"
when = { header = { authorization = "Bearer S3CRET" } }
to = "stock"

[[routes]]
match = "shop.Stock"
to = "stock"
fallback = true
"#;

#[test]
fn check_names_all_mistakes_with_their_places() {
    let folder = Folder::new("gateway-check");
    let file = folder.write("gateway.toml", WRONG);
    let ran = run(&["gateway", "check", &file]).exits(2);
    let said = ran.stderr.replace(&format!("{file}:"), "").replace("polywire: ", "");
    let said: Vec<_> =
        said.lines().map(|line| line.split("; known are zmtp").next().unwrap_or(line)).collect();
    let expected = [
        r#"2:11: listeners.main.listen: "0.0.0.0:8080" can be reached from other machines: `tls.client_ca` lets in those with a certificate, `jwt` or `tokens` those with a token, `from` those of some networks, `open = true` everybody"#,
        r#"2:27: listeners.main.listen: listen("http://0.0.0.0:8081"): write "0.0.0.0:8081", without http://: a port takes all protocols"#,
        "3:1: listeners.main.protocol: there is no such key; did you mean `protocols`?",
        r#"7:14: listeners.more.protocols: no calls over "grcp" are passed on; did you mean "grpc"?"#,
        r#"7:22: listeners.more.protocols: no calls over "h2" are passed on, only those over baidu_std, sofa_pbrpc, hulu_pbrpc, public_pbrpc, nova_pbrpc, grpc, grpc-web, connect, websocket, ubrpc_mcpack2, ubrpc_compack, nshead_mcpack, thrift, rest_rpc, zmtp"#,
        r#"7:28: listeners.more.protocols: no calls over "mongo" are passed on, only those over baidu_std, sofa_pbrpc, hulu_pbrpc, public_pbrpc, nova_pbrpc, grpc, grpc-web, connect, websocket, ubrpc_mcpack2, ubrpc_compack, nshead_mcpack, thrift, rest_rpc, zmtp"#,
        "8:7: listeners.more.tls: /none.pem: No such file or directory (os error 2)",
        "13:1: clusters.stock.balencer: there is no such key; did you mean `balancer`?",
        r#"14:11: clusters.stock.timeout: "300" has no unit: us, ms, s, m or h"#,
        "15:11: clusters.stock.retries: 99 is not a number from 0 to 10",
        r#"16:10: clusters.stock.health: say one of grpc = "SERVICE", http = "/PATH" and connect = true"#,
        r#"19:12: clusters.alone.protocol: unknown protocol "grpcc": write "grpc""#,
        r#"25:12: clusters.one.balancer: balancer is for channels with several servers, and "127.0.0.1:1" is one: write a naming url, such as list://127.0.0.1:1"#,
        "28:12: clusters.redis.protocol: calls are not relayed over redis, whose calls have no service with messages in protobuf, mcpack, Thrift, msgpack or struct_pack",
        "32:12: clusters.esp.protocol: calls are not relayed over esp, whose calls have no service with messages in protobuf, mcpack, Thrift, msgpack or struct_pack",
        r#"35:11: clusters.two: `protocol` is missing: what its servers speak: "grpc", "baidu_std""#,
        r#"39:9: routes[0].match: "shop.Stock/" has no method: write shop.Stock/Reserve, shop.Stock, shop.* or *"#,
        r#"40:6: routes[0].to: no cluster "stokc"; did you mean "stock" (line 10)?"#,
        "44:6: routes[1].to: a text in quotes or a table of numbers is meant here, this is of type integer",
        r#"48:21: routes[2].when.header: ":path" is not the name of a field: letters, digits, `-`, `_` and `.`"#,
        r#"53:19: routes[3].when.header: no condition is here, which would be all calls: write { NAME = "VALUE" }"#,
        "62:9: routes[5].match: cart.* is never reached: line 56 takes its calls",
        "67:9: routes[6].match: shop.Stock is never reached: line 42 takes its calls",
        "69:1: routes[6].fallback: there is no such key; known are to, by, listeners, match, when, rate, max_concurrency, timeout, retries, idempotent, retry_on, headers, fault, shadow",
    ];
    assert_eq!(said, expected);
    let half = folder.write("half.toml", "[listeners.main]\nlisten = \n[clusters\n");
    let said = run(&["gateway", "check", &half]).exits(2).stderr;
    assert!(said.contains(&format!("{half}:2:")) && said.contains(&format!("{half}:3:")), "{said}");
    let missing = run(&["gateway", "check", &folder.path("none.toml")]).exits(2).stderr;
    assert!(missing.contains("none.toml: No such file"), "{missing}");
}

const PROTO: &str = "syntax = \"proto3\"; package shop; import \"google/api/annotations.proto\";\n\
    message Order { string id = 1; }\n\
    service Orders {\n\
    rpc Get(Order) returns (Order) { option (google.api.http) = { get: \"/v1/orders/{id}\" }; }\n\
    rpc Find(Order) returns (Order) { option (google.api.http) = { get: \"/v1/orders/{name}\" }; }\n\
    }\n";

#[test]
fn check_says_what_is_meant() {
    let folder = Folder::new("gateway-meant");
    let (proto, empty) = (folder.write("shop.proto", PROTO), folder.write("empty.proto", "// nothing yet\n"));
    let half = folder.write("half.proto", &PROTO.replace(" }; }\n}", " };"));
    let cluster = |settings: &str| {
        let settings =
            settings.to_owned() + if settings.contains("protocol") { "" } else { "\nprotocol = \"grpc\"" };
        let servers = if settings.contains("servers") { "" } else { "\nservers = \"127.0.0.1:1\"" };
        format!("[clusters.a]\n{settings}{servers}\n[[routes]]\nmatch = \"*\"\nto = \"a\"\n")
    };
    let method =
        |names: &str| cluster(&format!("schemas = \"{proto}\"")).replace("\"*\"", &format!("\"{names}\""));
    for (rest, at, said) in [
        (
            cluster("servers = \"a:1,b:2\""),
            "4:11: clusters.a.servers: ",
            "\"a:1,b:2\" is no address: write \"list://a:1,b:2\"",
        ),
        (cluster("servers = [\"a:1\", \"b:2\"]"), "4:11: clusters.a.servers: ", "write \"list://a:1,b:2\""),
        (cluster("servers = \"grpcs://a:1\""), "4:11: clusters.a.servers: ", "write \"https://a:1\""),
        (cluster("protocol = \"grpcs\""), "4:12: clusters.a.protocol: ", "write \"grpc\" and `tls = {}`"),
        (
            cluster("balancer = \"rr\""),
            "4:12: clusters.a.balancer: ",
            "balancer is for channels with several servers",
        ),
        (cluster("max_requests = 0"), "4:16: clusters.a.max_requests: ", "no call would go there"),
        (cluster("health = { connect = true }"), "4:10: clusters.a.health: ", "health is for"),
        (
            cluster("[access_log]\nfile = \"/none/at/all.log\"")
                .replacen("[clusters.a]\n", "", 1)
                .replace("\nprotocol", "\n[clusters.a]\nprotocol"),
            "4:8: access_log.file: ",
            "/none/at: No such file",
        ),
        (
            cluster("[access_log]\nfile = \"/\"")
                .replacen("[clusters.a]\n", "", 1)
                .replace("\nprotocol", "\n[clusters.a]\nprotocol"),
            "4:8: access_log.file: ",
            "/: is a directory",
        ),
        (
            cluster(&format!("schemas = \"{empty}\"")),
            "4:11: clusters.a.schemas: ",
            "empty.proto: nothing is declared in it",
        ),
        (cluster(&format!("schemas = \"{half}\"")), "4:11: clusters.a.schemas: ", "half.proto: expected "),
        (
            method("shop.Orders.Get"),
            "8:9: routes[0].match: ",
            "shop.Orders.Get is a method and no service: write shop.Orders/Get",
        ),
        (
            cluster("") + "headers = { set = { x-zone = \"eu\", \"grpc-timeout\" = \"1S\" } }\n",
            "10:36: routes[0].headers.set: ",
            "grpc-timeout is written by the relay or by the protocol alone",
        ),
        (
            cluster("") + "headers = { reply_remove = [\"x-shard\", \"server\"] }\n",
            "10:40: routes[0].headers.reply_remove: ",
            "server is never passed on",
        ),
        (cluster("") + "headers = { }\n", "10:11: routes[0].headers: ", "nothing changes: write `set`, "),
        (
            cluster("") + "retry_on = [\"ABORTED\"]\n",
            "10:12: routes[0].retry_on: ",
            "only methods in `idempotent`, and those whose schema says `idempotency_level`, ",
        ),
        (
            cluster("").replace("[[routes]]", "[routes]") + "[routes]\nmatch = \"*\"\nto = \"a\"\n",
            "10:",
            "routes is there twice: begin each with [[routes]]",
        ),
    ] {
        let text = format!("[listeners.main]\nlisten = \"127.0.0.1:0\"\n{rest}");
        let file = folder.write("gateway.toml", &text);
        let found = run(&["gateway", "check", &file]).exits(2).stderr;
        assert!(
            found.starts_with(&format!("polywire: {file}:{at}")) && found.contains(said),
            "{text}\n{found}"
        );
        assert_eq!(found.lines().count(), 1, "{found}");
    }
    // What is left out is no mistake.
    let text = format!("[listeners.main]\nlisten = \"127.0.0.1:0\"\n{}", method("shop.Orders"));
    let file = folder.write("gateway.toml", &text);
    let warned = run(&["gateway", "check", &file]).succeeds().stderr;
    let place = format!(
        "polywire: warning: {file}:4:11: clusters.a.schemas: left out: HTTP rule \"GET /v1/orders/{{name}}\" of shop.Orders/Find: "
    );
    assert!(warned.starts_with(&place) && warned.contains("no field name"), "{warned}");

    for (to, said) in [
        ("grpcs://a:1", "write grpc+https://a:1"),
        ("brpc://a:1", "--to brpc://a:1: there is no brpc://: write baidu_std://a:1\n"),
        ("gprc://a:1?token=S3CRET", "there is no gprc://: write grpc://a:1\n"),
        ("brpc+list://a:1,b:1", "write \"baidu_std\""),
        ("consul://a:1/stock", "for servers by name write grpc+consul://a:1/stock"),
        ("list://a:1,b:1", "for servers by name write grpc+list://a:1,b:1"),
    ] {
        let wrong = run(&["gateway", "--to", to]).exits(2).stderr;
        assert!(wrong.contains(said), "{to}: {wrong}");
    }

    // The same file says which method a request of plain HTTP calls.
    for (request, said) in [
        (&["GET", "/v1/orders/7?x=y"][..], "GET /v1/orders/7 is a call of shop.Orders/Get\n"),
        (&["POST /shop.Orders/Get"], "POST /shop.Orders/Get is a call of shop.Orders/Get\n"),
        (&["/shop.Orders/Get"], "shop.Orders/Get\n"),
    ] {
        let explained = run(&[&["gateway", "explain", &file], request].concat()).succeeds().stdout;
        assert!(explained.starts_with(said) && explained.contains("shop.Orders: taken\n"), "{explained}");
    }
    for (request, said) in [
        ("DELETE /v1/orders/7", "answered with 405: GET reaches this path"),
        ("GET /v1/nothing/at/all", "no HTTP rule has this path: answered with 404"),
    ] {
        let explained = run(&["gateway", "explain", &file, request]).exits(1).stdout;
        assert!(explained.contains(said), "{explained}");
    }
    run(&["gateway", "explain", &file, "get /v1"]).exits(2);
}

#[test]
fn check_looks_at_addresses_and_certificates() {
    let folder = Folder::new("gateway-listener");
    for (listener, at, said) in [
        (
            "listen = [\"127.0.0.1:0\", \"127.0.0.1:0\", \"[::1]:1\", \"[::1]:1\"]",
            "2:52: listeners.main.listen: ",
            "\"[::1]:1\" is in line 2 already",
        ),
        (
            "listen = [\"unix:/run/a:0\", \"unix:/run/a:0\"]",
            "2:28: listeners.main.listen: ",
            "is in line 2 already",
        ),
        ("listen = \"localhost\"", "2:10: listeners.main.listen: ", "write host and port"),
        ("listen = \"unix:\"", "2:10: listeners.main.listen: ", "write the path of a socket"),
        ("listen = \"systemd:calls\"", "2:10: listeners.main.listen: ", "`open = true`"),
        (
            "listen = \"127.0.0.1:1\"\ntls = { cert = \"/none.pem\" }",
            "3:7: listeners.main.tls: ",
            "`key` is missing",
        ),
        (
            "listen = \"127.0.0.1:1\"\norigins = [\"*\", \"http://[::1]:80\", \"https://a.example/\"]",
            "3:36: listeners.main.origins: ",
            "\"https://a.example/\" is no origin",
        ),
        (
            "listen = \"0.0.0.0:1\"\nfrom = [\"10.0.0.0/8\", \"10.0.0.1/8\"]",
            "3:23: listeners.main.from: ",
            "\"10.0.0.1/8\" is no network, since its address goes on behind its length: write 10.0.0.0/8, ",
        ),
        ("listen = \"0.0.0.0:1\"\nfrom = []", "3:8: listeners.main.from: ", "an empty list lets nobody in"),
        (
            "listen = \"127.0.0.1:1\"\npolicy = \"/dev/null\"",
            "3:10: listeners.main.policy: ",
            "/dev/null: the policy cannot be read: EOF",
        ),
    ] {
        let text = of_listener(listener);
        let file = folder.write("gateway.toml", &text);
        let said_all = run(&["gateway", "check", &file]).exits(2).stderr;
        let is_said = said_all.starts_with(&format!("polywire: {file}:{at}")) && said_all.contains(said);
        assert!(is_said, "{said_all}");
        assert_eq!(said_all.lines().count(), 1, "{said_all}");
    }
}

#[test]
fn there_are_at_most_1000_routes() {
    let folder = Folder::new("gateway-many");
    let listener = "[listeners.main]\nlisten = \"127.0.0.1:0\"\n[clusters.a]\nprotocol = \"grpc\"\n";
    let routes = (0..20_000).map(|k| format!("[[routes]]\nmatch = \"s{k}\"\nto = \"a\"\n"));
    let text = format!("{listener}servers = \"127.0.0.1:1\"\n{}", routes.collect::<String>());
    let file = folder.write("gateway.toml", &text);
    let said = run(&["gateway", "check", &file]).exits(2).stderr;
    assert_eq!(said, format!("polywire: {file}:3006:1: routes: at most 1000 of them\n"));
}

#[test]
fn the_example_is_right_and_explained() {
    let folder = Folder::new("gateway-example");
    let example = run(&["gateway", "example"]).succeeds().stdout;
    let file = folder.write("gateway.toml", &example);
    let checked = run(&["gateway", "check", &file]).succeeds();
    assert_eq!(checked.stdout, format!("{file}: 1 listener, 2 clusters, 3 routes\n"));
    // The settings that it shows besides are known, too: all that is wrong is that their files are not there.
    let all = folder.write("all.toml", &example.replace("\n#", "\n").replace("\n ", "\n# "));
    let ran = run(&["gateway", "check", &all]).exits(2);
    assert!(ran.stderr.lines().all(|line| line.contains("No such file")), "{}", ran.stderr);
    for settings in [
        "listeners.main.policy: ",
        "listeners.main.tokens: ",
        "listeners.main.tls: ",
        "clusters.stock.tls: ",
        "clusters.stock.schemas: ",
    ] {
        assert!(ran.stderr.contains(settings), "{}", ran.stderr);
    }

    let explained = run(&["gateway", "explain", &file, "shop.Stock/Reserve"]).succeeds().stdout;
    for part in [
        "shop.Stock/Reserve: not taken, its field x-tester is not the one asked for\n",
        "shop.*: taken\n",
        "cluster stock: baidu_std, list://10.0.0.1:8000,10.0.0.2:8000\n",
        "| grpc      | one message each way | unread   | none        |\n",
        "| baidu_std | one message each way | unread   | both ways   |\n",
    ] {
        assert!(explained.contains(part), "{part:?} is missing in\n{explained}");
    }
    let reserve = ["gateway", "explain", &file, "shop.Stock/Reserve", "-H", "x-tester=yes"];
    let explained = run(&reserve).succeeds().stdout;
    assert!(explained.contains("cluster canary: grpc, 10.0.1.1:50051\n"), "{explained}");
    assert!(
        explained.contains("| grpc      | all four kinds       | unread   | none        |\n"),
        "{explained}"
    );
    let explained = run(&["gateway", "explain", &file, "shop.Search/Find"]).succeeds().stdout;
    let shared =
        ["cluster stock: baidu_std, list://10.0.0.1:8000,10.0.0.2:8000, 95 of 100 calls\n", "5 of 100"];
    assert!(shared.iter().all(|part| explained.contains(part)), "{explained}");
    let (stock, canary) = explained.split_once("\ncanary:\n").expect("what goes on to each");
    assert!(stock.contains("\nstock:\n") && canary.contains("all four kinds"), "{explained}");
    let refused = run(&["gateway", "explain", &file, "other.Service/Method"]).exits(1).stdout;
    assert!(
        refused.ends_with("  no route: refused with UNIMPLEMENTED and polywire-gateway: no_route\n"),
        "{refused}"
    );
}

/// What else they show as a setting is known, too: of that, only the files are not there.
#[test]
fn each_example_is_right_and_does_what_it_is_for() {
    let folder = Folder::new("gateway-examples");
    let (one, two) = ("1 listener, 1 cluster, 1 route", "2 listeners, 2 clusters, 2 routes");
    for (name, counts, called, said) in [
        ("brpc", one, "shop.Stock/Get", "| baidu_std | as the schema says | unread   | both ways   |\n"),
        ("rest", one, "library.v1.Library/GetBook", "may run twice: tried again"),
        (
            "web",
            "1 listener, 1 cluster, 2 routes",
            "shop.Stock/Watch",
            "| websocket | as the schema says | translated |",
        ),
        (
            "migrate",
            two,
            "shop.Stock/Get",
            "shadow new: 10% of the calls are copied there, and the answers are compared, with old for the noise\n",
        ),
        ("migrate", two, "shop.Stock/Get", "cluster new: baidu_std, list://10.0.1.1:8000,10.0.1.2:8000\n"),
    ] {
        let example = run(&["gateway", "example", name]).succeeds().stdout;
        let file = folder.write(&format!("{name}.toml"), &example);
        let checked = run(&["gateway", "check", &file]).succeeds();
        assert_eq!((checked.stdout, &*checked.stderr), (format!("{file}: {counts}\n"), ""));
        let explained = run(&["gateway", "explain", &file, called]).succeeds().stdout;
        assert!(explained.contains(said), "{name}: {said} is missing in\n{explained}");
        let all = folder.write("all.toml", &example.replace("\n#", "\n").replace("\n ", "\n# "));
        let more = run(&["gateway", "check", &all]).stderr;
        assert!(more.lines().all(|line| line.contains("No such file")), "{name}: {more}");
    }
    let refused = run(&["gateway", "example", "wbe"]).exits(2).stderr;
    assert!(refused.contains("'wbe'") && refused.contains("brpc, rest, web, migrate, full"), "{refused}");
}

#[test]
fn explain_says_who_is_answered_and_no_secrets() {
    let folder = Folder::new("gateway-explain");
    let file = folder.write(
        "gateway.toml",
        "[listeners.main]\nlisten = \"127.0.0.1:0\"\nprotocols = [\"connect\"]\n\
         [clusters.a]\nprotocol = \"grpc\"\nservers = \"consul://127.0.0.1:1/stock?token=S3CRET\"\n\
         [[routes]]\nmatch = \"a.*\"\nwhen = { header = { authorization = \"S3CRET\" } }\nto = \"a\"\n\
         [[routes]]\nmatch = \"*\"\nto = \"a\"\n",
    );
    let explained = run(&["gateway", "explain", &file, "a.B/C"]).succeeds().stdout;
    assert!(explained.contains("cluster a: grpc, consul://127.0.0.1:1/stock\n"), "{explained}");
    assert!(!explained.contains("S3CRET"), "{explained}");
    // All that is spoken over HTTP, and nothing else.
    for caller in ["grpc ", "grpc-web", "connect"] {
        assert!(explained.contains(&format!("| {caller}")), "{explained}");
    }
    assert!(!explained.contains("baidu_std"), "{explained}");
    for called in ["a.B/a%2fb", "a B/c", "a/B.c", &format!("{}/C", "a".repeat(513))] {
        run(&["gateway", "explain", &file, called]).exits(2);
    }
}

#[test]
fn mistakes_in_limits_and_listeners_of_routes_are_told() {
    let folder = Folder::new("gateway-check-limits");
    let text = of_listener(
        "listen = \"127.0.0.1:0\"\nmax_connections = -1\nmax_concurrency = \"often\"\nmax_message = \"65MiB\"",
    );
    let text = text.replace("match = \"*\"", "match = \"*\"\nlisteners = [\"mian\"]");
    let said = run(&["gateway", "check", &folder.write("gateway.toml", &text)]).exits(2).stderr;
    for mistake in [
        "listeners.main.max_connections: -1 is not a number from 0",
        "listeners.main.max_concurrency: max_concurrency \"often\": write a number, unlimited, auto",
        "listeners.main.max_message: \"65MiB\": from 1KiB to 64MiB",
        "routes[0].listeners: no listener \"mian\"; did you mean \"main\"?",
    ] {
        assert!(said.contains(mistake), "{said}");
    }
    let second = "[[routes]]\nmatch = \"shop.*\"\nlisteners = [\"main\"]\nto = \"a\"\n";
    let text = of_listener("listen = \"127.0.0.1:0\"") + second;
    let said = run(&["gateway", "check", &folder.write("hidden.toml", &text)]).exits(2).stderr;
    assert!(said.contains("shop.* is never reached"), "{said}");
}
