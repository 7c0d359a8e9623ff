//! Lists calls in flight: the questions to connections, and their answers.
//!
//! ```text
//!  page --Question to each connection with calls--> its mailbox --next turn--> Dispatch::asked, on its shard
//!    ^                                                                             |
//!    `---- Answers: the oldest calls, counts by method and place <--merged under a short lock
//! ```
//!
//! Each connection owns the table of its calls, which has no lock. So the connection itself answers, and
//! nothing is copied, counted or locked while no list is requested. A connection whose shard is blocked does
//! not answer in time; the list then says so, and `/shards` names the handler that blocks it.
//!
//! Limits: at most [`MOST`] calls are kept of all, `SLICE` are looked at in one turn of a connection.
//! Not here: calls that end in their first poll, since nothing can look at them meanwhile; pages and built-in
//!           services.

use polywire_base::{Key, lock};
use polywire_engine::{ConnectionStats, Peer};
use polywire_trace::TraceId;
use std::{
    cmp::Ordering,
    collections::{BinaryHeap, HashMap},
    fmt,
    str::FromStr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::*},
    },
    time::{Duration, Instant},
};
use tokio::sync::Notify;

/// The maximum number of calls in an answer.
pub const MOST: usize = 500;
/// How long connections have time to answer.
pub const PATIENCE: Duration = Duration::from_millis(250);

/// Identifies a call in flight within this process: its connection, and its key there. It is never used
/// again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskId {
    pub connection: u64,
    pub key: Key,
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.connection, self.key.index, self.key.version)
    }
}

impl FromStr for TaskId {
    type Err = ();

    fn from_str(text: &str) -> Result<TaskId, ()> {
        let number = |part: Option<&str>| {
            // `+1` and `01` are other texts for the same number, and no ids.
            let part = part.filter(|part| part.len() == 1 || !part.starts_with(['0', '+'])).ok_or(())?;
            part.parse::<u64>().map_err(drop)
        };
        let mut parts = text.split('-');
        let connection = number(parts.next())?;
        let index = number(parts.next())?.try_into().map_err(drop)?;
        let version = number(parts.next())?.try_into().map_err(drop)?;
        if parts.next().is_some() {
            return Err(());
        }
        Ok(TaskId { connection, key: Key { index, version } })
    }
}

/// The stage of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The call's task has not polled the handler yet: it waits for a thread.
    Queued,
    /// The handler is being polled.
    Running,
    /// The handler waits for an event.
    Waiting,
    /// Parts of the reply wait for flow control: the peer accepts no more bytes.
    Credit,
    /// The handler has ended, and the rest of its reply is being sent.
    Sending,
    /// A stream inside a call of the peer.
    Stream,
}

impl Place {
    pub const ALL: [Place; 6] =
        [Place::Queued, Place::Running, Place::Waiting, Place::Credit, Place::Sending, Place::Stream];

    /// The stage as pages name it.
    pub fn words(self) -> &'static str {
        match self {
            Place::Queued => "queued for a thread",
            Place::Running => "running now",
            Place::Waiting => "waiting",
            Place::Credit => "peer takes no more",
            Place::Sending => "sending",
            Place::Stream => "stream",
        }
    }
}

/// A call in flight.
#[derive(Clone, Debug)]
pub struct Task {
    pub id: TaskId,
    /// Index of the method; `None` for a stream that was offered inside a call.
    pub method: Option<u32>,
    /// The names that its caller has sent, if a catch-all answers it: `Service/Method`.
    pub called: Option<String>,
    pub protocol: &'static str,
    pub peer: Peer,
    pub began: Instant,
    pub deadline: Option<Instant>,
    pub place: Place,
    /// The latest outgoing call of the handler that has not ended, if calls are recorded: method, address.
    pub calls: Option<(String, String)>,
    /// Whether one direction may have more than one message.
    pub streams: bool,
    /// Bytes of the call's request, where requests are counted.
    pub held: usize,
    pub trace: Option<TraceId>,
}

