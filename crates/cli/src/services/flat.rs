//! `flat.Echo` and `test.BenchmarkService`, in FlatBuffers.

use crate::flat::{BENCHMARK, BenchmarkMessageBuf, Echo, FlatBenchmark, MessageBuf};
use polywire::{
    Context, Reply, Status,
    fb_rpc::{self, WithDrafts},
    generated::method_id,
};

/// Replies with the message and the attachment of the request.
pub struct Flat;

impl Echo for Flat {
    async fn echo(&self, cx: &Context, request: MessageBuf) -> Result<Reply<MessageBuf>, Status> {
        let text = request.get().message().unwrap_or_default();
        Ok(Reply::new(crate::flat::message(text)).attach(cx.attachment().clone()))
    }
}

/// Replies with its request; with the attachment only if the message asks for it.
struct Benchmark;

impl FlatBenchmark for Benchmark {
    async fn test(
        &self,
        cx: &Context,
        request: BenchmarkMessageBuf,
    ) -> Result<Reply<BenchmarkMessageBuf>, Status> {
        let echoes = request.get().echo_attachment() != 0;
        let reply = Reply::new(request);
        Ok(if echoes { reply.attach(cx.attachment().clone()) } else { reply })
    }
}

/// `test.BenchmarkService` over fb_rpc and its drafts. Over protocols with names it is protobuf.
pub fn benchmark() -> WithDrafts {
    let service = Benchmark.into_service().method("Test", |test| test.id(method_id(BENCHMARK, 0)));
    fb_rpc::with_drafts(service).called(BENCHMARK)
}
