//! What is asked over gRPC.

use crate::benchmark::{BenchmarkService, StreamRequest, SumReply, SumRequest};
use polywire::{Context, Reply, Status, Stream};

pub struct Sums;

impl BenchmarkService for Sums {
    async fn get_sum(&self, _: &Context, request: SumRequest) -> Result<Reply<SumReply>, Status> {
        Ok(sum(request.a.wrapping_add(request.b)).into())
    }

    async fn stream_sum(
        &self,
        _: &Context,
        request: StreamRequest,
    ) -> Result<impl Stream<Item = Result<SumReply, Status>>, Status> {
        let first = request.a.wrapping_add(request.b);
        Ok(tokio_stream::iter((0..request.count).map(move |more| Ok(sum(first.wrapping_add(more))))))
    }
}

fn sum(result: i32) -> SumReply {
    SumReply { result, ..Default::default() }
}
