//! Serves a plan, and takes over another one while calls are under way.

use super::{listener::Listener, plan::Plan};
use crate::{failure::Failure, terminal};
use polywire::{Engine, Running, gateway::Relay};
use std::{
    fs::File,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};
use tokio::{
    signal::unix::{SignalKind, signal},
    task::JoinSet,
    time::sleep,
};

/// Bytes of a file of settings.
const LONGEST: u64 = 1 << 20;
/// The interval of looks at a file that is watched.
const LOOK: Duration = Duration::from_secs(1);

/// Where a plan comes from, and what has been read there last.
pub struct Origin {
    path: PathBuf,
    text: String,
}

impl Origin {
    /// # Errors
    /// The file cannot be read.
    pub fn read(path: &Path) -> Result<Origin, Failure> {
        let wrong = |error| Failure::usage(format!("{}: {error}", path.display()));
        Ok(Origin { path: path.to_owned(), text: text(path).map_err(wrong)? })
    }

    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// # Errors
    /// The mistakes in it.
    pub fn plan(&self, before: Option<&Plan>) -> Result<Plan, Vec<String>> {
        Plan::read(&self.name(), &self.text, before)
    }

    /// Waits until the file has other contents than were read last: the same at two looks, so that it has
    /// been written to its end.
    async fn changed(&self) {
        let mut seen = None;
        loop {
            sleep(LOOK).await;
            let now = text(&self.path).ok().filter(|now| *now != self.text);
            if now.is_some() && now == seen {
                return;
            }
            seen = now;
        }
    }
}

fn text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(LONGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST {
        return Err(io::Error::other(format!("longer than {LONGEST} bytes")));
    }
    Ok(text)
}

/// A plan that is served.
pub struct Gateway {
    engine: Engine,
    relay: Relay,
    plan: Plan,
    listening: Vec<(Listener, Running)>,
    /// Listeners of earlier plans, until their calls have ended.
    stopping: JoinSet<()>,
}

impl Gateway {
    /// # Errors
    /// A listener cannot start.
    pub fn start(engine: Engine, plan: Plan) -> Result<Gateway, Failure> {
        let relay = Relay::by(plan.table().map_err(|wrong| Failure::usage(wrong.to_string()))?);
        let mut listening = Vec::new();
        for listener in &plan.listeners {
            let started = listener.settings.server(&engine, &relay).start().map_err(Failure::from);
            let running = started.map_err(|failure| match failure {
                Failure::Usage(text) => Failure::Usage(listener.wrong(text)),
                other => Failure::Failed(listener.wrong(other)),
            })?;
            listening.push((listener.clone(), running));
        }
        Ok(Gateway { engine, relay, plan, listening, stopping: JoinSet::new() })
    }

    /// Uses another plan from the next call on, or, if anything is wrong with it, goes on as before.
    ///
    /// New listeners begin before anything else changes; those that are left out end when their calls have.
    ///
    /// # Errors
    /// Why nothing has changed.
    fn take(&mut self, plan: Plan) -> Result<(), String> {
        let routes = plan.table().map_err(|wrong| wrong.to_string())?;
        let is_new = |new: &&Listener| !self.listening.iter().any(|(old, _)| old.settings == new.settings);
        let mut begun = Vec::new();
        for listener in plan.listeners.iter().filter(is_new) {
            let addresses = || self.listening.iter().flat_map(|(old, _)| &old.settings.listen);
            if let Some(taken) =
                listener.settings.listen.iter().find(|new| addresses().any(|old| old == *new))
            {
                let text = format!("{taken} is listened on with other settings: that needs a restart");
                return Err(listener.wrong(text));
            }
            let started = listener.settings.server(&self.engine, &self.relay).start();
            begun.push((listener.clone(), started.map_err(|wrong| listener.wrong(Failure::from(wrong)))?));
        }
        self.relay.replace(routes);
        for (old, running) in std::mem::take(&mut self.listening) {
            if let Some(same) = plan.listeners.iter().find(|new| new.settings == old.settings) {
                self.listening.push((same.clone(), running));
                continue;
            }
            say(format_args!("no longer listening on {}", addresses(&running)));
            self.stopping.spawn(async move { drop(running.stop().await) });
        }
        begun.iter().for_each(|(_, running)| say_listening(running));
        self.listening.extend(begun);
        self.plan = plan;
        Ok(())
    }

    /// Reads the file again.
    fn reload(&mut self, origin: &mut Origin) {
        let name = origin.name();
        let read = Origin::read(&origin.path).map_err(|failure| vec![failure.to_string()]);
        let taken = read.and_then(|read| {
            origin.text = read.text; // seen, be it right or wrong
            let plan = origin.plan(Some(&self.plan))?;
            self.take(plan).map_err(|wrong| vec![wrong])
        });
        match taken {
            Ok(()) => say(format_args!("{name} read again: {}", self.plan.summary())),
            Err(wrong) => {
                for line in wrong {
                    eprintln!("polywire: {}", terminal::lines(&line));
                }
                eprintln!("polywire: {name} has not been taken: everything stays as it was");
            }
        }
    }

    /// Serves until a signal. `origin`: the file that SIGHUP reads again, and whether it is watched.
    pub async fn run(mut self, mut origin: Option<(Origin, bool)>) -> Result<ExitCode, Failure> {
        let stopping = polywire::stop_signal()?;
        let mut hang_up = signal(SignalKind::hangup())?;
        self.listening.iter().for_each(|(_, running)| say_listening(running));
        say(format_args!("routing: {}", self.plan.summary()));
        polywire::systemd::ready();
        let mut stopping = std::pin::pin!(stopping);
        loop {
            let changed = async {
                match &origin {
                    Some((origin, true)) => origin.changed().await,
                    _ => std::future::pending().await,
                }
            };
            tokio::select! {
                () = &mut stopping => break,
                Some(()) = hang_up.recv() => {}
                () = changed => {}
                Some(_) = self.stopping.join_next() => continue,
            }
            if let Some((origin, _)) = &mut origin {
                self.reload(origin);
            }
        }
        polywire::systemd::stopping();
        let mut ends = JoinSet::new();
        for (_, running) in self.listening {
            ends.spawn(running.stop());
        }
        while let Some(left) = ends.join_next().await {
            for left in left.unwrap_or_default() {
                eprintln!("polywire: closed {left}");
            }
        }
        while self.stopping.join_next().await.is_some() {}
        Ok(ExitCode::SUCCESS)
    }
}

fn addresses(running: &Running) -> String {
    running.addresses().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn say_listening(running: &Running) {
    for address in running.addresses() {
        say(format_args!("listening on {address}"));
    }
}

/// Writes a line for those who read the output, if anybody still does.
fn say(line: std::fmt::Arguments<'_>) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
