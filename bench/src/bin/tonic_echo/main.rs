//! tonic as it comes: its defaults on both sides, except that messages may be long.

mod press;
mod serve;

use polywire_bench::{Args, Load, args::wrong_use};

mod example {
    include!(concat!(env!("OUT_DIR"), "/tonic/example.rs"));
}
mod helloworld {
    include!(concat!(env!("OUT_DIR"), "/tonic/helloworld.rs"));
}

const USAGE: &str = "usage: tonic_echo serve [--heavy-computation-count N] [--spawn-blocking true]
       tonic_echo press --server ADDR [--kind unary|repeat|collect|chat] [--messages N] [--callers N] [--connections C]
                        [--bytes B] [--duration S]
       tonic_echo fresh --server ADDR [--bytes B] [--duration S]   each call on a new connection";
const MAX_MESSAGE: usize = 64 << 20;

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let args = Args::from_env(USAGE);
    match args.verb.as_str() {
        "serve" => {
            serve::run(args.get("heavy-computation-count", 0), args.get("spawn-blocking", false)).await
        }
        "press" => press::run(Load::from_args(&args)).await,
        "fresh" => press::fresh(Load::from_args(&args)).await,
        other => wrong_use(&format!("`{other}` is no verb"), USAGE),
    }
}
