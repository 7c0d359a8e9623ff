//! The services of `serve` and `demo`.

mod benchmark;
mod echo;
mod flat;
mod greeter;
mod mongo;
mod news;
mod streams;
mod thrift;

use crate::{
    example::{EchoService, StreamService},
    flat::Echo as _,
    helloworld::Greeter,
    test::BenchmarkService,
};
use polywire::{
    Server, redis,
    rest_rpc::{Functions, Publisher},
};
use std::time::Duration;

/// Settings of the demo services.
#[derive(clap::Args, Clone, Default)]
#[command(next_help_heading = "Demo services")]
pub struct ServiceArguments {
    /// Rounds of arithmetic per call of helloworld.Greeter/SayHello; a round is one dependent 64-bit
    /// multiply-and-rotate, about 1.5 ns
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub heavy_computation_count: u64,
    /// Milliseconds that a call of helloworld.Greeter/SayHello sleeps, holding no thread
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 0)]
    pub sleep_ms: u64,
}

/// A server with all services, without listeners. To be called on the runtime that publishes pushed messages.
pub fn server(arguments: &ServiceArguments) -> Server {
    let greeter = greeter::Hello {
        rounds: arguments.heavy_computation_count,
        sleep: Duration::from_millis(arguments.sleep_ms),
    };
    Server::new()
        .service(echo::Echo.into_service())
        .service(greeter.into_service())
        .service(benchmark::Benchmark.into_service())
        .service(streams::Streams.into_service())
        .service(flat::Flat.into_service())
        .service(flat::benchmark())
        .service(redis::service(redis::Store::default()))
        .service(functions())
        .service(thrift::service())
        .service(polywire::mongo::service(mongo::Collections::default()))
        .service(polywire::websocket::Calls)
        .service(news::port())
}

/// Functions of rest_rpc; peers may subscribe and publish.
fn functions() -> Functions {
    Functions::new()
        .open_publisher(&Publisher::new())
        .function("echo", |text: String| text)
        .function("add", |a: i32, b: i32| a + b)
}
