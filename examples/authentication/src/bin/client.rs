//! Calls with and without tokens: `authentication-client [ADDRESS]`.

use polywire::Channel;
use polywire_example_authentication::notes::{Empty, Note, NotesClient};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let address = std::env::args().nth(1).unwrap_or("127.0.0.1:8000".into());
    let note = |text: &str| Note { text: text.into() };

    // Over gRPC and HTTP each request carries its token in the field `authorization`.
    let grpc = NotesClient::new(Channel::builder(&address).protocol("grpc").build()?);
    grpc.write(note("milk")).metadata("authorization", "Bearer writer-token").await?;
    let read = grpc.read(Empty {}).metadata("authorization", "Bearer reader-token").await?;
    println!("grpc: {}", read.text);
    let denied = grpc.write(note("tea")).metadata("authorization", "Bearer reader-token").await;
    println!("a reader writes: {}", denied.expect_err("only writers may"));
    println!("without a token: {}", grpc.read(Empty {}).await.expect_err("refused").code());
    println!("version, without a token: {}", grpc.version(Empty {}).await?.text);

    // Over baidu_std the channel has a credential, and sends it once for each connection.
    let channel = Channel::builder(&address).protocol("baidu_std").credential("reader-token").build()?;
    println!("baidu_std: {}", NotesClient::new(channel).read(Empty {}).await?.text);
    let channel = Channel::builder(&address).protocol("baidu_std").credential("wrong").build()?;
    println!(
        "baidu_std, wrong: {}",
        NotesClient::new(channel).read(Empty {}).await.expect_err("refused").code()
    );
    Ok(())
}
