use helloworld::{Greeter, HelloReply, HelloRequest};
use polywire::{Context, Reply, Server, Status};

polywire::include!("helloworld");

struct Echo;

impl Greeter for Echo {
    async fn say_hello(&self, _: &Context, request: HelloRequest) -> Result<Reply<HelloReply>, Status> {
        Ok(HelloReply { response: request.request, ..Default::default() }.into())
    }
}

#[tokio::main]
async fn main() -> polywire::Result<()> {
    Server::new().service(Echo.into_service()).listen("0.0.0.0:50051").run().await
}
