//! A service that queries a database whose driver blocks.

#![forbid(unsafe_code)]

mod database;
mod pool;

use polywire::{Context, Reply, Server, Status};
use users::{FindRequest, User, Users};

pub use database::{Connection, opened};
pub use pool::Pool;

polywire::include!("users"); // mod users { FindRequest, User, Users, UsersClient }

struct Directory {
    pool: Pool,
}

impl Users for Directory {
    async fn find(&self, _: &Context, request: FindRequest) -> Result<Reply<User>, Status> {
        let name = self.pool.with(move |db| db.name_of(request.id)).await?;
        let name = name.ok_or_else(|| Status::not_found("no such user"))?;
        Ok(User { name }.into())
    }
}

/// The server, without an address yet, with at most this many connections to its database.
pub fn server(connections: usize) -> Server {
    Server::new().service(Directory { pool: Pool::new(connections) }.into_service())
}
