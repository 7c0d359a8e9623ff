//! Calls the server in several ways: `tls-client FOLDER [ADDRESS]`.

use polywire::{Channel, ClientTls};
use polywire_example_tls::greet::{GreetClient, HelloRequest};
use std::path::PathBuf;

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("usage: tls-client FOLDER [ADDRESS]")?);
    let address = arguments.next().unwrap_or("127.0.0.1:8443".into());
    let connect = |protocol: &str, tls: ClientTls| -> polywire::Result<_> {
        Ok(GreetClient::new(Channel::builder(&address).protocol(protocol).tls(tls).build()?))
    };

    // ClientTls::new() alone trusts the system's roots; our issuer is not among them.
    let believes = || ClientTls::new().ca_file(folder.join("ca.pem"));
    let reply = connect("grpc", believes())?.hello(HelloRequest {}).await?;
    println!("grpc: {}", reply.text);

    // Both sides show a certificate, over any protocol.
    let shows = || believes().certificate_files(folder.join("client.pem"), folder.join("client.key"));
    let reply = connect("baidu_std", shows())?.hello(HelloRequest {}).await?;
    println!("baidu_std: {}", reply.text);
    let reply = connect("http", shows())?.hello(HelloRequest {}).await?;
    println!("http: {}", reply.text);

    // Plain text on the same port, since the server has ServerTls::plain_beside(true).
    let plain = GreetClient::new(Channel::connect(&address).await?);
    println!("plain: {}", plain.hello(HelloRequest {}).await?.text);

    // A certificate for another name is refused.
    let wrong = connect("grpc", believes().server_name("elsewhere"))?.hello(HelloRequest {}).await;
    println!("wrong name: {}", wrong.expect_err("it is not elsewhere").code());
    Ok(())
}
