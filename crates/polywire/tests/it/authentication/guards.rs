//! Guards: consent that is required per protocol.

use super::doorman::{alone, channel, connect, server};
use crate::talk::{Line, TalkClient};
use polywire::{Caller, Identity, Server, ServerError, Status};
use polywire_engine::Peer;
use polywire_machine_testing::{Call, Side, hex};
use polywire_protocols::baidu_std;
use polywire_wire::Claim;
use std::sync::Arc;

#[test]
fn a_guard_is_asked_without_an_authenticator() {
    alone(async {
        let guarded = server().guard("http", |claim, _| match claim.credential {
            Some(b"secret") => Ok(()),
            _ => Err(Status::unauthenticated("the guard's no")),
        });
        let running = Arc::new(guarded.start_without_listener().unwrap());
        for (protocol, credential, may) in [
            ("http", "secret", true),
            ("http", "guess", false),
            ("http", "", false),
            ("h2", "", true),
            ("baidu_std", "", true),
        ] {
            let talk = TalkClient::new(channel(&running, protocol, credential));
            assert_eq!(talk.say(Line::default()).await.is_ok(), may, "{protocol} with {credential:?}");
        }
    });
}

/// Its consent holds for other requests that show the same credential, so it must not depend on this one.
#[test]
fn a_guard_sees_no_request() {
    alone(async {
        let sees = |claim: &Claim<'_>, _: &Peer| match claim.head {
            None => Ok(()),
            Some(_) => Err(Status::permission_denied("it sees a request")),
        };
        let guarded = server().guard("http", sees).guard("h2", sees).guard("baidu_std", sees);
        let running = Arc::new(guarded.start_without_listener().unwrap());
        for protocol in ["http", "h2", "baidu_std"] {
            let talk = TalkClient::new(channel(&running, protocol, "secret"));
            talk.say(Line::default()).await.expect(protocol);
        }
    });
}

#[test]
fn what_is_open_to_all_is_open_to_those_whom_the_guard_lets_in() {
    alone(async {
        let say = "GET /talk.Talk/Say HTTP/1.1\r\nHost: localhost\r\n\r\n";
        let health = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
        let guarded = server().guard("http", |_, _| Err(Status::unauthenticated("the guard's no")));
        let running = guarded.start_without_listener().unwrap();
        let mut peer = connect(&running);
        peer.send(health).await;
        assert!(peer.read_until("the guard's no").await.starts_with("HTTP/1.1 403 "));

        let guarded = server().guard("http", |_, _| Ok(())).authenticate(|_: Caller| async {
            Err::<Identity, _>(Status::unauthenticated("the authenticator's no"))
        });
        let running = guarded.start_without_listener().unwrap();
        let mut peer = connect(&running);
        for _ in 0..2 {
            peer.send(health).await;
            assert!(peer.read_until("OK\r\n").await.starts_with("HTTP/1.1 200 "));
        }
        peer.send(say).await;
        peer.read_until("the authenticator's no").await; // methods that are open to all let nobody in
    });
}

/// Both kinds of frames of baidu_std are handled by one machine.
#[test]
fn no_frame_of_a_stream_leads_past_the_guard_of_baidu_std() {
    alone(async {
        let guarded = server().guard("baidu_std", |_, _| Err(Status::unauthenticated("the guard's no")));
        let running = Arc::new(guarded.start_without_listener().unwrap());
        let mut client = Side::client(&baidu_std::PROTOCOL);
        client.call(&Call::new("talk.Talk", "Say"));
        let call = client.written();
        for first in [&hex("53 54 52 4d 00 00 00 04 00 00 00 04 08 09 18 01")[..], b""] {
            let mut peer = connect(&running);
            peer.send([first, &call].concat()).await;
            peer.read_until("Fail to authenticate: the guard's no").await;
        }
    });
}

#[test]
fn a_guard_that_nobody_would_ask_ends_the_start() {
    alone(async {
        let refused = |server: Server, protocol: &'static str, why: &str| match server
            .guard(protocol, |_, _| Ok(()))
            .start_without_listener()
        {
            Err(ServerError::Config(wrong)) => {
                assert!(wrong.to_string().contains(why), "{wrong}");
                assert_eq!((wrong.option(), wrong.value()), ("guard", Some(protocol)));
            }
            other => panic!("{protocol}: {:?}", other.map(drop)),
        };
        for (protocol, why) in [
            ("grpc", "come by h2"),
            ("connect", "come by h2, http"),
            ("streaming_rpc", "come by baidu_std"),
            ("ubrpc_compack", "come by ubrpc_mcpack2"),
            ("nshead", "no protocol"), // there is no service for it
            ("mongo", "no protocol"),
            ("htpp", "no protocol"),
        ] {
            refused(server(), protocol, why);
        }
        refused(server().protocols(["http"]), "h2", "no protocol");
        refused(server().protocols(["grpc-web"]), "baidu_std", "no protocol");
        for (protocols, guarded) in
            [("grpc", "h2"), ("streaming_rpc", "baidu_std"), ("ubrpc_compack", "ubrpc_compack")]
        {
            let server = server().protocols([protocols]).guard(guarded, |_, _| Ok(()));
            assert!(server.start_without_listener().is_ok(), "{guarded}");
        }
    });
}
