//! A server with a policy, on a network in memory.

use super::SERVICE;
use crate::Policy;
use polywire_call::{Code, Status};
use polywire_client::{Channel, ClientTls, Target};
use polywire_protocols::Builtin;
use polywire_server::{
    Call, Caller, CatchAll, ClientCertificates, Handler, Identity, Method, Preset, Server, ServerTls,
    Service, Started,
};
use polywire_testkit::Net;
use polywire_wire::{Content, Outcome, Protocols, Registry};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, SanType};

struct Lab;
impl Protocols for Lab {
    fn registry() -> Registry {
        Builtin::registry()
    }
}
impl Preset for Lab {
    type Pages = ();
}
impl polywire_naming::Naming for Lab {}
impl polywire_routing::Routing for Lab {}

/// Answers with the request.
struct Echo;
impl Handler for Echo {
    fn start(&self, call: Call) -> Started {
        Started::Ready(Outcome {
            body: call.body,
            content: Content::PROTOBUF,
            reply: true,
            ..Outcome::default()
        })
    }
}
impl CatchAll for Echo {
    fn handler(&self) -> Box<dyn Handler> {
        Box::new(Echo)
    }
}

const READ: Target = Target::fixed(SERVICE, "Read");
const WRITE: Target = Target::fixed(SERVICE, "Write");
const SHORT: Target = Target::fixed("TestService", "Write");
const PROTOCOLS: [&str; 2] = ["grpc", "baidu_std"];

fn server(policy: &str) -> Server<Lab> {
    let echo = |name| Method::new(name, || Box::new(Echo));
    let service = Service::new(SERVICE, &[]).with(echo("Read")).with(echo("Write"));
    Server::<Lab>::new().service(service).middleware(Policy::from_json(policy).expect("a policy"))
}

fn is_refused(outcome: Result<impl Sized, Status>) -> bool {
    let Err(status) = outcome else { return false };
    assert_eq!(
        (status.code(), status.message()),
        (Code::PermissionDenied, "unauthorized RPC request rejected")
    );
    true
}

#[tokio::test(start_paused = true)]
async fn calls_over_any_protocol_are_refused_by_path_and_field() {
    let net = Net::<Lab>::seeded(1);
    net.serve(
        "shop:1",
        server(
            r#"{"name": "p", "deny_rules": [{"name": "tests", "request": {"headers": [{"key": "X-Test", "values": ["*"]}]}}],
                "allow_rules": [{"name": "read", "request": {"paths": ["/grpc.testing.TestService/Read"]}},
                    {"name": "key", "request": {"headers": [{"key": "key-bin", "values": ["AP8="]}]}}]}"#,
        ),
    );
    for protocol in PROTOCOLS {
        let channel = net.builder("shop:1").protocol(protocol).build().expect("a channel");
        assert_eq!(channel.call(READ, "a").await.expect("allowed").body.to_vec(), b"a", "{protocol}");
        assert!(is_refused(channel.call(WRITE, "a").await), "{protocol}");
        assert!(
            is_refused(channel.call(SHORT, "a").await),
            "{protocol}: it is the service with the full name"
        );
        assert!(is_refused(channel.call(READ, "a").metadata("x-test", "1").await), "{protocol}");
        assert!(channel.call(WRITE, "a").metadata("key-bin", b"\0\xff").await.is_ok(), "{protocol}");
        assert!(is_refused(channel.call(WRITE, "a").metadata("key-bin", b"\0\xfe").await), "{protocol}");
        // The connection goes on.
        assert!(channel.call(READ, "a").await.is_ok(), "{protocol}");
    }
    // Names of fields in any case are a matter of protocols other than HTTP/2.
    let brpc = net.builder("shop:1").protocol("baidu_std").build().expect("a channel");
    assert!(is_refused(brpc.call(READ, "a").metadata("X-TEST", "1").await));
}

