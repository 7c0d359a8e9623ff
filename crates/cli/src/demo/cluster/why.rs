//! `/why` at the port of the cluster: the state of its channels' servers, and the servers of their last
//! calls.

use crate::{
    cluster::{Cluster, WhyRequest},
    failure::Failure,
};
use polywire::{Channel, Context, Engine, HttpBody, Pages, Reply, Running, Server, Status};

struct Asked {
    channels: Vec<Channel>,
}

/// A server with that page. It answers peers on this machine, as the built-in pages do. The console's own
/// page of this name is at `/-/why`.
///
/// # Errors
/// The page cannot listen there.
pub fn serve(listen: &str, channels: Vec<Channel>) -> Result<Running, Failure> {
    let engine = Engine::builder().shards(1).workers(1).build()?;
    let server = Server::new()
        .service(Asked { channels }.into_service())
        .pages(Pages::default().page(polywire::console::why()))
        .engine(&engine);
    Ok(server.listen(listen).start()?)
}

impl Cluster for Asked {
    async fn why(&self, cx: &Context, request: WhyRequest) -> Result<Reply<HttpBody>, Status> {
        if !cx.is_from_here() {
            return Err(Status::permission_denied("this page answers peers on its own machine only"));
        }
        let all = self.channels.iter().map(Channel::why);
        let (content_type, text) = if request.json {
            let all: Vec<_> = all.map(|why| why.to_json()).collect();
            ("application/json", format!("{{\"channels\":[{}]}}\n", all.join(",")))
        } else {
            let all: Vec<_> = all.map(|why| why.to_string()).collect();
            ("text/plain; charset=utf-8", all.join("\n"))
        };
        let body = HttpBody { content_type: content_type.into(), data: text.into(), ..Default::default() };
        Ok(body.into())
    }
}
