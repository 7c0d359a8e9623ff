//! The driver: ten servers and a client as processes, the fault in the middle third of each run.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use polywire_bench::{Args, args::wrong_use};

use crate::Failure;
use crate::clients::{self, Client};
use crate::fault::Fault;
use crate::figures::{Figures, HEAD, Times};
use crate::processes::Fleet;

const SERVERS: usize = 10;
/// A client that has not ended so long after its last call is killed.
const PATIENCE: Duration = Duration::from_secs(10);

struct Setup {
    seconds: f64,
    rate: f64,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let (fault, client): (String, String) =
        (args.get("fault", String::new()), args.get("client", String::new()));
    let setup = Setup { seconds: args.get("seconds", 12.0), rate: args.get("rate", 1000.0) };
    let json = args.get("json", 0) != 0;
    let faults: Vec<_> =
        Fault::ALL.into_iter().filter(|f| fault.is_empty() || f.names().0 == fault).collect();
    let clients: Vec<_> = clients::ALL.iter().filter(|c| client.is_empty() || c.name == client).collect();
    if faults.is_empty() || clients.is_empty() {
        wrong_use("there is no such fault or client", crate::USAGE);
    }
    if !json {
        println!("{HEAD}");
    }
    for fault in faults {
        for client in &clients {
            match one(fault, client, &setup)? {
                None => eprintln!("{} is left out: its program is not beside this one", client.name),
                Some(figures) if json => println!("{}", serde_json::to_string(&figures)?),
                Some(figures) => println!("{}", figures.row()),
            }
        }
    }
    Ok(())
}

/// A client that is killed when it is no longer waited for.
struct Calling(Child);

impl Drop for Calling {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What tells the client of its servers.
pub struct Naming(ChildStdin);

impl Naming {
    pub fn say(&mut self, servers: &[String]) -> Result<(), Failure> {
        Ok(writeln!(self.0, "{}", servers.join(","))?)
    }
}

fn one(fault: Fault, client: &Client, setup: &Setup) -> Result<Option<Figures>, Failure> {
    let own = std::env::current_exe()?;
    let beside = own.parent().ok_or("a program lies in a folder")?;
    let mut fleet = Fleet::start(SERVERS)?;
    let Some(mut command) = client.command(beside, &fault.first(&fleet), setup.rate, setup.seconds) else {
        return Ok(None);
    };
    let mut calling = Calling(command.stdout(Stdio::piped()).stdin(Stdio::piped()).spawn()?);
    let mut naming = Naming(calling.0.stdin.take().ok_or("its stdin is piped")?);
    let mut lines = BufReader::new(calling.0.stdout.take().ok_or("its stdout is piped")?).lines();
    let first = lines.next().ok_or("the client printed nothing")??;
    let began = Instant::now();
    if first != "begun" {
        return Err(first.into());
    }
    let window = Duration::from_secs_f64(setup.seconds / 3.0);
    let (done, printed) = channel();
    std::thread::spawn(move || done.send(lines.map_while(Result::ok).collect::<Vec<_>>()));
    let mended = fault.run(&mut fleet, &mut naming, began + window, began + 2 * window)?;
    let over = (began + 3 * window + PATIENCE).saturating_duration_since(Instant::now());
    let printed = printed.recv_timeout(over).map_err(|_| format!("{} did not end", client.name))?;
    let times = Times { begins: window, mended: mended - began, window };
    Figures::of(fault.names().1, client.name, &printed, &times).map(Some)
}
