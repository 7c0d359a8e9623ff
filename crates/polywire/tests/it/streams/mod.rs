//! Streams as users write them: generated traits and clients, over the lab's protocol in memory, and over
//! plain HTTP.

mod cancelling;
mod ends;
mod grpc;
mod kinds;
mod offered;
mod plain_http;
mod pressure;
