//! Servers that say which they are, and who has answered the calls of a channel.

#![forbid(unsafe_code)]

use colour::{Answer, Colour, ColourClient, Question};
use polywire::{Channel, Context, Reply, Server, Status};
use std::{collections::BTreeSet, time::Duration};

polywire::include!("colour"); // mod colour { Question, Answer, Colour, ColourClient }

struct Named(&'static str);

impl Colour for Named {
    async fn ask(&self, _: &Context, _: Question) -> Result<Reply<Answer>, Status> {
        Ok(Answer { colour: self.0.into() }.into())
    }
}

/// A server of this name, which can still be given a registry before it starts.
pub fn server(name: &'static str) -> Server {
    Server::new().service(Named(name).into_service()).listen("127.0.0.1:0")
}

/// Makes calls until exactly these servers have answered the last ten.
///
/// # Errors
/// They have not within ten seconds, or a call has failed.
pub async fn answered_by(channel: &Channel, names: &[&str]) -> Result<(), Box<dyn std::error::Error>> {
    let client = ColourClient::new(channel.clone());
    let expected: BTreeSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let calls = async {
        loop {
            let mut found = BTreeSet::new();
            for _ in 0..10 {
                let call = client.ask(Question::default()).wait_for_ready(true); // until there is a server
                found.insert(call.await?.into_message().colour.to_string());
            }
            if found == expected {
                return Ok::<(), Status>(());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), calls).await??;
    println!("answered by {}", expected.into_iter().collect::<Vec<_>>().join(" and "));
    Ok(())
}
