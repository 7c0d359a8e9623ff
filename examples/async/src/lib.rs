//! The service of the example: squares, and a method that never answers.

#![forbid(unsafe_code)]

use polywire::{Context, Reply, Server, Status};
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use work::{Nothing, Number, Worker};

polywire::include!("work"); // mod work { Number, Nothing, Worker, WorkerClient }

#[derive(Default)]
struct Squares {
    asked: AtomicI64,
}

impl Worker for Squares {
    async fn square(&self, _: &Context, number: Number) -> Result<Reply<Number>, Status> {
        self.asked.fetch_add(1, Relaxed);
        let square = number.value.checked_mul(number.value);
        let value = square.ok_or_else(|| Status::invalid_argument("the square has more than 64 bits"))?;
        Ok(Number { value }.into())
    }

    async fn hang(&self, _: &Context, _: Nothing) -> Result<Reply<Nothing>, Status> {
        std::future::pending().await
    }

    async fn count(&self, _: &Context, _: Nothing) -> Result<Reply<Number>, Status> {
        Ok(Number { value: self.asked.load(Relaxed) }.into())
    }
}

/// The server, without an address yet.
pub fn server() -> Server {
    Server::new().service(Squares::default().into_service())
}
