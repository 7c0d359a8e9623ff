//! Sends the same requests to two servers and compares the answers.
//!
//! Each request goes to both at the same time. A request that changes something at the server changes it at
//! both; they must not share a store.

use super::{
    Arguments,
    difference::{self, Difference, Ignored},
    recorded::Recorded,
};
use crate::{failure::Failure, schema, terminal, units};
use polywire::{Channel, Origin, Raw, Reply, Status};
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
/// The maximum number of places that are counted separately, and the name under which all others are counted:
/// the names of a map's members are places, too, and each answer may have new ones.
const MOST_PLACES: usize = 1000;
const OTHER_PLACES: &str = "(other places)";
/// The maximum length of a place's name, in characters.
const LONGEST_PLACE: usize = 200;

/// The results of a comparison.
#[derive(Default)]
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
    places: BTreeMap<String, u64>,
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
            findings: Mutex::default(),
        });
        let callers =
            (0..arguments.callers()).map(|_| tokio::spawn(caller(comparison.clone(), stop.clone())));
        for caller in callers.collect::<Vec<_>>() {
            caller.await.map_err(|_| Failure::failed("a caller panicked"))?;
        }
        let findings = std::mem::take(&mut *lock(&comparison.findings));
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
        let differences = difference::find(&left, &right, method, &self.ignored);
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
        findings.count(differences.iter().map(|difference| general(&difference.place)).collect());
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

/// A place without its indices: `roles[2].name` counts as `roles[].name`.
fn general(place: &str) -> String {
    let mut general = String::new();
    let mut within = false;
    for letter in place.chars().take(LONGEST_PLACE) {
        within = within && letter != ']';
        if !within {
            general.push(letter);
        }
        within |= letter == '[';
    }
    general
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
        if let Ok(method) = schema::method(name, &arguments.schema, Some(&peer), &[]) {
            methods.insert(name.to_owned(), method);
        }
    }
    methods
}

impl Findings {
    /// Counts a request that has differences in these places.
    fn count(&mut self, mut places: Vec<String>) {
        for place in &mut places {
            if !self.places.contains_key(place) && self.places.len() >= MOST_PLACES {
                OTHER_PLACES.clone_into(place);
            }
        }
        places.sort();
        places.dedup();
        places.into_iter().for_each(|place| *self.places.entry(place).or_default() += 1);
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
            "places": self.places,
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
        for (place, requests) in &self.places {
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

#[cfg(test)]
mod tests {
    #[test]
    fn places_are_counted_without_indices() {
        assert_eq!(super::general("a[12].b[3]"), "a[].b[]");
        assert_eq!(super::general("header:x"), "header:x");
    }

    #[test]
    fn places_of_which_each_answer_has_new_ones_are_counted_together() {
        let mut findings = super::Findings::default();
        for request in 0..super::MOST_PLACES + 10 {
            let long = "x".repeat(super::LONGEST_PLACE);
            findings.count(vec![super::general(&format!("users.{request}.{long}")), "name".to_owned()]);
        }
        assert_eq!(findings.places["name"], super::MOST_PLACES as u64 + 10);
        assert_eq!(findings.places[super::OTHER_PLACES], 11);
        assert_eq!(findings.places.len(), super::MOST_PLACES + 1);
        assert!(findings.places.keys().all(|place| place.chars().count() <= super::LONGEST_PLACE));
    }
}
