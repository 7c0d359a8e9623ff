//! A server with a policy, on a network in memory.

use super::SERVICE;
use crate::{AuditRecord, Policy};
use polywire_call::{Code, Status};
use polywire_client::{Channel, ClientTls, Target};
use polywire_protocols::Builtin;
use polywire_server::{
    Call, Caller, CatchAll, ClientCertificates, Handler, Identity, Method, Preset, Server, ServerTls,
    Service, Started,
};
use polywire_testkit::Net;
use polywire_wire::{Content, Outcome, ProtocolSet, Protocols};
use rcgen::{BasicConstraints, CertificateParams, CustomExtension, IsCa, Issuer, KeyPair, SanType};
use std::sync::mpsc::channel;

struct Lab;
impl Protocols for Lab {
    fn protocol_set() -> ProtocolSet {
        Builtin::protocol_set()
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
/// The service by its name without the package.
const SHORT_READ: Target = Target::fixed("TestService", "Read");
const SHORT_WRITE: Target = Target::fixed("TestService", "Write");
const PROTOCOLS: [&str; 2] = ["grpc", "baidu_std"];

fn server(policy: &str) -> Server<Lab> {
    server_with(Policy::from_json(policy).expect("a policy"))
}

fn server_with(policy: Policy) -> Server<Lab> {
    let echo = |name| Method::new(name, || Box::new(Echo));
    let service = Service::new(SERVICE, &[]).with(echo("Read")).with(echo("Write"));
    Server::<Lab>::new().service(service).middleware(policy)
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
                "allow_rules": [{"name": "read", "request": {"paths": ["/grpc.testing.TestService/Read", "/TestService/*"]}},
                    {"name": "key", "request": {"headers": [{"key": "key-bin", "values": ["AP8="]}]}}]}"#,
        ),
    );
    for protocol in PROTOCOLS {
        let channel = net.builder("shop:1").protocol(protocol).build().expect("a channel");
        assert_eq!(channel.call(READ, "a").await.expect("allowed").body.to_vec(), b"a", "{protocol}");
        assert!(is_refused(channel.call(WRITE, "a").await), "{protocol}");
        // By its short name, a service is still the one with the full name.
        assert!(channel.call(SHORT_READ, "a").await.is_ok(), "{protocol}");
        assert!(is_refused(channel.call(SHORT_WRITE, "a").await), "{protocol}");
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
        let mut parameters = CertificateParams::default();
        parameters.subject_alt_names = names;
        self.sign(parameters)
    }

    fn sign(&self, parameters: CertificateParams) -> (String, String) {
        let key = KeyPair::generate().expect("a key");
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

#[tokio::test(start_paused = true)]
async fn a_caller_whose_certificate_cannot_be_read_is_refused_and_recorded() {
    let net = Net::<Lab>::seeded(1);
    let authority = Authority::new();
    let (tell, told) = channel();
    let policy = Policy::builder()
        .logger("mine", move |_| {
            let tell = tell.clone();
            Ok(move |record: &AuditRecord<'_>| {
                let AuditRecord { method, principal, policy, rule, authorized, .. } = record;
                let _ = tell.send(format!("{method}|{principal}|{policy}|{rule}|{authorized}"));
            })
        })
        .from_json(
            r#"{"name": "p", "allow_rules": [{"name": "all", "source": {"principals": ["*"]}}],
                "audit_logging_options": {"audit_condition": "ON_DENY", "audit_loggers": [{"name": "mine"}]}}"#,
        )
        .expect("a policy");
    let (certificate, key) = authority.issue(vec![SanType::DnsName("shop".try_into().expect("a name"))]);
    let tls = ServerTls::pem(certificate, key).client_ca_pem(authority.pem.as_str());
    net.serve("shop:1", server_with(policy).tls(tls));
    // Alternative names with a URI that is not ASCII, which nothing that verifies looks at.
    let mut parameters = CertificateParams::default();
    let names = vec![0x30, 3, 0x86, 1, 0xff];
    parameters.custom_extensions = vec![CustomExtension::from_oid_content(&[2, 5, 29, 17], names)];
    let (certificate, key) = authority.sign(parameters);
    for protocol in PROTOCOLS {
        let tls = ClientTls::default().ca_pem(authority.pem.as_str()).server_name("shop");
        let tls = tls.certificate_pem(certificate.clone(), key.clone());
        let channel = net.builder("shop:1").protocol(protocol).tls(tls).build().expect("a channel");
        let status = channel.call(READ, "").await.expect_err("it is refused");
        assert_eq!(status.code(), Code::Internal, "{protocol}: {status}");
        assert_eq!(told.try_recv().as_deref(), Ok("/grpc.testing.TestService/Read||p||false"), "{protocol}");
        assert!(told.try_recv().is_err(), "{protocol}: one record a call");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_record_panics_is_refused_and_the_server_goes_on() {
    let net = Net::<Lab>::seeded(1);
    let policy = Policy::builder()
        .logger("mine", |_| Ok(|record: &AuditRecord<'_>| assert!(!record.method.ends_with("Write"))))
        .from_json(
            r#"{"name": "p", "allow_rules": [{"name": "all"}],
                "audit_logging_options": {"audit_condition": "ON_ALLOW", "audit_loggers": [{"name": "mine"}]}}"#,
        )
        .expect("a policy");
    net.serve("shop:1", server_with(policy));
    for protocol in PROTOCOLS {
        let channel = net.builder("shop:1").protocol(protocol).build().expect("a channel");
        for _ in 0..2 {
            assert!(channel.call(WRITE, "").await.is_err(), "{protocol}");
            assert!(channel.call(READ, "").await.is_ok(), "{protocol}");
        }
    }
}
