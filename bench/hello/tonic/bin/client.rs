use hello::HelloRequest;
use hello::greeter_client::GreeterClient;

pub mod hello {
    tonic::include_proto!("hello");
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut greeter = GreeterClient::connect("http://127.0.0.1:8000").await?;
    let reply = greeter.say_hello(HelloRequest { name: "world".into() }).await?;
    println!("{}", reply.into_inner().message);
    Ok(())
}