#[tokio::test(start_paused = true)]
async fn whoever_an_authenticator_has_found_is_asked_for_by_name_and_role() {
    let net = Net::<Lab>::seeded(1);
    let policy = r#"{"name": "p", "allow_rules": [
        {"name": "read", "source": {"identities": ["ada"]}, "request": {"paths": ["*/Read"]}},
        {"name": "write", "source": {"roles": ["chief"]}}]}"#;
    let authenticated = server(policy).authenticate(|caller: Caller| async move {
        let roles = if caller.credential() == Some(b"bob") { ["chief".into()].into() } else { [].into() };
        Ok(Identity { roles, ..Identity::named(caller.credential_str().unwrap_or("")) })
    });
    net.serve("shop:1", authenticated);
    for protocol in PROTOCOLS {
        for (who, read, write) in [("ada", true, false), ("bob", true, true), ("eve", false, false)] {
            let channel =
                net.builder("shop:1").protocol(protocol).credential(who).build().expect("a channel");
            assert_eq!(!is_refused(channel.call(READ, "").await), read, "{protocol} {who}");
            assert_eq!(!is_refused(channel.call(WRITE, "").await), write, "{protocol} {who}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn calls_that_a_catch_all_answers_are_known_by_the_names_that_were_sent() {
    let net = Net::<Lab>::seeded(1);
    let policy = r#"{"name": "p", "deny_rules": [{"name": "d", "request": {"paths": ["/shop.Stock/Drop"]}}],
        "allow_rules": [{"name": "a", "request": {"paths": ["/shop.Stock/*", "/Stock/*"]}}]}"#;
    net.serve("relay:1", server(policy).catch_all(Echo));
    for protocol in PROTOCOLS {
        let channel = net.builder("relay:1").protocol(protocol).build().expect("a channel");
        let call = |service, method| channel.call(Target::fixed(service, method), "");
        // Over gRPC a catch-all gets a stream, which this handler does not answer: the refusals tell.
        if protocol == "baidu_std" {
            assert!(call("shop.Stock", "Get").await.is_ok());
            assert!(call("Stock", "Get").await.is_ok());
        }
        for (service, method) in [("shop.Stock", "Drop"), ("Stock", "Drop"), ("shop.Other", "Get")] {
            assert!(is_refused(call(service, method).await), "{protocol} {service}/{method}");
        }
    }
}

/// Issues certificates.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Authority {
    fn new() -> Self {
        let key = KeyPair::generate().expect("a key");
        let mut parameters = CertificateParams::default();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let pem = parameters.self_signed(&key).expect("a certificate").pem();
        Authority { issuer: Issuer::new(parameters, key), pem }
    }

    /// A certificate and its key.
    fn issue(&self, names: Vec<SanType>) -> (String, String) {
        let key = KeyPair::generate().expect("a key");
        let mut parameters = CertificateParams::default();
        parameters.subject_alt_names = names;
        (parameters.signed_by(&key, &self.issuer).expect("a certificate").pem(), key.serialize_pem())
    }
}

#[tokio::test(start_paused = true)]
async fn principals_are_the_names_in_verified_certificates() {
    let net = Net::<Lab>::seeded(1);
    let authority = Authority::new();
    let name = |name: &str| SanType::DnsName(name.try_into().expect("a name"));
    let uri = |uri: &str| SanType::URI(uri.try_into().expect("a URI"));
    let policy = r#"{"name": "p", "deny_rules": [{"name": "evil", "source": {"principals": ["spiffe://prod/evil"]}}],
        "allow_rules": [{"name": "billing", "source": {"principals": ["spiffe://prod/*"]}},
            {"name": "tls", "source": {"principals": [""]}, "request": {"paths": ["*/Read"]}}]}"#;
    let (certificate, key) = authority.issue(vec![name("shop")]);
    let tls = ServerTls::pem(certificate, key)
        .client_ca_pem(authority.pem.as_str())
        .client_certificates(ClientCertificates::Optional);
    net.serve("shop:1", server(policy).tls(tls));
    net.serve("plain:1", server(policy));
    for protocol in PROTOCOLS {
        for (names, read, write) in [
            (Some(vec![name("billing"), uri("spiffe://prod/billing")]), true, true),
            (Some(vec![uri("spiffe://prod/billing"), uri("spiffe://prod/evil")]), false, false),
            (Some(vec![name("spiffe")]), false, false),
            (None, true, false),
        ] {
            let shown = format!("{protocol} {names:?}");
            let mut tls = ClientTls::default().ca_pem(authority.pem.as_str()).server_name("shop");
            if let Some(names) = names {
                let (certificate, key) = authority.issue(names);
                tls = tls.certificate_pem(certificate, key);
            }
            let channel: Channel<Lab> =
                net.builder("shop:1").protocol(protocol).tls(tls).build().expect("a channel");
            assert_eq!(!is_refused(channel.call(READ, "").await), read, "{shown}");
            assert_eq!(!is_refused(channel.call(WRITE, "").await), write, "{shown}");
        }
        let plain = net.builder("plain:1").protocol(protocol).build().expect("a channel");
        assert!(is_refused(plain.call(READ, "").await), "{protocol}");
    }
}
