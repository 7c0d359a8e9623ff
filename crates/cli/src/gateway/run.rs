//! Serves a plan, and takes over another one while calls are under way.

use super::{
    access_log,
    admin::Admin,
    asking,
    listener::Listener,
    news::{say, tell, warn},
    page::{self, Seen},
    plan::Plan,
    policy::Policy,
    record::Record,
    schemas::{self, Source},
};
use crate::{failure::Failure, terminal};
use polywire::{
    AccessLog, Engine, Group, HandOver, Lifecycle, Pages, Recording, Running, Serving, console,
    gateway::{Figures, Relay, Routes},
    metrics,
    trace::{self, Tracer},
};
use std::{
    fs::File,
    future::pending,
    io::{self, Read},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};
use tokio::{
    signal::unix::{SignalKind, signal},
    task::JoinSet,
    time::{Instant, sleep},
};

/// Bytes of a file of settings.
const LONGEST: u64 = 1 << 20;
/// The interval of looks at a file that is watched.
pub const LOOK: Duration = Duration::from_secs(1);

/// Where a plan comes from, and what was there at the last look: a text, or why it cannot be read.
pub struct Origin {
    path: PathBuf,
    last: Result<String, String>,
}

impl Origin {
    /// # Errors
    /// The file cannot be read.
    pub fn read(path: &Path) -> Result<Origin, Failure> {
        let text = text(path).map_err(Failure::Usage)?;
        Ok(Origin { path: path.to_owned(), last: Ok(text) })
    }

    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// # Errors
    /// The mistakes in it.
    pub fn plan(&self, before: Option<&Plan>) -> Result<Plan, Vec<String>> {
        let text = self.last.as_ref().map_err(|wrong| vec![wrong.clone()])?;
        Plan::read(&self.name(), text, before)
    }

    /// Waits until there is something else than at the last look, and then the same once more, so that it has
    /// been written to its end. What was seen twice is returned: another look could find half of the next.
    async fn changed(&self) -> Result<String, String> {
        let mut before = None;
        loop {
            sleep(LOOK).await;
            let now = text(&self.path);
            if now != self.last && before.as_ref() == Some(&now) {
                return now;
            }
            before = Some(now);
        }
    }
}

/// What a file holds.
///
/// # Errors
/// Why it cannot be read.
fn text(path: &Path) -> Result<String, String> {
    let read = || {
        let mut text = String::new();
        File::open(path)?.take(LONGEST + 1).read_to_string(&mut text)?;
        if text.len() as u64 > LONGEST {
            return Err(io::Error::other(format!("longer than {LONGEST} bytes")));
        }
        Ok(text)
    };
    read().map_err(|wrong| format!("{}: {wrong}", path.display()))
}

/// Serves a plan until a signal. `origin`: the file that SIGHUP reads again, and whether it is watched.
///
/// # Errors
/// A listener cannot start.
pub async fn serve(
    engine: Engine,
    plan: Plan,
    mut origin: Option<(Origin, bool)>,
) -> Result<ExitCode, Failure> {
    // From here on, as whoever sees that the gateway listens may send one.
    let mut stopping = std::pin::pin!(polywire::stop_signal()?);
    let mut hang_up = origin.is_some().then(|| signal(SignalKind::hangup())).transpose()?;
    let news = tokio::select! {
        () = &mut stopping => return Ok(ExitCode::SUCCESS),
        news = first_schemas(&plan) => news,
    };
    let mut gateway = Gateway::start(engine, plan)?;
    gateway.listening.iter().for_each(|listening| say_listening(&listening.running));
    say(format_args!("routing: {}", gateway.plan.summary()));
    news.iter().for_each(tell);
    gateway.say_pages();
    polywire::systemd::ready();
    loop {
        let hung_up = async {
            match &mut hang_up {
                Some(hang_up) => hang_up.recv().await,
                None => pending().await,
            }
        };
        let changed = async {
            match &origin {
                Some((origin, true)) => origin.changed().await,
                _ => pending().await,
            }
        };
        let read = tokio::select! {
            () = &mut stopping => break polywire::systemd::stopping(),
            () = gateway.hand_over.handed_over() => break polywire::systemd::handed_over(),
            Some(()) = hung_up => None,
            read = changed => Some(read),
            Some(left) = gateway.stopping.join_next() => {
                say_closed(left.unwrap_or_default());
                continue;
            }
        };
        let by = if read.is_some() { "change" } else { "SIGHUP" };
        if let Some((origin, _)) = &mut origin {
            origin.last = read.unwrap_or_else(|| text(&origin.path));
            gateway.reload(origin, by);
        }
    }
    let mut ends = gateway.stopping;
    if let Some((_, pages)) = gateway.admin.take_if(|_| gateway.hand_over.is_handed_over()) {
        ends.spawn(closed(pages)); // the next process shows them
    }
    if let Some((_, pages)) = &gateway.admin {
        pages.health().set("", Serving::No);
    }
    for listening in gateway.listening {
        ends.spawn(listening.ended());
    }
    while let Some(left) = ends.join_next().await {
        say_closed(left.unwrap_or_default());
    }
    gateway.plan.flush_records();
    gateway.hand_over.end().await;
    // Last, so that they show what the others wait for.
    if let Some((_, pages)) = gateway.admin {
        pages.stop().await;
    }
    Ok(ExitCode::SUCCESS)
}

