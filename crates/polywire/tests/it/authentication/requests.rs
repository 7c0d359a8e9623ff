//! What an authenticator sees of requests, and for which requests its decisions hold.

use super::doorman::{TYPED, alone, carries_credentials, channel, connect, doorman, run, start};
use crate::talk::{Line, TalkClient};
use polywire::{Caller, Identity, Status};
use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::SeqCst},
};

#[test]
fn it_sees_the_method_the_metadata_and_both_addresses() {
    run(async |protocol| {
        if !TYPED.contains(&protocol) {
            return;
        }
        let (doorman, mut questions) = doorman();
        let running = start(doorman);
        let talk = TalkClient::new(channel(
            &running,
            protocol,
            if carries_credentials(protocol) { "secret" } else { "" },
        ));
        let tenant = ["http", "h2", "grpc", "grpc-web", "connect", "baidu_std"].contains(&protocol);
        let call = talk.say(Line::default());
        let call = if tenant { call.metadata("tenant", "blue") } else { call };
        let (reply, ()) = tokio::join!(call, async {
            let question = questions.recv().await.unwrap();
            let caller = &question.caller;
            let named = protocol != "public_pbrpc"; // it names its method in the body
            assert_eq!(
                (caller.service(), caller.method()),
                if named { (Some("talk.Talk"), Some("Say")) } else { (None, None) }
            );
            assert_eq!(caller.metadata().get_str("tenant"), tenant.then_some("blue"));
            assert_eq!(caller.credential_str(), carries_credentials(protocol).then_some("secret"));
            assert_eq!(caller.is_per_request(), TYPED[..5].contains(&protocol));
            assert_eq!(caller.peer().to_string(), "memory:test/client");
            assert_eq!(caller.local().to_string(), "memory:test");
            assert!(!format!("{caller:?}").contains("secret"));
            question.accept("ada");
        });
        reply.unwrap();
    });
}

/// Otherwise a token with the right to read once would be accepted for everything after it.
#[test]
fn a_decision_by_the_request_holds_for_that_request_alone() {
    for (looks, expected) in [(true, ["read", "read"]), (false, ["read", "-"])] {
        alone(async {
            let asked = Arc::new(AtomicU32::new(0));
            let count = asked.clone();
            let running = start(move |caller: Caller| {
                count.fetch_add(1, SeqCst);
                async move {
                    match looks && caller.method() == Some("Sum") {
                        true => Err(Status::permission_denied("it may not write")),
                        false => Ok(Identity::named("reader")),
                    }
                }
            });
            for protocol in ["http", "h2", "grpc"] {
                asked.store(0, SeqCst);
                let talk = TalkClient::new(channel(&running, protocol, "secret"));
                for _ in 0..2 {
                    assert_eq!(talk.say(Line::default()).await.unwrap().into_message().text, "reader");
                }
                let times = expected.iter().filter(|text| **text == "read").count() as u32;
                assert_eq!(asked.load(SeqCst), times, "over {protocol}");
            }
        });
    }
}

#[test]
fn a_caller_without_a_credential_may_be_let_in_for_his_address() {
    run(async |protocol| {
        let running = start(|caller: Caller| async move {
            match (caller.credential(), caller.peer().is_local()) {
                (None, true) => Ok(Identity::named("neighbour")),
                _ => Err(Status::unauthenticated("a credential is needed")),
            }
        });
        if TYPED.contains(&protocol) {
            let talk = TalkClient::new(channel(&running, protocol, ""));
            assert_eq!(talk.say(Line::default()).await.unwrap().into_message().text, "neighbour");
        }
    });
}

#[test]
fn a_bearer_token_is_found_in_either_case() {
    alone(async {
        let (doorman, mut questions) = doorman();
        let running = start(doorman);
        for (shown, token) in
            [("Bearer abc", Some("abc")), ("bearer  abc", Some("abc")), ("Basic abc", None), ("Bearer", None)]
        {
            let mut peer = connect(&running);
            peer.send(format!("GET /health1 HTTP/1.1\r\nHost: x\r\nAuthorization: {shown}\r\n\r\n")).await;
            let question = questions.recv().await.unwrap();
            assert_eq!(question.caller.bearer(), token, "{shown}");
            assert_eq!((question.caller.service(), question.caller.method()), (None, None));
            question.accept("ada");
        }
    });
}
