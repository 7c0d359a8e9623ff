use hello::{Greeter, HelloReply, HelloRequest};
use polywire::{Context, Reply, Server, Status};

polywire::include!("hello");

struct Hello;

impl Greeter for Hello {
    async fn say_hello(&self, _: &Context, request: HelloRequest) -> Result<Reply<HelloReply>, Status> {
        Ok(HelloReply { message: format!("hello {}", request.name) }.into())
    }
}

#[tokio::main]
async fn main() -> polywire::Result<()> {
    Server::new().service(Hello.into_service()).listen("127.0.0.1:8000").run().await
}
