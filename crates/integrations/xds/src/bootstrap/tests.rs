use super::*;

const SERVER: &str = r#"{"server_uri":"127.0.0.1:1","channel_creds":[{"type":"insecure"}]}"#;

fn parsed(fields: &str) -> Result<Bootstrap, String> {
    let text = format!(r#"{{"xds_servers":[{SERVER}]{fields}}}"#);
    Bootstrap::parse(&text).map_err(|error| error.to_string())
}

#[test]
fn everything_that_is_read() {
    let bootstrap = Bootstrap::parse(
        r#"{"xds_servers":[{"server_uri":"dns:///xds.example:443",
             "channel_creds":[{"type":"google_default"},{"type":"tls","config":{"ca_certificate_file":"ca.pem"}},{"type":"insecure"}],
             "server_features":["xds_v3","ignore_resource_deletion","of_tomorrow"]}],
           "node":{"id":"client-1","cluster":"test","locality":{"region":"r1","zone":"z1"},"metadata":{"k":[1,null]}},
           "authorities":{"auth.example":{"xds_servers":[{"server_uri":"b:1","channel_creds":[{"type":"insecure"}]}]},"":{}},
           "certificate_providers":{"p":{"plugin_name":"file_watcher","config":{"certificate_file":"c.pem",
             "private_key_file":"k.pem","refresh_interval":"1.5s"}},"q":{"plugin_name":"of_others"}},
           "unknown":7}"#,
    )
    .unwrap();
    let server = &bootstrap.servers[0];
    assert_eq!((server.uri.as_str(), server.ignores_deletion), ("dns:///xds.example:443", true));
    let Credentials::Tls(files) = &server.credentials else { panic!("{server:?}") };
    assert_eq!(files.roots.as_deref(), Some("ca.pem".as_ref()), "the first that is supported");
    assert_eq!(bootstrap.node.locality, ["r1", "z1", ""]);
    let Certificates::Files(files) = &bootstrap.certificates["p"];
    assert_eq!((files.refresh, files.identity.is_some()), (Duration::from_millis(1500), true));
    assert_eq!(bootstrap.certificates.len(), 1);
    assert_eq!(bootstrap.servers_of("plain").unwrap()[0].uri, "dns:///xds.example:443");
    assert_eq!(bootstrap.servers_of("xdstp://auth.example/t/n").unwrap()[0].uri, "b:1");
    assert_eq!(bootstrap.servers_of("xdstp:///t/n").unwrap()[0].uri, "dns:///xds.example:443");
    assert!(bootstrap.servers_of("xdstp://other/t/n").unwrap_err().contains("no authority \"other\""));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let cases = [
        ("", "not JSON"),
        ("[]", "the bootstrap has no xds_servers"),
        ("{}", "the bootstrap has no xds_servers"),
        (r#"{"xds_servers":{}}"#, "xds_servers is not a list"),
        (r#"{"xds_servers":[]}"#, "xds_servers is empty"),
        (r#"{"xds_servers":[{}]}"#, "xds_servers[0] has no server_uri"),
        (r#"{"xds_servers":[{"server_uri":7}]}"#, "xds_servers[0].server_uri is not text"),
        (r#"{"xds_servers":[{"server_uri":""}]}"#, "xds_servers[0].server_uri is empty"),
        (r#"{"xds_servers":[{"server_uri":"a:1"}]}"#, "xds_servers[0] has no channel_creds"),
        (
            r#"{"xds_servers":[{"server_uri":"a:1","channel_creds":[{"type":"alts"}]}]}"#,
            "xds_servers[0].channel_creds has no type that is supported",
        ),
        (
            r#"{"xds_servers":[{"server_uri":"a:1","channel_creds":[{"type":"tls","config":{"private_key_file":"k"}}]}]}"#,
            "certificate_file and private_key_file go together",
        ),
    ];
    for (text, why) in cases {
        let error = Bootstrap::parse(text).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
    let cases = [
        (r#","node":7"#, ""),
        (r#","node":{"id":7}"#, "node.id is not text"),
        (r#","node":{"metadata":[]}"#, "node.metadata is not an object"),
        (r#","certificate_providers":{"p":{}}"#, "certificate_providers[\"p\"] has no plugin_name"),
        (r#","certificate_providers":{"p":{"plugin_name":"file_watcher"}}"#, "names no file"),
        (
            r#","certificate_providers":{"p":{"plugin_name":"file_watcher","config":{"ca_certificate_file":"c","refresh_interval":"0s"}}}"#,
            "refresh_interval is \"0s\"",
        ),
        (
            r#","authorities":{"a":{"client_listener_resource_name_template":"xdstp://ab/t/%s"}}"#,
            "does not begin with \"xdstp://a/\"",
        ),
    ];
    for (fields, why) in cases {
        match parsed(fields) {
            Ok(_) => assert_eq!(why, "", "{fields}"),
            Err(error) => assert!(error.contains(why), "{fields}: {error}"),
        }
    }
}

#[test]
fn the_file_wins_over_the_text_and_neither_is_an_error() {
    let text = format!(r#"{{"xds_servers":[{SERVER}]}}"#);
    let of = |file: Option<&str>, json: Option<&str>| {
        let value = |name: &str| if name == FILE { file } else { json }.map(std::ffi::OsString::from);
        Bootstrap::of_variables(value).map_err(|error| error.to_string())
    };
    assert!(of(None, Some(&text)).is_ok());
    assert!(of(Some(""), Some(&text)).is_ok(), "an empty variable is none");
    let missing = of(Some("/nonexistent/b.json"), Some(&text)).unwrap_err();
    assert!(missing.contains("/nonexistent/b.json: "), "{missing}");
    let neither = of(None, None).unwrap_err();
    assert!(neither.contains(FILE) && neither.contains(TEXT), "{neither}");
    assert!(of(None, Some("{}")).unwrap_err().contains("no xds_servers"));
}

#[test]
fn the_names_of_listeners() {
    let plain = parsed("").unwrap();
    assert_eq!(plain.listener("", "a/b c").unwrap(), "a/b c");
    assert!(plain.listener("x", "a").unwrap_err().to_string().contains("no authority \"x\""));
    let templates = r#","client_default_listener_resource_name_template":"xdstp://d/t/%s?b=2&a=1",
        "authorities":{"x":{},"y":{"client_listener_resource_name_template":"xdstp://y/t/fixed"}}"#;
    let templates = parsed(templates).unwrap();
    assert_eq!(templates.listener("", "a/b c").unwrap(), "xdstp://d/t/a/b%20c?a=1&b=2");
    assert_eq!(templates.listener("x", "n").unwrap(), "xdstp://x/envoy.config.listener.v3.Listener/n");
    assert_eq!(templates.listener("y", "n").unwrap(), "xdstp://y/t/fixed");
}

#[test]
fn parameters_of_names_have_one_order() {
    assert_eq!(canonical("xdstp://a/t/n?b=2&a=1#d"), "xdstp://a/t/n?a=1&b=2#d");
    assert_eq!(canonical("xdstp://a/t/n?"), "xdstp://a/t/n");
    assert_eq!(canonical("plain?b=2&a=1"), "plain?b=2&a=1");
}
