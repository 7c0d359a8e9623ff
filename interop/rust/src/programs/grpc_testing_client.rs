//! `grpc-testing-client HOST:PORT [PROTOCOL] [CASE…]`: runs gRPC's interop cases against any server, a line
//! each; `--list` names them.

use crate::cases;
use polywire::Channel;
use std::{process::ExitCode, time::Duration};

const USAGE: &str = "usage: grpc-testing-client --list | HOST:PORT [PROTOCOL] [CASE...]";

#[tokio::main]
pub async fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(address) = arguments.next() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if address == "--list" {
        cases::names().for_each(|name| println!("{name}"));
        return ExitCode::SUCCESS;
    }
    let protocol = arguments.next().unwrap_or_else(|| "grpc".into());
    let wanted: Vec<String> = arguments.collect();
    let channel =
        match Channel::builder(address).protocol(&*protocol).timeout(Duration::from_secs(20)).build() {
            Ok(channel) => channel,
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::from(2);
            }
        };
    let mut failed = false;
    for name in cases::names().filter(|name| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name))
    {
        let limit = Duration::from_secs(30);
        let ran = tokio::time::timeout(limit, cases::run(name, &channel)).await;
        match ran.unwrap_or_else(|_| Err(format!("not done after {limit:?}"))) {
            Ok(()) => println!("pass {protocol} {name}"),
            Err(why) => {
                failed = true;
                println!("FAIL {protocol} {name}: {why}");
            }
        }
    }
    ExitCode::from(u8::from(failed))
}
