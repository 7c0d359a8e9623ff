use hello::{GreeterClient, HelloRequest};
use polywire::Channel;

polywire::include!("hello");

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let greeter = GreeterClient::new(Channel::connect("127.0.0.1:8000").await?);
    let reply = greeter.say_hello(HelloRequest { name: "world".into() }).await?;
    println!("{}", reply.message);
    Ok(())
}