/// What is known of the messages of each cluster. Where servers are asked, they have five seconds.
pub async fn first_schemas(plan: &Plan) -> Vec<Result<String, String>> {
    plan.clusters.iter().for_each(|cluster| cluster.begin(false));
    let (mut news, until) = (Vec::new(), Instant::now() + asking::FIRST);
    for cluster in &plan.clusters {
        match &cluster.source {
            Some(Source::Files(known)) => {
                news.push(Ok(format!("schemas of {}: {}", cluster.name, schemas::counted(known))));
            }
            Some(Source::Servers(asking)) => news.extend(asking.first(until).await),
            None => {}
        }
    }
    news
}

/// A plan that is served.
struct Gateway {
    engine: Engine,
    /// All listeners, for the pages.
    group: Group,
    figures: Figures,
    tracer: Tracer,
    log: Option<AccessLog>,
    plan: Arc<Plan>,
    seen: Seen,
    /// How the listening sockets go to the next process, and to listeners with other settings.
    hand_over: HandOver,
    admin: Option<(Admin, Running)>,
    listening: Vec<Listening>,
    /// Listeners of earlier plans, until their calls have ended; and the connections that had to be closed.
    stopping: JoinSet<Vec<String>>,
}

/// Pages that take the place of those that are there, if there are any in a plan; `None`: they stay.
type NextAdmin = Option<Option<(Admin, Running)>>;

/// A listener that accepts connections.
struct Listening {
    listener: Listener,
    /// Of this listener alone: a new one never sees the routes of the plan before.
    relay: Relay,
    policy: Option<Policy>,
    running: Running,
}

impl Listening {
    /// Stops a server when its calls have ended, or at the drain limit. Returns the connections that were
    /// busy then.
    async fn ended(self) -> Vec<String> {
        let left = self.running.stop().await.iter().map(ToString::to_string).collect();
        // What is kept of the server keeps no connection of its clusters.
        self.relay.replace(Routes::new());
        self.policy.iter().for_each(Policy::flush);
        left
    }
}

impl Gateway {
    fn start(engine: Engine, plan: Plan) -> Result<Gateway, Failure> {
        let (figures, plan) = (Figures::new(), Arc::new(plan));
        figures.expose(&metrics::process::registry());
        let log = plan.access_log.as_ref().map(access_log::Settings::open).transpose()?;
        let hand_over = plan.hand_over.as_ref().map_or_else(|| Ok(HandOver::within()), HandOver::at)?;
        let mut gateway = Gateway {
            engine,
            group: Group::new(),
            tracer: trace::tracer(trace::Options::default()),
            log,
            seen: Seen::new(plan.clone(), figures.clone()),
            figures,
            plan,
            hand_over,
            admin: None,
            listening: Vec::new(),
            stopping: JoinSet::new(),
        };
        gateway.plan.begin_records(None).map_err(Failure::Failed)?;
        let routes = gateway.plan.table(&gateway.figures);
        let routes = routes.map_err(|wrong| Failure::usage(wrong.to_string()))?;
        for listener in gateway.plan.listeners.clone() {
            let routes = gateway.plan.routes_of(&listener.name, &routes);
            let begun = gateway.begin(listener, routes, gateway.lifecycle())?;
            gateway.listening.push(begun);
        }
        let admin = gateway.plan.admin.clone();
        gateway.admin = admin.map(|admin| gateway.begin_admin(admin, gateway.lifecycle())).transpose()?;
        gateway.show_records();
        gateway.seen.2.expose(&metrics::process::registry());
        // The process before stops: nothing may fail from here on.
        gateway.hand_over.ready()?;
        Ok(gateway)
    }

