//! Certificates that change while a server runs.

use super::{
    authority::{Authority, Identity},
    support::{ask, believes, channel, run, server, start, who},
};
use polywire::{ClientTls, Pooling, Resilience, Running, ServerTls};
use polywire_engine::Fault;
use std::{fs, path::PathBuf, sync::Arc};

/// A folder of files, removed at the end.
pub struct Files(PathBuf);

impl Files {
    pub fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("polywire-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Files(folder)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// As a careful program does it: the file is there in full or not at all.
    pub fn put(&self, name: &str, text: &str) {
        fs::write(self.path("new"), text).unwrap();
        fs::rename(self.path("new"), self.path(name)).unwrap();
    }

    pub fn put_identity(&self, identity: &Identity) {
        self.put("cert.pem", &identity.certificate);
        self.put("key.pem", &identity.key);
    }

    fn tls(&self) -> ServerTls {
        ServerTls::files(self.path("cert.pem"), self.path("key.pem")).reload_every(None)
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0); // it may be gone
    }
}

async fn answers(running: &Arc<Running>, authority: &Authority) -> bool {
    who(running, "baidu_std", Some(believes(authority))).await.is_ok()
}

#[test]
fn new_files_hold_for_new_connections_and_no_others() {
    run(async {
        let (before, after) = (Authority::new("before"), Authority::new("after"));
        let files = Files::new("reload");
        files.put_identity(&before.server(&["localhost"]));
        let running = start(server().tls(files.tls()));
        let old = channel(&running, "baidu_std", Some(believes(&before)));
        ask(&old).await.unwrap();
        assert!(!running.reload_tls().unwrap(), "nothing has changed");

        files.put_identity(&after.server(&["localhost"]));
        assert!(running.reload_tls().unwrap());
        assert!(answers(&running, &after).await);
        assert!(!answers(&running, &before).await);
        ask(&old).await.unwrap();
        assert_eq!(old.connections_made(), 1);
    });
}

#[test]
fn broken_files_change_nothing_and_are_counted_once() {
    run(async {
        let authority = Authority::new("ca");
        let files = Files::new("broken");
        files.put_identity(&authority.server(&["localhost"]));
        let running = start(server().tls(files.tls()));
        // A certificate without its key yet, half a file, none at all.
        files.put("cert.pem", &authority.server(&["localhost"]).certificate);
        assert!(running.reload_tls().is_err());
        assert!(running.reload_tls().is_err(), "it is tried again");
        assert_eq!(running.faults().count(Fault::TlsReload), 1, "and told once");
        files.put("cert.pem", "-----BEGIN CERTIFICATE-----\nMII");
        assert!(running.reload_tls().is_err());
        fs::remove_file(files.path("cert.pem")).unwrap();
        let why = running.reload_tls().unwrap_err().to_string();
        assert!(why.contains("cert.pem"), "{why}");
        assert_eq!(running.faults().count(Fault::TlsReload), 3);
        assert!(answers(&running, &authority).await);
        // Repaired.
        files.put_identity(&authority.server(&["localhost"]));
        assert!(running.reload_tls().unwrap());
        assert!(answers(&running, &authority).await);
    });
}

#[test]
fn files_are_looked_at_without_being_asked() {
    run(async {
        let (before, after) = (Authority::new("before"), Authority::new("after"));
        let files = Files::new("watched");
        files.put_identity(&before.server(&["localhost"]));
        let often = files.tls().reload_every(std::time::Duration::from_millis(2));
        let running = start(server().tls(often));
        files.put_identity(&after.server(&["localhost"]));
        while !answers(&running, &after).await {} // it ends, or the test hangs
    });
}

#[test]
fn with_other_issuers_old_sessions_count_no_more() {
    run(async {
        let (authority, banned) = (Authority::new("ca"), Authority::new("banned"));
        let files = Files::new("issuers");
        files.put_identity(&authority.server(&["localhost"]));
        files.put("clients.pem", &banned.pem);
        let running = start(server().tls(files.tls().client_ca_file(files.path("clients.pem"))));
        let client = banned.client("x", "");
        let serving = running.clone();
        let client: ClientTls =
            believes(&authority).certificate_pem(client.certificate.as_str(), client.key.as_str());
        let channel = polywire::Channel::builder("memory")
            .pooling(Pooling::default().kind(polywire::Connections::Short))
            .resilience(Resilience::default().retries(0))
            .connector(move |_| std::future::ready(Ok(super::support::dial(&serving))))
            .tls(client)
            .build()
            .unwrap();
        ask(&channel).await.unwrap();
        assert!(ask(&channel).await.unwrap().ends_with("resumed"));
        files.put("clients.pem", &authority.pem);
        assert!(running.reload_tls().unwrap());
        assert!(ask(&channel).await.is_err(), "it has a ticket, and it counts no more");
    });
}

/// A page, without TLS.
fn get(running: &Running, path: &str) -> String {
    let mut stream = std::net::TcpStream::connect(running.addresses()[0].to_string()).unwrap();
    let ask = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    std::io::Write::write_all(&mut stream, ask.as_bytes()).unwrap();
    let mut answer = String::new();
    std::io::Read::read_to_string(&mut stream, &mut answer).unwrap();
    answer
}

/// rcgen's certificates hold from 1975 until the year 4096; one that has ended did so at 2001-01-01.
#[test]
fn pages_tell_which_certificates_are_served_and_what_is_wrong_with_them() {
    run(async {
        let authority = Authority::new("ca");
        let files = Files::new("pages");
        files.put_identity(&authority.server(&["localhost", "shop.example"]));
        let running = start(server().tls(files.tls().plain_beside(true)));
        let page = get(&running, "/certificates");
        assert!(page.contains("localhost shop.example") && page.contains(" ca "), "{page}");
        assert!(!get(&running, "/").contains("# ■"));

        files.put("cert.pem", "-----BEGIN CERTIFICATE-----\nMII");
        assert!(running.reload_tls().is_err());
        let page = get(&running, "/certificates");
        assert!(
            page.contains("localhost shop.example") && page.contains("those before stay in use"),
            "{page}"
        );
        assert!(get(&running, "/events").contains("changed TLS files cannot be used"));

        files.put_identity(&authority.expired(&["old.example"]));
        assert!(running.reload_tls().unwrap());
        let page = get(&running, "/certificates?json");
        assert!(page.contains("[\"0\",2,\"old.example\",-") && page.contains(",0,\"ca\","), "{page}");
        assert!(!page.contains("shop.example"), "{page}");
        // Rules are evaluated once a second.
        let sentence = "# ■ The certificate for old.example has ended ";
        while !get(&running, "/").contains(sentence) {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await; // it ends, or the test hangs
        }
    });
}
