//! Servers that say which they are, and a control plane that names them to clients.

#![forbid(unsafe_code)]

pub mod plane;
mod resources;

use colour::{Answer, Colour, Question};
use polywire::{Context, Reply, Running, Server, Status};

polywire::include!(); // mod colour, and mod envoy with Envoy's messages

struct Named(&'static str);

impl Colour for Named {
    async fn ask(&self, _: &Context, _: Question) -> Result<Reply<Answer>, Status> {
        Ok(Answer { colour: self.0.into() }.into())
    }
}

/// A server of this name, and its port.
///
/// # Errors
/// It cannot listen.
pub fn serve(name: &'static str) -> polywire::Result<(Running, u32)> {
    let running = Server::new().service(Named(name).into_service()).listen("127.0.0.1:0").start()?;
    let address = running.addresses()[0].to_string();
    let port = address.rsplit(':').next().and_then(|port| port.parse().ok()).unwrap_or_default();
    Ok((running, port))
}
