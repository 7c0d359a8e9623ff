//! The service `helloworld.Greeter`.

use crate::helloworld::{Greeter, HelloReply, HelloRequest};
use polywire::{Context, Reply, Status};
use std::{hint::black_box, time::Duration};

/// Greets, after the configured amount of arithmetic and sleep.
pub struct Hello {
    /// The number of rounds per call.
    pub rounds: u64,
    pub sleep: Duration,
}

impl Greeter for Hello {
    async fn say_hello(&self, _: &Context, request: HelloRequest) -> Result<Reply<HelloReply>, Status> {
        if self.rounds > 0 {
            black_box(compute(black_box(self.rounds)));
        }
        if !self.sleep.is_zero() {
            tokio::time::sleep(self.sleep).await;
        }
        Ok(HelloReply { message: format!("Hello {}", request.name) }.into())
    }
}

/// A chain in which every round depends on the one before, so that no compiler can shorten it.
fn compute(rounds: u64) -> u64 {
    let mut value = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 0..rounds {
        value = black_box(value.wrapping_mul(0x2545_f491_4f6c_dd1d).rotate_left(17) ^ round);
    }
    value
}
