//! Fields of a request that are returned. A handler of tonic cannot set trailers of a successful call, a
//! layer can.

use http::{Request, Response};
use http_body::Frame;
use http_body_util::BodyExt;
use polywire_interop_tonic::{ECHO_INITIAL, ECHO_TRAILING};
use std::{
    pin::Pin,
    task::{Context, Poll},
};
use tonic::body::Body;
use tower::Service;

#[derive(Clone)]
pub struct Echo<S> {
    inner: S,
}

impl<S> Echo<S> {
    pub fn new(inner: S) -> Self {
        Echo { inner }
    }
}

impl<S> Service<Request<Body>> for Echo<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let initial = request.headers().get(ECHO_INITIAL).cloned();
        let trailing = request.headers().get(ECHO_TRAILING).cloned();
        let response = self.inner.call(request);
        Box::pin(async move {
            let (mut head, body) = response.await?.into_parts();
            if let Some(value) = initial {
                head.headers.insert(ECHO_INITIAL, value);
            }
            let body = body.map_frame(move |frame| match frame.into_trailers() {
                Err(data) => data,
                Ok(mut trailers) => {
                    if let Some(value) = &trailing {
                        trailers.insert(ECHO_TRAILING, value.clone());
                    }
                    Frame::trailers(trailers)
                }
            });
            Ok(Response::from_parts(head, Body::new(body)))
        })
    }
}
