//! The service `test.BenchmarkService`.

use crate::test::{BenchmarkMessage, BenchmarkService};
use polywire::{Context, Reply, Status};

/// Replies with its request; with the attachment only if the message asks for it.
pub struct Benchmark;

impl BenchmarkService for Benchmark {
    async fn test(&self, cx: &Context, request: BenchmarkMessage) -> Result<Reply<BenchmarkMessage>, Status> {
        let echoes = request.echo_attachment != 0;
        let reply = Reply::new(request);
        Ok(if echoes { reply.attach(cx.attachment().clone()) } else { reply })
    }
}
