//! Sends the same requests to two servers and compares the answers.
//!
//! Each request goes to both at the same time. A request that changes something at the server changes it at
//! both; they must not share a store.

use super::{Arguments, recorded::Recorded};
use crate::{failure::Failure, request, schema, terminal, units};
use polywire::{
    Channel, Origin, Raw, Reply, Status,
    gateway::difference::{self, Difference, Ignored, Places, general},
};
use polywire_base::lock;
use polywire_formats::schema::MethodSchema;
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, HashMap},
    io::Write,
    process::ExitCode,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// The maximum number of methods whose schemas are requested.
const MOST_METHODS: usize = 1000;
/// The maximum number of places that are counted separately.
const MOST_PLACES: usize = 1000;

/// The results of a comparison.
struct Findings {
    requests: u64,
    /// The number of requests whose answers differ.
    different: u64,
    /// The number of requests that could be sent to neither server.
    unanswered: u64,
    /// The number of requests that failed at both servers, and how the first of them did at the first server,
    /// whether or not the failures are alike.
    failed: u64,
    first_failure: Option<String>,
    /// The number of differing requests by the place of the difference, indices left out.
    places: Places<u64>,
    shown: Vec<Shown>,
    took: [Duration; 2],
}

/// A difference that is shown.
struct Shown {
    request: u64,
    name: String,
    difference: Difference,
}

/// The state that the callers share.
struct Comparison {
    recorded: Recorded,
    /// The channels by server, then by protocol.
    channels: [Vec<Channel>; 2],
    methods: HashMap<String, MethodSchema<'static>>,
    ignored: Ignored,
    timeout: Option<Duration>,
    show: usize,
    total: u64,
    turn: AtomicU64,
    findings: Mutex<Findings>,
}

/// Compares; exit code 1 if answers differ, or no request was answered.
pub fn run(arguments: &Arguments, recorded: Recorded, other: &str) -> Result<ExitCode, Failure> {
    let methods = methods(arguments, &recorded);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let servers = [&*arguments.server, other];
    let findings = runtime.block_on(async {
        let channels = [recorded.channels(servers[0], arguments)?, recorded.channels(servers[1], arguments)?];
        for of_server in &channels {
            of_server[0].probe().await?;
        }
        let stop = crate::stop::flag()?;
        let total = recorded.requests.len() as u64 * u64::from(arguments.times);
        let comparison = Arc::new(Comparison {
            recorded,
            channels,
            methods,
            ignored: Ignored::new(&arguments.ignore),
            timeout: arguments.timeout(),
            show: arguments.show,
            total,
            turn: AtomicU64::new(0),
            findings: Mutex::new(Findings::new()),
        });
        let callers =
            (0..arguments.callers()).map(|_| tokio::spawn(caller(comparison.clone(), stop.clone())));
        for caller in callers.collect::<Vec<_>>() {
            caller.await.map_err(|_| Failure::failed("a caller panicked"))?;
        }
        let findings = std::mem::replace(&mut *lock(&comparison.findings), Findings::new());
        Ok::<_, Failure>(findings)
    })?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", findings.json(servers))?;
    } else {
        write!(out, "{}", findings.text(servers))?;
    }
    out.flush()?;
    let good = findings.different == 0 && findings.unanswered < findings.requests;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn caller(comparison: Arc<Comparison>, stop: Arc<AtomicBool>) {
    loop {
        let turn = comparison.turn.fetch_add(1, Relaxed);
        if turn >= comparison.total || stop.load(Relaxed) {
            return;
        }
        comparison.compare(turn).await;
    }
}

