//! `tonic-server`: answers gRPC's interop cases until it is told to stop.

mod echo;

use echo::Echo;
use polywire_interop_tonic::{
    testing::{
        EchoStatus, Empty, SimpleRequest, SimpleResponse, StreamingInputCallRequest,
        StreamingInputCallResponse, StreamingOutputCallRequest, StreamingOutputCallResponse,
        test_service_server::{TestService, TestServiceServer},
    },
    zeros,
};
use std::{pin::Pin, time::Duration};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    sync::mpsc,
};
use tokio_stream::{
    Stream, StreamExt,
    wrappers::{ReceiverStream, TcpListenerStream},
};
use tonic::{Code, Request, Response, Status, Streaming, codec::CompressionEncoding, transport::Server};
use tower::layer::layer_fn;

type Replies = Pin<Box<dyn Stream<Item = Result<StreamingOutputCallResponse, Status>> + Send>>;
type Sender = mpsc::Sender<Result<StreamingOutputCallResponse, Status>>;

struct Testing;

#[tonic::async_trait]
impl TestService for Testing {
    async fn empty_call(&self, _: Request<Empty>) -> Result<Response<Empty>, Status> {
        Ok(Response::new(Empty {}))
    }

    async fn unary_call(&self, request: Request<SimpleRequest>) -> Result<Response<SimpleResponse>, Status> {
        let request = request.into_inner();
        fail_if_told(request.response_status.as_ref())?;
        let message = SimpleResponse { payload: zeros(request.response_size), ..Default::default() };
        let mut response = Response::new(message);
        if !request.response_compressed.is_some_and(|wanted| wanted.value) {
            response.disable_compression();
        }
        Ok(response)
    }

    async fn cacheable_unary_call(
        &self,
        request: Request<SimpleRequest>,
    ) -> Result<Response<SimpleResponse>, Status> {
        self.unary_call(request).await
    }

    type StreamingOutputCallStream = Replies;

    async fn streaming_output_call(
        &self,
        request: Request<StreamingOutputCallRequest>,
    ) -> Result<Response<Replies>, Status> {
        Ok(replying(tokio_stream::once(Ok(request.into_inner()))))
    }

    async fn streaming_input_call(
        &self,
        request: Request<Streaming<StreamingInputCallRequest>>,
    ) -> Result<Response<StreamingInputCallResponse>, Status> {
        let mut incoming = request.into_inner();
        let mut size = 0;
        while let Some(request) = incoming.message().await? {
            size += request.payload.map_or(0, |payload| payload.body.len());
        }
        let aggregated_payload_size = i32::try_from(size).unwrap_or(i32::MAX);
        Ok(Response::new(StreamingInputCallResponse { aggregated_payload_size }))
    }

    type FullDuplexCallStream = Replies;

    async fn full_duplex_call(
        &self,
        request: Request<Streaming<StreamingOutputCallRequest>>,
    ) -> Result<Response<Replies>, Status> {
        Ok(replying(request.into_inner()))
    }

    type HalfDuplexCallStream = Replies;

    async fn half_duplex_call(
        &self,
        request: Request<Streaming<StreamingOutputCallRequest>>,
    ) -> Result<Response<Replies>, Status> {
        let requests: Vec<_> = request.into_inner().collect().await;
        Ok(replying(tokio_stream::iter(requests)))
    }
}

/// What each request wants, in order.
fn replying(
    mut requests: impl Stream<Item = Result<StreamingOutputCallRequest, Status>> + Send + Unpin + 'static,
) -> Response<Replies> {
    let (sender, replies) = mpsc::channel(1);
    tokio::spawn(async move {
        while let Some(request) = requests.next().await {
            if let Err(status) = answer(request, &sender).await {
                let _ = sender.send(Err(status)).await;
                return;
            }
        }
    });
    let mut response = Response::new(Box::pin(ReceiverStream::new(replies)) as Replies);
    response.disable_compression();
    response
}

async fn answer(request: Result<StreamingOutputCallRequest, Status>, sender: &Sender) -> Result<(), Status> {
    let request = request?;
    fail_if_told(request.response_status.as_ref())?;
    for wanted in request.response_parameters {
        tokio::time::sleep(Duration::from_micros(u64::try_from(wanted.interval_us).unwrap_or(0))).await;
        let reply = StreamingOutputCallResponse { payload: zeros(wanted.size) };
        if sender.send(Ok(reply)).await.is_err() {
            return Ok(()); // nobody reads any more
        }
    }
    Ok(())
}

fn fail_if_told(status: Option<&EchoStatus>) -> Result<(), Status> {
    match status {
        Some(status) if status.code != 0 => Err(Status::new(Code::from(status.code), status.message.clone())),
        _ => Ok(()),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on {}", listener.local_addr()?);
    let service = TestServiceServer::new(Testing)
        .accept_compressed(CompressionEncoding::Gzip)
        .send_compressed(CompressionEncoding::Gzip);
    let mut told = signal(SignalKind::terminate())?;
    let serving = Server::builder()
        .layer(layer_fn(Echo::new))
        .add_service(service)
        .serve_with_incoming(TcpListenerStream::new(listener));
    tokio::select! {
        ended = serving => Ok(ended?),
        _ = told.recv() => Ok(()),
    }
}
