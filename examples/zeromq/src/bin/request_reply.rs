//! REQ sends requests to a REP socket, and then to a server that also answers other protocols.

use polywire::{
    Server,
    zmq::{Message, Port, Rep, Req},
};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let rep = Rep::new();
    let address = rep.bind("tcp://127.0.0.1:*")?;
    tokio::spawn(async move {
        while let Ok(request) = rep.request().await {
            request.reply("world"); // at any time, before or after others
        }
    });
    let req = Req::new();
    req.connect(&address)?;
    req.send("hello").await?;
    println!("REP answers: {}", req.recv().await?.text());

    let port = Port::new().rep(|request| async move { Message::new(request.text().to_uppercase()) });
    let running = Server::new().service(port).listen("127.0.0.1:0").start()?;
    let req = Req::new();
    req.connect(&format!("tcp://{}", running.addresses()[0]))?;
    req.send("hello").await?;
    println!("the server answers: {}", req.recv().await?.text());
    running.stop().await;
    Ok(())
}