impl Comparison {
    async fn compare(&self, turn: u64) {
        let request = &self.recorded.requests[(turn % self.recorded.requests.len() as u64) as usize];
        let [one, other] = &self.channels;
        let send = async |channel: &Channel| {
            let start = Instant::now();
            let answer = request.send(channel, self.timeout.map(|timeout| start + timeout)).await;
            (answer, start.elapsed())
        };
        let ((left, left_took), (right, right_took)) =
            tokio::join!(send(&one[request.protocol]), send(&other[request.protocol]));
        let method = self.methods.get(&request.name).copied();
        let json = |raw: &Raw| {
            let copy = || Raw { body: raw.body.clone(), ..*raw };
            let by_schema = method.and_then(|method| request::json::reply(method, copy()).ok());
            Some(by_schema.map_or_else(|| raw.body.to_vec(), String::into_bytes))
        };
        let differences = difference::find(&left, &right, &self.ignored, json);
        let mut findings = lock(&self.findings);
        findings.requests += 1;
        findings.unanswered += u64::from(is_lost(&left) && is_lost(&right));
        if let (Err(status), Err(_)) = (&left, &right) {
            findings.failed += 1;
            findings.first_failure.get_or_insert_with(|| status.to_string());
        }
        findings.took[0] += left_took;
        findings.took[1] += right_took;
        findings.different += u64::from(!differences.is_empty());
        let places = differences.iter().map(|difference| general(&difference.place)).collect();
        findings.places.each(places, |count| *count += 1);
        for difference in differences {
            if findings.shown.len() < self.show {
                findings.shown.push(Shown { request: turn, name: request.name.clone(), difference });
            }
        }
    }
}

fn is_lost(answer: &Result<Reply<Raw>, Status>) -> bool {
    matches!(answer, Err(status) if status.origin() == Origin::Transport)
}

/// The schemas of the called methods, from files or from the first server. Messages without a schema are
/// compared as JSON if they are JSON, otherwise as bytes.
fn methods(arguments: &Arguments, recorded: &Recorded) -> HashMap<String, MethodSchema<'static>> {
    let protocols = recorded.protocols();
    let mut methods = HashMap::new();
    let mut asked: Vec<&str> = Vec::new();
    for request in &recorded.requests {
        let name = &*request.name;
        if asked.contains(&name) || !name.contains(['.', '#']) || name.contains(' ') {
            continue;
        }
        if asked.len() == MOST_METHODS {
            break;
        }
        asked.push(name);
        let peer = arguments.peer(&arguments.server, protocols[request.protocol]);
        if let Ok(method) = schema::reflected(name, &arguments.schema, Some(&peer), &[]) {
            methods.insert(name.to_owned(), method);
        }
    }
    methods
}

impl Findings {
    fn new() -> Findings {
        Findings {
            requests: 0,
            different: 0,
            unanswered: 0,
            failed: 0,
            first_failure: None,
            places: Places::at_most(MOST_PLACES),
            shown: Vec::new(),
            took: Default::default(),
        }
    }

    fn average(&self, server: usize) -> f64 {
        self.took[server].as_secs_f64() * 1e6 / self.requests.max(1) as f64
    }

    fn json(&self, servers: [&str; 2]) -> Value {
        let shown = self.shown.iter().map(|shown| {
            json!({
                "request": shown.request,
                "method": shown.name,
                "place": shown.difference.place,
                "left": shown.difference.left,
                "right": shown.difference.right,
            })
        });
        json!({
            "servers": servers,
            "requests": self.requests,
            "same": self.requests - self.different,
            "different": self.different,
            "unanswered": self.unanswered,
            "failed_at_both": self.failed,
            "first_failure": self.first_failure,
            "places": self.places.iter().collect::<BTreeMap<_, _>>(),
            "avg_us": [self.average(0).round(), self.average(1).round()],
            "differences": shown.collect::<Vec<_>>(),
        })
    }

    fn text(&self, servers: [&str; 2]) -> String {
        let mut text = String::new();
        for Shown { request, name, difference } in &self.shown {
            let Difference { place, left, right } = difference;
            text += &format!("{request}: {}: {}\n", terminal::line(name), terminal::line(place));
            text += &format!("    {}\n    {}\n", terminal::line(left), terminal::line(right));
        }
        for (server, address) in servers.iter().enumerate() {
            text += &format!("{address}: {} on average\n", units::micros(self.average(server)));
        }
        for (place, requests) in self.places.iter() {
            text += &format!("{:>11} differ in {}\n", units::count(*requests), terminal::line(place));
        }
        let [same, different] = [self.requests - self.different, self.different].map(units::count);
        text +=
            &format!("{} requests: {same} answered alike, {different} not\n", units::count(self.requests));
        if let Some(first) = &self.first_failure {
            let failed = units::count(self.failed);
            text += &format!("{failed} of these failed at both, first: {}\n", terminal::line(first));
        }
        if self.unanswered > 0 {
            text += &format!("{} were answered by neither\n", units::count(self.unanswered));
        }
        text
    }
}
