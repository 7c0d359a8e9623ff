//! `gateway check --online`: whether the servers of a file are there.

use crate::support::{Folder, Server, run};

fn settings(clusters: &[(&str, &str)]) -> String {
    let mut text = "[listeners.main]\nlisten = \"127.0.0.1:1\"\n".to_owned();
    for (name, rest) in clusters {
        text += &format!("[clusters.{name}]\n{rest}\n");
    }
    text + &format!("[[routes]]\nmatch = \"*\"\nto = \"{}\"\n", clusters[0].0)
}

#[test]
fn servers_are_connected_to_and_asked_for_schemas() {
    let (a, b, folder) = (Server::start(), Server::start(), Folder::new("gateway-online"));
    let closed = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("one");
    let (a, b) = (&a.address, &b.address);
    let file = folder.write("servers", &format!("{a}\n{closed}\n"));
    let clusters = [
        ("one", &*format!("protocol = \"grpc\"\nservers = \"{a}\"\nschemas = \"reflection\"")),
        ("several", &format!("protocol = \"baidu_std\"\nservers = \"list://{a},{closed},{b}\"")),
        ("checked", &format!("protocol = \"grpc\"\nservers = \"file://{file}\"\nhealth = {{ grpc = \"\" }}")),
    ];
    let text = settings(&clusters);
    let path = folder.write("gateway.toml", &text);
    let ran = run(&["gateway", "check", &path, "--online"]).succeeds();
    let (summary, found) = ran.stdout.split_once('\n').expect("lines");
    assert_eq!(summary, format!("{path}: 1 listener, 3 clusters, 1 route"));
    let (one, rest) = found.split_once('\n').expect("lines");
    assert!(one.starts_with("one: grpc, its server answers; schemas: reflection, "), "{found}");
    assert_eq!(rest, "several: baidu_std, 2 of 3 servers answer\nchecked: grpc, 1 of 2 servers answer\n");
    for cluster in ["several", "checked"] {
        assert!(ran.stderr.contains(&format!("polywire: {cluster}: {closed}: ")), "{}", ran.stderr);
    }
    assert_eq!(ran.stderr.lines().count(), 2, "{}", ran.stderr);
    run(&["gateway", "check", &path]).succeeds();
}

#[test]
fn a_cluster_without_a_server_that_answers_is_a_failure_after_a_bounded_time() {
    let folder = Folder::new("gateway-offline");
    let closed = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("one");
    // It accepts connections, by its backlog, and says nothing.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let silent = silent.local_addr().expect("an address");
    let none = folder.write("none", "\n");
    for (cluster, found, why) in [
        (format!("servers = \"{closed}\""), "its server does not answer", format!("{closed}")),
        (format!("servers = \"list://{closed}\""), "0 of 1 servers answer", format!("{closed}")),
        (
            format!("servers = \"list://{silent}\"\nhealth = {{ grpc = \"\" }}"),
            "0 of 1 servers answer",
            format!("{silent}: no answer within"),
        ),
        (format!("servers = \"file://{none}\""), "it has no servers", String::new()),
        (
            format!("servers = \"file://{}\"", folder.path("nowhere")),
            "its servers are not known",
            "No such file".to_owned(),
        ),
    ] {
        let path =
            folder.write("gateway.toml", &settings(&[("a", &format!("protocol = \"grpc\"\n{cluster}"))]));
        let ran = run(&["gateway", "check", &path, "--online"]).exits(1);
        assert!(ran.stdout.contains(&format!("a: grpc, {found}\n")), "{cluster}: {}", ran.stdout);
        assert!(ran.stderr.contains(&why), "{cluster}: {}", ran.stderr);
    }
}
