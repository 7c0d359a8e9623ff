//! Whose certificate is shown, and whose is believed.

use super::{
    authority::{Authority, Identity, issuer, self_signed},
    support::{believes, channel, counted, run, server, start, tls, who},
};
use polywire::{ClientTls, Code, brpc};
use polywire_engine::Fault;

/// What became of a call to a server with this certificate.
async fn outcome(identity: &Identity, client: ClientTls) -> (i32, String) {
    let running = start(server().tls(tls(identity)));
    let channel = channel(&running, "baidu_std", Some(client));
    let status = super::support::ask(&channel).await.err().unwrap_or_default();
    if !status.is_ok() {
        counted(&running, Fault::TlsCertificate).await; // the client said why
        assert_eq!(channel.faults().count(Fault::TlsCertificate), 1);
        assert_eq!(status.code(), Code::Unavailable);
    }
    (brpc::number(&status), status.message().to_owned())
}

#[test]
fn who_cannot_be_believed_is_not_called() {
    run(async {
        let (authority, other) = (Authority::new("ca"), Authority::new("other"));
        let (good, issuer) = (authority.server(&["localhost"]), issuer(&["localhost"]));
        assert_eq!(outcome(&good, believes(&authority)).await.0, 0);
        for (identity, client, why) in [
            (&good, believes(&authority).server_name("elsewhere"), "not valid for name"),
            (&good, believes(&other), "issuer is none of those that are trusted"),
            (&authority.expired(&["localhost"]), believes(&authority), "expired"),
            (&self_signed(&["localhost"]), believes(&authority), "issuer is none of those that are trusted"),
            (&issuer, ClientTls::new().ca_pem(issuer.certificate.as_str()), "that of an issuer (CA:TRUE)"),
        ] {
            let (number, said) = outcome(identity, client).await;
            assert_eq!(number, brpc::ESSL, "{said}");
            assert!(said.contains(why), "{said}");
        }
    });
}

#[test]
fn anything_is_believed_only_where_danger_is_asked_for() {
    run(async {
        let expired = Authority::new("ca").expired(&["elsewhere"]);
        let client = ClientTls::new().server_name("localhost").dangerous().no_verification();
        assert_eq!(outcome(&expired, client).await.0, 0);
    });
}

#[test]
fn the_certificate_is_chosen_by_the_name_that_is_asked_for() {
    run(async {
        let (first, second, third) = (Authority::new("1"), Authority::new("2"), Authority::new("3"));
        let one = first.server(&["localhost", "one.example"]);
        let two = second.server(&["*.two.example", "two.example"]);
        let three = third.server(&["special.two.example"]);
        let several = tls(&one)
            .and_pem(two.certificate.as_str(), two.key.as_str())
            .and_pem(three.certificate.as_str(), three.key.as_str());
        let running = start(server().tls(several));
        for (name, authority) in [
            ("localhost", &first),
            ("ONE.example", &first),
            ("two.example", &second),
            ("a.two.example", &second),
            ("special.two.example", &third),
        ] {
            let client = ClientTls::new().ca_pem(authority.pem.as_str()).server_name(name);
            who(&running, "baidu_std", Some(client)).await.unwrap_or_else(|why| panic!("{name}: {why}"));
        }
        // A star stands for one label; a client that asks for an unknown name gets the first certificate.
        let deep = ClientTls::new().ca_pem(second.pem.as_str()).server_name("a.b.two.example");
        assert!(who(&running, "baidu_std", Some(deep)).await.is_err());
        let address = believes(&first).server_name("127.0.0.1").dangerous().no_verification();
        who(&running, "baidu_std", Some(address)).await.unwrap();
    });
}