/// The younger task is greater: the heap of the oldest calls drops the youngest.
impl Ord for Task {
    fn cmp(&self, other: &Task) -> Ordering {
        self.began.cmp(&other.began)
    }
}
impl PartialOrd for Task {
    fn partial_cmp(&self, other: &Task) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl PartialEq for Task {
    fn eq(&self, other: &Task) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Task {}

/// A question to connections: which calls it is about.
pub struct Wanted {
    /// A text that a call has: in its method, its peer, its protocol, its place, or as its trace. In small
    /// letters; may be empty.
    pub text: String,
    /// Whether the text is part of the method's name, for each method.
    pub methods: Vec<bool>,
    pub trace: Option<TraceId>,
    /// Calls that are listed, the oldest.
    pub most: usize,
}

impl Wanted {
    /// Calls with this text, of methods with these names.
    pub fn new<'m>(text: &str, methods: impl Iterator<Item = &'m str>, most: usize) -> Wanted {
        let text = text.trim().to_lowercase();
        let methods = methods.map(|name| name.to_lowercase().contains(&text)).collect();
        Wanted { methods, trace: TraceId::parse(&text), text, most: most.clamp(1, MOST) }
    }

    pub(crate) fn is_in(&self, text: &str) -> bool {
        text.to_lowercase().contains(&self.text)
    }
}

/// The kinds of questions.
#[derive(Clone)]
pub enum What {
    List(Arc<Wanted>),
    /// Describe the call of this number.
    Show(Key),
    /// Cancel one call; its caller is notified.
    Cancel(Key),
}

/// A question to one connection. Dropping it counts as its answer.
pub(crate) struct Question {
    pub connection: u64,
    pub what: What,
    /// The first index of the connection's table that has not been looked at.
    pub from: u32,
    pub answers: Arc<Answers>,
}

impl Drop for Question {
    fn drop(&mut self) {
        if self.answers.left.fetch_sub(1, AcqRel) == 1 {
            self.answers.complete.notify_one();
        }
    }
}

/// The answers of the connections.
pub struct Answers {
    found: Mutex<Found>,
    /// Connections that have not answered.
    left: AtomicUsize,
    complete: Notify,
    /// Whether the reader has stopped waiting.
    over: AtomicBool,
}

#[derive(Default)]
pub struct Found {
    /// The oldest calls found.
    pub oldest: BinaryHeap<Task>,
    /// Calls, and the begin of the oldest, by method and place.
    pub groups: HashMap<(Option<u32>, Place), (usize, Instant)>,
    /// All calls in flight.
    pub total: usize,
    /// The number of calls that match.
    pub wanted: usize,
    /// Connections that have not answered in time.
    pub silent: usize,
}

impl Found {
    /// Adds a call that the filter matches. Its entry is made only if it is among the oldest.
    pub(crate) fn add(
        &mut self,
        most: usize,
        method: Option<u32>,
        place: Place,
        began: Instant,
        make: impl FnOnce() -> Task,
    ) {
        self.wanted += 1;
        let (count, oldest) = self.groups.entry((method, place)).or_insert((0, began));
        *count += 1;
        *oldest = began.min(*oldest);
        if self.oldest.len() < most {
            self.oldest.push(make());
        } else if let Some(mut youngest) = self.oldest.peek_mut()
            && began < youngest.began
        {
            *youngest = make();
        }
    }

    fn merge(&mut self, other: Found, most: usize) {
        self.total += other.total;
        self.wanted += other.wanted;
        for (group, (count, began)) in other.groups {
            let (all, oldest) = self.groups.entry(group).or_insert((0, began));
            *all += count;
            *oldest = began.min(*oldest);
        }
        self.oldest.extend(other.oldest);
        while self.oldest.len() > most {
            self.oldest.pop();
        }
    }
}

impl Answers {
    fn new() -> Answers {
        Answers {
            found: Mutex::default(),
            left: AtomicUsize::new(1), // until all are asked
            complete: Notify::new(),
            over: AtomicBool::new(false),
        }
    }

