//! A server with such callers, on a network in memory.

use super::*;
use crate::{Claims, Tokens};
use polywire_call::{Code, Status};
use polywire_client::Target;
use polywire_protocols::Builtin;
use polywire_server::{Call, Handler, Method, Preset, Server, Service, Started};
use polywire_testkit::Net;
use polywire_wire::{Content, Outcome, ProtocolSet, Protocols};
use std::time::{SystemTime, UNIX_EPOCH};

pub struct Lab;
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

/// Answers with the name of the caller, and with its mail address.
struct Whoami;
impl Handler for Whoami {
    fn start(&self, call: Call) -> Started {
        let name = call.cx.identity().map_or("", |identity| &identity.name);
        let mail = Claims::of(&call.cx).and_then(|claims| claims.text("email")).unwrap_or("");
        let body = format!("{name} {mail}").into_bytes();
        Started::Ready(Outcome {
            body: body.into(),
            content: Content::PROTOBUF,
            reply: true,
            ..Outcome::default()
        })
    }
}

pub const WHOAMI: Target = Target::fixed("test.Callers", "Whoami");

pub fn server() -> Server<Lab> {
    let service = Service::new("test.Callers", &[]).with(Method::new("Whoami", || Box::new(Whoami)));
    Server::<Lab>::new().service(service)
}

/// Claims that are taken now.
pub fn current(other: Value) -> Value {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
    let mut claims = claims_with(other);
    claims["exp"] = (now + 300).into();
    claims
}

pub async fn name_by(net: &Net<Lab>, protocol: &str, credential: &str) -> Result<String, Status> {
    name_at(net, "shop:1", protocol, credential).await
}

async fn name_at(net: &Net<Lab>, at: &str, protocol: &str, credential: &str) -> Result<String, Status> {
    let channel = net.builder(at).protocol(protocol).credential(credential).build().expect("a channel");
    let reply = channel.call(WHOAMI, "").await?;
    Ok(String::from_utf8(reply.body.to_vec()).expect("text"))
}

#[tokio::test(start_paused = true)]
async fn one_call_is_answered_and_others_are_refused_over_every_protocol_with_a_credential() {
    let net = Net::<Lab>::seeded(1);
    let signer = Signer::rsa("k");
    let listed = Tokens::from_text("ops 3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0");
    let jwt = jwt(&[&signer]).or(listed.expect("a list"));
    net.serve("shop:1", server().authenticate(jwt.clone()).admission(jwt));
    let token = signer.token(Algorithm::Rs256, &current(json!({"email": "ada@id.example"})));
    let expired = signer.token(Algorithm::Rs256, &claims_with(json!({"exp": 1})));
    for protocol in ["grpc", "baidu_std", "http", "h2"] {
        let bearer = format!("Bearer {token}");
        assert_eq!(
            name_by(&net, protocol, &bearer).await.expect(protocol),
            "ada ada@id.example",
            "{protocol}"
        );
        assert_eq!(name_by(&net, protocol, "Bearer token").await.expect(protocol), "ops ", "{protocol}");
        for other in [&format!("Bearer {expired}"), "Bearer tokem", "Basic dG9rZW4=", "Bearer ", ""] {
            assert!(name_by(&net, protocol, other).await.is_err(), "{protocol} {other}");
        }
        let channel = net.builder("shop:1").protocol(protocol).build().expect("a channel");
        assert!(channel.call(WHOAMI, "").await.is_err(), "{protocol}");
    }
    // Bare, where there is no scheme.
    assert!(name_by(&net, "baidu_std", &token).await.is_ok());
    assert!(name_by(&net, "grpc", &token).await.is_err());
    let refused = name_by(&net, "grpc", &format!("Bearer {expired}")).await.expect_err("expired");
    assert_eq!((refused.code(), refused.message()), (Code::Unauthenticated, "the token has expired"));
}

