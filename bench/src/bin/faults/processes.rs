//! Servers as processes. Each ends with the value that stands for it, and with this process, however that
//! ends.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::Failure;

pub struct Fleet {
    /// HOST:PORT of each, the same over restarts.
    pub addresses: Vec<String>,
    servers: Vec<Option<Server>>,
}

struct Server(Child);

impl Fleet {
    /// Starts so many servers, on ports that the system chooses.
    pub fn start(many: usize) -> Result<Fleet, Failure> {
        // All are held at once, so that they differ.
        let held = (0..many).map(|_| TcpListener::bind("127.0.0.1:0")).collect::<Result<Vec<_>, _>>()?;
        let addresses = held.iter().map(|held| Ok(held.local_addr()?.to_string()));
        let addresses = addresses.collect::<Result<Vec<_>, Failure>>()?;
        drop(held);
        let mut fleet = Fleet { addresses, servers: (0..many).map(|_| None).collect() };
        fleet.start_all()?;
        Ok(fleet)
    }

    /// The addresses of the first half of the servers, and of the others.
    pub fn halves(&self) -> (&[String], &[String]) {
        self.addresses.split_at(self.addresses.len() / 2)
    }

    pub fn start_all(&mut self) -> Result<(), Failure> {
        let started = self.addresses.iter().map(|address| Server::start(address));
        self.servers = started.collect::<Result<Vec<_>, _>>()?.into_iter().map(Some).collect();
        self.servers.iter_mut().flatten().try_for_each(Server::listens)
    }

    pub fn start_one(&mut self, server: usize) -> Result<(), Failure> {
        let mut started = Server::start(&self.addresses[server])?;
        started.listens()?;
        self.servers[server] = Some(started);
        Ok(())
    }

    /// As SIGKILL does.
    pub fn kill(&mut self, server: usize) {
        self.servers[server] = None;
    }

    pub fn kill_all(&mut self) {
        self.servers.fill_with(|| None);
    }

    /// As SIGTERM does: calls under way may end. Returns when the process has ended.
    pub fn stop(&mut self, server: usize) -> Result<(), Failure> {
        self.signal(server, Signal::TERM)?;
        if let Some(Server(child)) = &mut self.servers[server] {
            // Waiting would close it, which ends the process without a drain.
            let _open = child.stdin.take();
            child.wait()?;
        }
        self.servers[server] = None;
        Ok(())
    }

    pub fn signal(&self, server: usize, signal: Signal) -> Result<(), Failure> {
        let Server(child) = self.servers[server].as_ref().ok_or("that server does not run")?;
        let pid = Pid::from_raw(child.id().try_into()?).ok_or("a process has a number")?;
        Ok(kill_process(pid, signal)?)
    }

    /// Tells a server how to behave, see `serve`.
    pub fn tell(&mut self, server: usize, order: &str) -> Result<(), Failure> {
        let Server(child) = self.servers[server].as_mut().ok_or("that server does not run")?;
        Ok(writeln!(child.stdin.as_mut().ok_or("its stdin is piped")?, "{order}")?)
    }
}

impl Server {
    fn start(address: &str) -> Result<Server, Failure> {
        let port = address.rsplit(':').next().unwrap_or_default();
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["serve", "--port", port]).stdin(Stdio::piped()).stdout(Stdio::piped());
        Ok(Server(command.spawn()?))
    }

    /// Waits until it says so.
    fn listens(&mut self) -> Result<(), Failure> {
        let mut line = String::new();
        BufReader::new(self.0.stdout.take().ok_or("its stdout is piped")?).read_line(&mut line)?;
        if line.starts_with("listening on ") { Ok(()) } else { Err("a server did not start".into()) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