    fn begin(&self, listener: Listener, routes: Routes, lifecycle: Lifecycle) -> Result<Listening, Failure> {
        let relay = Relay::by(routes).counted(&self.figures);
        let policy = listener.settings.policy.as_ref().map(Policy::watch).transpose();
        let policy = policy.map_err(|wrong| Failure::Usage(listener.wrong(wrong)))?;
        let server = listener.settings.server(&self.engine, &self.plan.bounds, &self.group, &relay);
        let server = server.lifecycle(lifecycle);
        let server = listener.settings.callers.guard(server, &listener.name);
        let server = server.map_err(|wrong| Failure::Usage(listener.wrong(wrong)))?;
        let dump = listener.settings.record.as_ref().map(Record::options);
        let recording = Recording::default().tracer(&self.tracer).dump(dump);
        let server = server.recording(self.log.iter().fold(recording, Recording::access_log));
        let server = policy.iter().fold(server, |server, policy| policy.guard(server, &relay));
        match server.start().map_err(Failure::from) {
            Ok(running) => Ok(Listening { listener, relay, policy, running }),
            Err(Failure::Usage(text)) => Err(Failure::Usage(listener.wrong(text))),
            Err(other) => Err(Failure::Failed(listener.wrong(other))),
        }
    }

    fn show_records(&self) {
        let listener = |listening: &Listening| {
            Some((format!("listener {}", listening.listener.name), listening.running.dump()?.clone()))
        };
        self.seen.2.set(self.listening.iter().filter_map(listener).chain(self.plan.records()).collect());
    }

    fn lifecycle(&self) -> Lifecycle {
        Lifecycle::default().hand_over_with(&self.hand_over)
    }

    fn begin_admin(&self, admin: Admin, lifecycle: Lifecycle) -> Result<(Admin, Running), Failure> {
        let version = concat!("polywire gateway ", env!("CARGO_PKG_VERSION"));
        let pages = Pages::default().of(&self.group).version(version);
        let pages = pages.page(page::page(&self.seen)).page(console::why());
        let running = admin.start(&self.engine, pages, lifecycle)?;
        Ok((admin, running))
    }

    fn say_pages(&self) {
        if let Some((admin, running)) = &self.admin {
            say(format_args!("pages: {}", admin.url(running)));
        }
    }

    /// Uses another plan from the next call on, or, if anything is wrong with it, goes on as before.
    ///
    /// New listeners begin before anything else changes; those that are left out end when their calls have.
    ///
    /// # Errors
    /// Why nothing has changed.
    fn take(&mut self, plan: Plan, by: &'static str) -> Result<(), String> {
        let plan = Arc::new(plan);
        plan.begin_records(Some(&self.plan))?;
        let routes = plan.table(&self.figures).map_err(|wrong| wrong.to_string())?;
        if plan.access_log != self.plan.access_log {
            return Err("access_log: another one needs a restart".to_owned());
        }
        if plan.hand_over != self.plan.hand_over {
            return Err("hand_over: another path needs a restart".to_owned());
        }
        // Each listener of the plan is one that runs, or else a new one.
        let mut new = plan.listeners.clone();
        let mut same = |old: &Listening| {
            let k = new.iter().position(|new| new.settings == old.listener.settings)?;
            Some(new.remove(k))
        };
        let kept: Vec<_> = self.listening.iter().map(&mut same).collect();
        let gone = self.listening.iter().zip(&kept).filter(|(_, kept)| kept.is_none());
        let gone: Vec<_> = gone.map(|(old, _)| old).collect();
        // None of them accepts a connection before all have begun.
        self.hand_over.pause();
        let begun = self.begin_all(&plan, &routes, (new, &gone));
        self.hand_over.resume();
        let (admin, begun) = begun?;
        for (old, kept) in std::mem::take(&mut self.listening).into_iter().zip(kept) {
            match kept {
                Some(listener) => {
                    old.relay.replace(plan.routes_of(&listener.name, &routes));
                    old.policy.iter().for_each(Policy::reload);
                    self.listening.push(Listening { listener, ..old });
                }
                None => {
                    say(format_args!("no longer listening on {}", addresses(&old.running)));
                    self.stopping.spawn(old.ended());
                }
            }
        }
        begun.iter().for_each(|begun| say_listening(&begun.running));
        self.listening.extend(begun);
        plan.clusters.iter().for_each(|cluster| cluster.begin(true));
        self.seen.took(plan.clone(), by);
        self.plan = plan;
        self.show_records();
        if let Some(admin) = admin {
            if let Some((_, old)) = std::mem::replace(&mut self.admin, admin) {
                self.stopping.spawn(closed(old));
            }
            self.say_pages();
        }
        Ok(())
    }

