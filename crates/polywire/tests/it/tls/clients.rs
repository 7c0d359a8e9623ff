//! Clients that say who they are.

use super::{
    authority::{Authority, Identity},
    support::{believes, channel, counted, run, server, start, tls, who},
};
use polywire::{Authenticator, Caller, ClientCertificates, ClientTls, Pooling, Status, brpc};
use polywire_engine::Fault;

fn shows(client: ClientTls, identity: &Identity) -> ClientTls {
    client.certificate_pem(identity.certificate.as_str(), identity.key.as_str())
}

#[test]
fn a_handler_sees_who_calls() {
    run(async {
        let authority = Authority::new("ca");
        let demanding = tls(&authority.server(&["localhost"])).client_ca_pem(authority.pem.as_str());
        let running = start(server().tls(demanding));
        for (client, seen) in [
            (authority.client("billing.internal", ""), "billing.internal"),
            (authority.client("billing.internal", "spiffe://prod/billing"), "spiffe://prod/billing"),
        ] {
            let client = shows(believes(&authority), &client);
            let said = who(&running, "baidu_std", Some(client)).await;
            assert_eq!(said.unwrap(), format!("baidu_std TLSv1.3 - 1 {seen}"));
        }
    });
}

#[test]
fn whoever_shows_nothing_or_the_wrong_thing_is_turned_away() {
    run(async {
        let (authority, other) = (Authority::new("ca"), Authority::new("other"));
        let demanding = tls(&authority.server(&["localhost"])).client_ca_pem(authority.pem.as_str());
        for client in [believes(&authority), shows(believes(&authority), &other.client("x", ""))] {
            let running = start(server().tls(demanding.clone()));
            let status = who(&running, "baidu_std", Some(client)).await.unwrap_err();
            counted(&running, Fault::TlsCertificate).await;
            assert_eq!(brpc::number(&status), brpc::ESSL, "{status}");
        }
    });
}

#[test]
fn where_it_is_optional_nothing_is_fine_and_the_wrong_thing_is_not() {
    run(async {
        let (authority, other) = (Authority::new("ca"), Authority::new("other"));
        let asking = tls(&authority.server(&["localhost"])).client_ca_pem(authority.pem.as_str());
        let running = start(server().tls(asking.client_certificates(ClientCertificates::Optional)));
        let nobody = who(&running, "baidu_std", Some(believes(&authority))).await;
        assert_eq!(nobody.unwrap(), "baidu_std TLSv1.3 - 0 nobody");
        let wrong = shows(believes(&authority), &other.client("x", ""));
        assert!(who(&running, "baidu_std", Some(wrong)).await.is_err());
    });
}

#[test]
fn an_authenticator_has_the_last_word() {
    struct Believes;
    impl Authenticator for Believes {
        async fn verify(&self, caller: Caller) -> Result<polywire::Identity, Status> {
            assert_eq!(caller.peer_certificates().len(), 1);
            Ok(polywire::Identity::named(caller.credential_str().unwrap_or_default()))
        }
    }
    run(async {
        let authority = Authority::new("ca");
        let demanding = tls(&authority.server(&["localhost"])).client_ca_pem(authority.pem.as_str());
        let running = start(server().tls(demanding).authenticate(Believes));
        let client = shows(believes(&authority), &authority.client("billing.internal", ""));
        let serving = running.clone();
        let channel = polywire::Channel::builder("memory")
            .connector(move |_| std::future::ready(Ok(super::support::dial(&serving))))
            .tls(client)
            .credential("alice")
            .build()
            .unwrap();
        assert_eq!(super::support::ask(&channel).await.unwrap(), "baidu_std TLSv1.3 - 1 alice");
    });
}

#[test]
fn sessions_are_resumed_with_the_client_they_began_with() {
    run(async {
        let authority = Authority::new("ca");
        let demanding = tls(&authority.server(&["localhost"])).client_ca_pem(authority.pem.as_str());
        let running = start(server().tls(demanding));
        let client = shows(believes(&authority), &authority.client("billing.internal", ""));
        // Each call has a connection of its own, one channel's keys.
        let serving = running.clone();
        let short = polywire::Channel::builder("memory")
            .pooling(Pooling::default().kind(polywire::Connections::Short))
            .connector(move |_| std::future::ready(Ok(super::support::dial(&serving))))
            .tls(client.clone())
            .build()
            .unwrap();
        let whole = "baidu_std TLSv1.3 - 1 billing.internal";
        assert_eq!(super::support::ask(&short).await.unwrap(), whole);
        assert_eq!(super::support::ask(&short).await.unwrap(), format!("{whole} resumed"));
        let forgetful = channel(&running, "http", Some(client.resumption(false)));
        for _ in 0..2 {
            assert!(!super::support::ask(&forgetful).await.unwrap().contains("resumed"));
        }
    });
}

/// Only a server that nobody reaches without a certificate says that it needs one.
#[test]
fn certificates_that_are_required_are_described() {
    run(async {
        let authority = Authority::new("ca");
        let demanding = || tls(&authority.server(&["localhost"])).client_ca_pem(authority.pem.as_str());
        for (tls, described) in [
            (demanding(), true),
            (demanding().client_certificates(ClientCertificates::Optional), false),
            (demanding().plain_on("127.0.0.1:0"), false),
        ] {
            let pages = polywire::Pages::default().open("openapi.json");
            let running = server().tls(tls).pages(pages).listen("127.0.0.1:0").start().unwrap();
            let running = std::sync::Arc::new(running);
            let client = shows(believes(&authority), &authority.client("billing.internal", ""));
            let channel = super::support::channel(&running, "http", Some(client));
            let page =
                channel.call(polywire::Target::named("", "/openapi.json"), "").metadata(":method", "GET");
            let document = String::from_utf8(page.await.unwrap().body.to_vec()).unwrap();
            assert_eq!(
                document.contains("\"certificate\":{\"type\":\"mutualTLS\"}"),
                described,
                "{document}"
            );
        }
    });
}