/// The list has the token `token` of `ops`.
#[tokio::test(start_paused = true)]
async fn a_name_and_its_token_are_taken_as_user_and_password_over_http_alone() {
    let net = Net::<Lab>::seeded(1);
    let listed = "ops 3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0";
    let listed = Tokens::from_text(listed).expect("a list");
    let with_jwt = jwt(&[&Signer::p256("k")]).or(listed.clone());
    let jwt_alone = jwt(&[&Signer::p256("k")]);
    net.serve("shop:1", server().authenticate(listed));
    net.serve("shop:2", server().authenticate(with_jwt));
    net.serve("shop:3", server().authenticate(jwt_alone));
    let basic = |pair: &str| format!("Basic {}", BASE64_STANDARD.encode(pair));
    let right = basic("ops:token");
    for protocol in ["grpc", "http", "h2", "connect"] {
        for at in ["shop:1", "shop:2"] {
            for shown in [&*right, &right.replace("Basic", "basic"), &right.replace("Basic ", "BASIC  ")] {
                let name = name_at(&net, at, protocol, shown).await;
                assert_eq!(name.expect(protocol), "ops ", "{protocol} {shown}");
            }
            for wrong in [
                basic("ops:tokem"),
                basic("Ops:token"),
                basic("other:token"),
                basic(":token"),
                basic("token"),
                basic("ops:"),
                basic("ops:token "),
                basic("ops:token\0"),
                right.replace(' ', ""),
                right.replace("Basic", "Basics"),
                format!("{right}="),
                format!("{right} {right}"),
                "Basic".to_owned(),
                "Basic ".to_owned(),
                "Basic ops:token".to_owned(),
                basic(&format!("ops:{}", "x".repeat(9000))),
            ] {
                let status = name_at(&net, at, protocol, &wrong).await.expect_err(&wrong);
                assert!(!status.message().contains("ops"), "{protocol} {wrong:.60}: {status}");
            }
        }
        // Without a list nobody has a password.
        assert!(name_at(&net, "shop:3", protocol, &right).await.is_err(), "{protocol}");
    }
    // Elsewhere a credential is the token.
    assert!(name_at(&net, "shop:1", "baidu_std", &right).await.is_err());
    assert_eq!(name_at(&net, "shop:1", "baidu_std", "token").await.expect("the token"), "ops ");
    let hulu = net.builder("shop:1").protocol("hulu_pbrpc").credential("token").build().expect("a channel");
    assert_eq!(hulu.call(WHOAMI.at(0), "").await.expect("the token").body.to_vec(), b"ops ");
}

/// Over HTTP a decision would otherwise hold for as long as a connection shows the same token.
#[tokio::test(start_paused = true)]
async fn a_token_that_ends_while_its_connection_is_open_lets_no_further_call_in() {
    let net = Net::<Lab>::seeded(1);
    let signer = Signer::p256("k");
    let jwt = Jwt::new(Issuer::new(ISSUER, "shop", keys(&[&signer])).leeway(std::time::Duration::ZERO));
    net.serve("shop:1", server().authenticate(jwt.clone()).admission(jwt));
    let until = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs() + 1;
    let token = signer.token(Algorithm::Es256, &claims_with(json!({"exp": until})));
    let channels = ["grpc", "http", "baidu_std"].map(|protocol| {
        let builder = net.builder("shop:1").protocol(protocol).credential(format!("Bearer {token}"));
        builder.build().expect("a channel")
    });
    for channel in &channels {
        assert!(channel.call(WHOAMI, "").await.is_ok());
    }
    // The calendar's seconds, which no test can move.
    let has_ended = || SystemTime::now().duration_since(UNIX_EPOCH).is_ok_and(|now| now.as_secs() > until);
    while !has_ended() {
        std::thread::yield_now();
    }
    for channel in &channels {
        let status = channel.call(WHOAMI, "").await.expect_err("it has ended");
        assert!(status.message().contains("expired") || status.code() == Code::Unauthenticated, "{status:?}");
    }
}
