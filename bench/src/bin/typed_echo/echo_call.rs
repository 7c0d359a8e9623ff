//! The echo service of the demo, by the kind of its messages.

use polywire::{AnyChannel, IoBuf};

use crate::{echo, example};

/// A generated client of the one or the other schema.
pub enum Echo {
    Protobuf(example::EchoClient),
    Thrift(echo::EchoClient),
}

impl Echo {
    /// The client for what the protocol carries.
    pub fn new<P>(channel: AnyChannel<P>, protocol: &str) -> Echo {
        match protocol.starts_with("thrift") {
            true => Echo::Thrift(echo::EchoClient::new(channel)),
            false => Echo::Protobuf(example::EchoClient::new(channel)),
        }
    }

    /// One call; whether as much came back as was sent. Thrift has no attachments.
    pub async fn call(&self, text: &str, attachment: &IoBuf) -> bool {
        match self {
            Echo::Protobuf(client) => match protobuf(client, text, attachment).await {
                Ok(reply) => {
                    reply.message.len() == text.len() && reply.attachment().len() == attachment.len()
                }
                Err(_) => false,
            },
            Echo::Thrift(client) => {
                thrift(client, text).await.is_ok_and(|reply| reply.data.len() == text.len())
            }
        }
    }

    /// The same on a plain thread.
    pub fn call_blocking(&self, text: &str, attachment: &IoBuf) -> bool {
        match self {
            Echo::Protobuf(client) => protobuf(client, text, attachment).blocking().is_ok_and(|reply| {
                reply.message.len() == text.len() && reply.attachment().len() == attachment.len()
            }),
            Echo::Thrift(client) => {
                thrift(client, text).blocking().is_ok_and(|reply| reply.data.len() == text.len())
            }
        }
    }
}

fn protobuf(
    client: &example::EchoClient,
    text: &str,
    attachment: &IoBuf,
) -> polywire::Call<example::EchoResponse> {
    let call = client.echo(example::EchoRequest { message: text.to_owned() });
    if attachment.is_empty() { call } else { call.attachment(attachment.clone()) }
}

fn thrift(client: &echo::EchoClient, text: &str) -> polywire::thrift::Call<echo::echo_service::Echo> {
    client.echo(echo::EchoRequest { data: text.to_owned() })
}
