//! A server that is registered in a registry.

use crate::common::{self, Peer, method, run, server, service, start};
use polywire_call::Status;
use polywire_machine_testing::lab::Frame;
use polywire_naming::{Accepted, Keeping, Registrar, Registration, Server, Watching};
use polywire_server::{Lifecycle, Service};
use std::sync::{Arc, Mutex, mpsc};
use tokio::sync::Notify;

/// A registry that records its calls.
#[derive(Clone)]
struct Notes(Arc<Inner>);

struct Inner {
    told: Mutex<mpsc::Sender<String>>,
    /// Lets the deregistration continue.
    go_on: Notify,
}

impl Notes {
    fn new() -> (Notes, mpsc::Receiver<String>) {
        let (sender, told) = mpsc::channel();
        (Notes(Arc::new(Inner { told: Mutex::new(sender), go_on: Notify::new() })), told)
    }
    fn tell(&self, what: &str, server: &Server) {
        let _ = self.0.told.lock().unwrap().send(format!("{what} {}", server.address));
    }
}

impl Registrar for Notes {
    fn name(&self) -> String {
        "notes://".to_owned()
    }
    fn keep<'a>(&'a self, server: &'a Server, accepted: &'a Accepted) -> Keeping<'a> {
        Box::pin(async move {
            self.tell("keep", server);
            accepted.set();
            std::future::pending().await
        })
    }
    fn withdraw<'a>(&'a self, server: &'a Server) -> Watching<'a> {
        Box::pin(async move {
            self.tell("withdraw", server);
            self.0.go_on.notified().await;
            Ok(())
        })
    }
}

fn echo() -> Service {
    service().with(method("Echo", |_| async { Status::OK.into() }))
}

#[test]
fn a_server_is_announced_at_its_address_and_withdrawn_before_it_refuses_anything() {
    run(async {
        let (notes, told) = Notes::new();
        let running =
            start(server(echo()).lifecycle(Lifecycle::default().register(Registration::new(notes.clone()))));
        let address = running.addresses()[0].to_string();
        assert_eq!(told.recv().unwrap(), format!("keep {address}"));
        let mut peer: Peer = common::connect(&running);

        let stopping = tokio::spawn(running.stop());
        while told.try_recv().as_deref() != Ok(&format!("withdraw {address}")) {
            tokio::task::yield_now().await;
        }
        // Until the registry has removed the server, calls are answered and connections are accepted.
        peer.send(Frame::call(1, "test.Service/Echo", b"")).await;
        peer.finish(1).await;
        tokio::net::TcpStream::connect(&address).await.expect("it still listens");
        notes.0.go_on.notify_one();
        assert!(stopping.await.unwrap().is_empty());
    });
}

#[test]
fn a_server_on_all_addresses_has_to_be_told_its_own() {
    let (notes, told) = Notes::new();
    let on_all = || std::net::TcpListener::bind("0.0.0.0:0").expect("a free port");
    let refused = server(echo())
        .lifecycle(Lifecycle::default().register(Registration::new(notes.clone())))
        .serve(on_all());
    let Err(why) = refused.map(drop) else { panic!("it started") };
    assert!(
        why.to_string().contains("notes://") && why.to_string().contains("stands for all addresses"),
        "{why}"
    );

    let given = Registration::new(notes).address("10.0.0.1:8000");
    let _running =
        server(echo()).lifecycle(Lifecycle::default().register(given)).serve(on_all()).expect("it starts");
    assert_eq!(told.recv().unwrap(), "keep 10.0.0.1:8000");
}
