//! Several callers on one connection.

use polywire::{
    Authenticator, Channel, Content, Handler, Identity, Method, Peer, Server, Service, Started, Status,
    Target,
    handler::{Call, Outcome},
};
use polywire_engine::Engine;
use std::{net::TcpListener, time::Duration};

struct Believes;
impl Authenticator for Believes {
    fn verify(&self, _: &str, credential: &[u8], _: &Peer) -> Result<Identity, Status> {
        Ok(Identity::named(&String::from_utf8_lossy(credential)))
    }
}

struct Who;
impl Handler for Who {
    fn start(&self, call: Call) -> Started {
        let name = call.cx.identity().map_or("nobody", |identity| &identity.name);
        let body = name.as_bytes().to_vec().into();
        Started::Ready(Outcome { body, content: Content::RAW, reply: true, ..Outcome::default() })
    }
}

#[test]
fn each_call_has_the_identity_of_its_own_credential() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let tells = Service::new("test.Tells", &[]).with(Method::new("Who", || Box::new(Who)));
        let engine = Engine::builder().shards(1).workers(1).build().unwrap();
        let server = Server::new().service(tells).engine(&engine).authenticate(Believes);
        let running = server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap();
        for protocol in ["http", "h2"] {
            let address = running.addresses()[0].to_string();
            let builder = Channel::builder(&address).protocol(protocol).timeout(Duration::from_secs(60));
            let channel = builder.build().unwrap();
            for name in ["alice", "bob", "bob", "alice"] {
                let call = channel.call(Target::fixed("test.Tells", "Who"), Vec::new());
                let reply = call.metadata("authorization", name).await.unwrap().into_message();
                assert_eq!(reply.body.to_vec(), name.as_bytes(), "{protocol}");
            }
        }
    });
}
