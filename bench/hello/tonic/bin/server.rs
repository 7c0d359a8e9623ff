use hello::greeter_server::{Greeter, GreeterServer};
use hello::{HelloReply, HelloRequest};
use tonic::{Request, Response, Status, transport::Server};

pub mod hello {
    tonic::include_proto!("hello");
}

struct Hello;

#[tonic::async_trait]
impl Greeter for Hello {
    async fn say_hello(&self, request: Request<HelloRequest>) -> Result<Response<HelloReply>, Status> {
        Ok(Response::new(HelloReply { message: format!("hello {}", request.into_inner().name) }))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Server::builder().add_service(GreeterServer::new(Hello)).serve("127.0.0.1:8000".parse()?).await?;
    Ok(())
}