    /// Begins what is new in a plan: pages, if they change, and listeners. `gone`: those that end, whose
    /// sockets are taken over.
    ///
    /// # Errors
    /// One cannot begin; none has then.
    fn begin_all(
        &self,
        plan: &Plan,
        routes: &Routes,
        (new, gone): (Vec<Listener>, &[&Listening]),
    ) -> Result<(NextAdmin, Vec<Listening>), String> {
        let admin = self.next_admin(plan)?;
        let begin = |listener: Listener| {
            let settings = &listener.settings;
            if let Some(old) = gone.iter().find(|old| old.listener.settings.records_beside(settings)) {
                let name = &old.listener.name;
                let text = format!("record: listener {name} writes to its folder: that needs a restart");
                return Err(listener.wrong(text));
            }
            let before = gone.iter().filter(|old| listener.takes_over(&old.listener)).map(|old| &old.running);
            let lifecycle = before.fold(self.lifecycle(), Lifecycle::in_place_of);
            let routes = plan.routes_of(&listener.name, routes);
            self.begin(listener, routes, lifecycle).map_err(|failure| failure.to_string())
        };
        Ok((admin, new.into_iter().map(begin).collect::<Result<_, _>>()?))
    }

    /// The pages of another plan, which have begun; `None`: they stay as they are.
    ///
    /// # Errors
    /// They cannot begin.
    fn next_admin(&self, plan: &Plan) -> Result<NextAdmin, String> {
        let old = self.admin.as_ref().map(|(admin, _)| &admin.settings);
        let new = plan.admin.as_ref().filter(|new| old != Some(&new.settings));
        let Some(new) = new else { return Ok((plan.admin.is_none() && old.is_some()).then_some(None)) };
        let old = self.admin.iter().map(|(_, running)| running);
        let lifecycle = old.fold(self.lifecycle(), Lifecycle::in_place_of);
        let begun = self.begin_admin(new.clone(), lifecycle).map_err(|failure| failure.to_string())?;
        Ok(Some(Some(begun)))
    }

    /// Uses what the file held at the last look.
    fn reload(&mut self, origin: &Origin, by: &'static str) {
        let name = origin.name();
        let plan = origin.plan(Some(&self.plan));
        match plan.and_then(|plan| self.take(plan, by).map_err(|wrong| vec![wrong])) {
            Ok(()) => {
                warn(&self.plan.warnings);
                say(format_args!("{name} read again: {}", self.plan.summary()));
            }
            Err(wrong) => {
                self.seen.failed(&wrong);
                for line in wrong {
                    eprintln!("polywire: {}", terminal::line(&line));
                }
                eprintln!("polywire: {name} is not used: everything stays as it was");
            }
        }
    }
}

/// Stops pages; of their connections nothing is told.
async fn closed(pages: Running) -> Vec<String> {
    pages.stop().await;
    Vec::new()
}

fn say_closed(connections: Vec<String>) {
    for connection in connections {
        eprintln!("polywire: closed {connection}");
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

#[cfg(test)]
mod tests {
    use super::*;
    use polywire::flags::{Flags, Origin as By};

    fn plan(listeners: usize, before: Option<&Plan>) -> Plan {
        let listeners: String =
            (0..listeners).map(|k| format!("[listeners.l{k}]\nlisten = \"127.0.0.1:0\"\n")).collect();
        let cluster = "[clusters.a]\nprotocol = \"grpc\"\nservers = \"127.0.0.1:1\"\n";
        let text = format!("{listeners}{cluster}[[routes]]\nmatch = \"*\"\nto = \"a\"\n");
        Plan::read("f", &text, before).unwrap_or_else(|wrong| panic!("{wrong:?}"))
    }

    fn gateway(listeners: usize) -> Gateway {
        let engine = Engine::builder().shards(1).workers(1).build().expect("an engine");
        Gateway::start(engine, plan(listeners, None)).expect("a gateway")
    }

    #[tokio::test]
    async fn listeners_have_one_budget_of_memory_together() {
        let mut gateway = gateway(2);
        gateway.take(plan(3, Some(&gateway.plan)), "test").expect("a plan");
        let flags = Flags::new();
        gateway.listening[0].running.register_flags(&flags).expect("flags");
        flags.set("max_memory", "1234567", &By::new("test", "here")).expect("a limit");
        let limit = |listening: &Listening| listening.running.overload().memory.expect("a limit").limit;
        assert_eq!(gateway.listening.iter().map(limit).collect::<Vec<_>>(), [1_234_567; 3]);
    }

    #[tokio::test]
    async fn as_many_listeners_run_as_the_plan_has_also_if_they_are_equal() {
        let mut gateway = gateway(2);
        for listeners in [1, 3, 2] {
            gateway.take(plan(listeners, Some(&gateway.plan)), "test").expect("a plan");
            assert_eq!(gateway.listening.len(), listeners);
        }
        assert_eq!(gateway.stopping.len(), 2);
    }
}