    /// Asks these connections and waits for their answers, at most for [`PATIENCE`].
    pub async fn of(connections: impl Iterator<Item = Arc<ConnectionStats>>, what: What) -> Found {
        let answers = Arc::new(Answers::new());
        for connection in connections {
            answers.left.fetch_add(1, Relaxed);
            let (answers, what) = (answers.clone(), what.clone());
            connection.ask(Box::new(Question { connection: connection.id, what, from: 0, answers }));
        }
        if answers.left.fetch_sub(1, AcqRel) > 1 {
            let _ = tokio::time::timeout(PATIENCE, answers.complete.notified()).await; // those that are silent are counted
        }
        answers.stop()
    }

    /// Stops waiting: what was found until now.
    fn stop(&self) -> Found {
        // Counted first: a connection drops its question when it learns that the reader has stopped.
        let silent = self.left.load(Acquire);
        self.over.store(true, Relaxed);
        let found = std::mem::take(&mut *lock(&self.found));
        Found { silent, ..found }
    }

    /// Whether the reader has stopped waiting, so that no further call has to be looked at.
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// Adds the calls that a connection has found.
    pub(crate) fn add(&self, found: Found, most: usize) {
        lock(&self.found).merge(found, most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_one_text() {
        let id = TaskId { connection: 12, key: Key { index: 0, version: 7 } };
        assert_eq!((id.to_string().as_str(), "12-0-7".parse()), ("12-0-7", Ok(id)));
        for text in [
            "",
            "12",
            "12-0",
            "12-0-7-1",
            "12-0-07",
            "+12-0-7",
            "12-0--7",
            "12-0-4294967296",
            "a-b-c",
            " 12-0-7",
        ] {
            assert_eq!(text.parse::<TaskId>(), Err(()), "{text:?}");
        }
    }

    #[test]
    fn the_oldest_of_very_many_are_kept_and_all_are_counted() {
        let start = Instant::now();
        let at = |n: u64| start + Duration::from_micros(n);
        let task = |n: u64| Task {
            id: TaskId { connection: 1, key: Key { index: n as u32, version: 1 } },
            method: Some(0),
            called: None,
            protocol: "test",
            peer: Peer::Memory("test".into()),
            began: at(n),
            deadline: None,
            place: Place::Waiting,
            calls: None,
            streams: false,
            held: 0,
            trace: None,
        };
        let mut all = Found::default();
        let mut made = 0;
        for part in 0..10 {
            let mut found = Found::default();
            for n in 0..10_000 {
                let n = n * 10 + part; // each connection has some of the oldest
                found.add(50, Some(0), Place::Waiting, at(n), || {
                    made += 1;
                    task(n)
                });
            }
            found.total = 10_000;
            all.merge(found, 50);
        }
        let oldest: Vec<_> = all.oldest.into_sorted_vec().iter().map(|task| task.began).collect();
        assert_eq!(oldest, (0..50).map(at).collect::<Vec<_>>());
        assert_eq!((all.total, all.wanted, made), (100_000, 100_000, 500));
        assert_eq!(all.groups[&(Some(0), Place::Waiting)], (100_000, start));
    }
    #[test]
    fn a_connection_that_drops_its_question_when_the_reader_stops_has_not_answered() {
        let answers = Arc::new(Answers::new());
        let held = lock(&answers.found); // so that the reader has stopped and not taken anything yet
        let reader = std::thread::spawn({
            let answers = answers.clone();
            move || answers.stop().silent
        });
        while !answers.is_over() {
            std::thread::yield_now();
        }
        drop(Question {
            connection: 1,
            what: What::Show(Key::from_bits(0)),
            from: 0,
            answers: answers.clone(),
        });
        drop(held);
        assert_eq!(reader.join().unwrap(), 1);
    }
}
