//! Asks the servers of a cluster for the schemas of their messages: by gRPC reflection, or by the page
//! `/protobufs` that those of brpc have.

use super::{
    news::tell,
    schemas::{counted, left_out},
};
use crate::{
    protobufs,
    reflection::{self, Version},
    terminal,
};
use polywire::{Channel, Code, ConfigError, Status, gateway::Schemas};
use std::{
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::{
    sync::{Notify, watch},
    task::{JoinHandle, spawn_blocking},
    time::{Instant, sleep, timeout_at},
};

/// The least time between two questions to servers that have answered. It doubles while they answer the same:
/// callers of what nobody has do not keep them busy.
const AGAIN: Duration = Duration::from_secs(10);
/// The longest time between two: servers are replaced by others without a word.
const ANYWAY: Duration = Duration::from_secs(300);
/// The interval of looks whether they are to be asked again.
const LOOK: Duration = Duration::from_secs(1);
/// How long the start waits for the first answer.
pub const FIRST: Duration = Duration::from_secs(5);

/// How servers are asked: in this order, until they answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ways {
    /// By gRPC reflection.
    pub reflection: bool,
    /// By the page `/protobufs`.
    pub protobufs: bool,
}

impl Ways {
    /// What these texts mean in place of files; `None`: there are others among them, or none.
    pub fn named<'t>(texts: impl Iterator<Item = &'t str>) -> Option<Ways> {
        let mut ways = Ways { reflection: false, protobufs: false };
        for text in texts {
            match text {
                "reflection" => ways.reflection = true,
                "protobufs" => ways.protobufs = true,
                _ => return None,
            }
        }
        (ways.reflection || ways.protobufs).then_some(ways)
    }
}

/// Where they are asked.
#[derive(Clone, Default)]
pub struct Asked {
    /// In gRPC.
    pub reflection: Option<Channel>,
    /// In HTTP.
    pub protobufs: Option<Channel>,
}

/// Asks the servers of a cluster what they have: at the start, then until they answer.
/// Afterwards every five minutes, when the settings are read again, and when a call was made that does not
/// fit what is known, at most every 10 seconds. No call waits for an answer.
pub struct Asking {
    schemas: Schemas,
    ways: Ways,
    /// How it went the first time, for the operator.
    first: watch::Sender<Option<Result<String, String>>>,
    /// Whether that is told when it comes; otherwise it is returned by [`Asking::first`].
    is_loud: Arc<AtomicBool>,
    again: Arc<Notify>,
    task: OnceLock<JoinHandle<()>>,
}

impl Asking {
    pub fn new(ways: Ways) -> Arc<Asking> {
        let schemas = Schemas::new();
        schemas.lacking("the servers were asked");
        Asking::with(schemas, ways)
    }

    /// Asks the same servers in another way. What they have said before is known until they answer again.
    pub fn after(before: &Asking, ways: Ways) -> Arc<Asking> {
        Asking::with(before.schemas.clone(), ways)
    }

    fn with(schemas: Schemas, ways: Ways) -> Arc<Asking> {
        Arc::new(Asking {
            schemas,
            ways,
            first: watch::Sender::new(None),
            is_loud: Arc::default(),
            again: Arc::default(),
            task: OnceLock::new(),
        })
    }

    pub fn schemas(&self) -> &Schemas {
        &self.schemas
    }

    pub fn ways(&self) -> Ways {
        self.ways
    }

    /// Whether they may have the names that mcpack has for fields.
    pub fn names_mcpack(&self) -> bool {
        self.ways.reflection && !self.schemas.is_guessed()
    }

    /// Where schemas come from, or would.
    pub fn words(&self) -> &'static str {
        match self.schemas.state().0 {
            Some(_) if self.schemas.is_guessed() => "guessed from /protobufs",
            Some(_) => "reflection",
            None => match self.ways {
                Ways { protobufs: false, .. } => "reflection",
                Ways { reflection: false, .. } => "/protobufs",
                _ => "reflection, /protobufs",
            },
        }
    }

    /// Begins to ask, or asks again. `is_loud`: nobody waits for the first answer.
    pub fn begin(&self, cluster: &str, asked: &Asked, is_loud: bool) {
        if self.task.get().is_some() {
            return self.again.notify_one();
        }
        let (schemas, first, again) = (self.schemas.clone(), self.first.clone(), self.again.clone());
        let (cluster, servers, loud) = (cluster.to_owned(), asked.clone(), self.is_loud.clone());
        self.task.get_or_init(|| {
            loud.store(is_loud, Relaxed);
            tokio::spawn(async move {
                let mut told = None;
                let mut wait = Duration::from_secs(1);
                let (mut before, mut rest, mut is_missed) = (None, AGAIN, false);
                let mut version = Version::default();
                loop {
                    let asked = Instant::now();
                    let (answer, said) = ask(&servers, &mut version, &schemas).await;
                    let news = match answer {
                        Ok(text) => Ok(format!("schemas of {cluster}: {text}")),
                        Err(text) => Err(format!("schemas of {cluster}: {text}")),
                    };
                    // A failure has many texts, of which one is enough.
                    let is_new = told.as_ref().is_none_or(|told: &Result<_, _>| match (told, &news) {
                        (Ok(before), Ok(now)) => before != now,
                        (before, now) => before.is_ok() != now.is_ok(),
                    });
                    if is_new && (told.is_some() || loud.load(Relaxed)) {
                        tell(&news);
                    }
                    if said.is_some() && is_new {
                        for text in left_out(&schemas) {
                            eprintln!("polywire: schemas of {cluster}: {}", terminal::line(&text));
                        }
                    }
                    told = Some(news.clone());
                    first.send_if_modified(|first| match first {
                        None => {
                            *first = Some(news);
                            true
                        }
                        Some(_) => false,
                    });
                    if said.is_some() {
                        rest = if is_missed && before == said { ANYWAY.min(2 * rest) } else { AGAIN };
                        before = said;
                        wait = Duration::from_secs(1);
                        schemas.take_missed();
                        // Calls do not wake this: an hour of them costs no more than the looks.
                        is_missed = tokio::select! {
                            is_missed = due(asked, rest, &schemas) => is_missed,
                            () = again.notified() => false,
                        };
                    } else {
                        sleep(wait).await;
                        wait = AGAIN.min(2 * wait);
                    }
                }
            })
        });
    }

    /// How it went the first time; `None`: there is no answer by then, and it is told when it comes.
    pub async fn first(&self, until: Instant) -> Option<Result<String, String>> {
        let mut first = self.first.subscribe();
        let seen = timeout_at(until, first.wait_for(Option::is_some)).await;
        let Ok(Ok(seen)) = seen else {
            self.is_loud.store(true, Relaxed);
            return None;
        };
        seen.clone()
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.task.get().into_iter().for_each(JoinHandle::abort);
    }
}

/// Waits until servers that answered are to be asked again. Returns whether calls want it.
async fn due(asked: Instant, rest: Duration, schemas: &Schemas) -> bool {
    loop {
        if asked.elapsed() >= rest && schemas.take_missed() {
            return true;
        }
        if asked.elapsed() >= ANYWAY {
            return false;
        }
        sleep(LOOK).await;
    }
}

/// Asks once, in one way and then in the other. Returns what came of it, for the operator, and a hash of what
/// the servers said, if they answered.
async fn ask(
    servers: &Asked,
    version: &mut Version,
    schemas: &Schemas,
) -> (Result<String, String>, Option<u64>) {
    let mut lacks: Vec<Lack> = Vec::new();
    if let Some(channel) = &servers.reflection {
        match reflection::all(channel, version).await {
            Ok(set) => return said(schemas, set, false).await,
            Err(status) => lacks.push(Lack::reflection(&status)),
        }
    }
    // A guess does not replace what reflection has said, because it fails for once.
    let is_known = schemas.state().0.is_some() && !schemas.is_guessed();
    let is_worse = is_known && lacks.iter().any(|lack| !lack.is_answer);
    if let Some(channel) = servers.protobufs.as_ref().filter(|_| !is_worse) {
        match protobufs::all(channel).await {
            Ok(set) => return said(schemas, set, true).await,
            // What cannot be reached is said once.
            Err(status) => {
                let lack = Lack::protobufs(&status);
                if lack.is_answer || lacks.iter().all(|before| before.is_answer) {
                    lacks.push(lack);
                }
            }
        }
    }
    let joined = |of: fn(&Lack) -> &str| lacks.iter().map(of).collect::<Vec<_>>().join("; ");
    schemas.lacking(&joined(|lack| &lack.for_callers));
    // The last says whether to ask again: servers that do not know the protocol of a question just hang up.
    let is_answer = lacks.last().is_some_and(|lack| lack.is_answer);
    let refused = if is_answer { ", so that messages in JSON are refused" } else { "" };
    (Err(joined(|lack| &lack.text) + refused), is_answer.then_some(0))
}

/// Why servers gave no schemas.
struct Lack {
    for_callers: String,
    text: String,
    /// Asked again, they say the same.
    is_answer: bool,
}

impl Lack {
    fn reflection(status: &Status) -> Lack {
        match status.code() {
            Code::Unimplemented => Lack {
                for_callers: "the servers offered no reflection".to_owned(),
                text: "the servers offer no reflection".to_owned(),
                is_answer: true,
            },
            code => Lack {
                for_callers: format!("reflection failed with {code}"),
                text: format!("reflection failed: {status}"),
                is_answer: false,
            },
        }
    }

    fn protobufs(status: &Status) -> Lack {
        let is_answer = protobufs::is_answer(status);
        match status.code() {
            Code::Unimplemented => Lack {
                for_callers: "the servers had no page /protobufs".to_owned(),
                text: "the servers have no page /protobufs".to_owned(),
                is_answer,
            },
            code => Lack {
                for_callers: format!("the page /protobufs failed with {code}"),
                text: format!("the page /protobufs of the servers: {status}"),
                is_answer,
            },
        }
    }
}

/// Knows what the servers said.
async fn said(schemas: &Schemas, set: Vec<u8>, is_guessed: bool) -> (Result<String, String>, Option<u64>) {
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(&set);
    let (by, what) = match is_guessed {
        true => ("guessed from the page /protobufs", "the page /protobufs"),
        false => ("by reflection", "reflection"),
    };
    let news = match replaced(schemas, set, is_guessed).await {
        Ok(()) => Ok(format!("{by}, {}", counted(schemas))),
        Err(wrong) => {
            schemas.lacking(&format!("{what} gave no schemas"));
            Err(format!("{what}: {wrong}"))
        }
    };
    (news, Some(hash))
}

/// Reads what servers said: up to 16 MiB, which is no work for a thread that other clusters wait for.
async fn replaced(schemas: &Schemas, set: Vec<u8>, is_guessed: bool) -> Result<(), ConfigError> {
    let schemas = schemas.clone();
    let replace = if is_guessed { Schemas::replace_guessed } else { Schemas::replace };
    let read = spawn_blocking(move || replace(&schemas, &set)).await;
    read.unwrap_or_else(|stopped| Err(ConfigError::new("schemas", stopped.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn servers_are_asked_again_when_calls_want_it_and_every_five_minutes() {
        let schemas = Schemas::new();
        let begin = Instant::now();
        assert!(!due(begin, AGAIN, &schemas).await);
        assert_eq!(begin.elapsed(), ANYWAY);
        for rest in [AGAIN, 4 * AGAIN] {
            assert!(!schemas.knows("shop.Orders", "Place"));
            let begin = Instant::now();
            assert!(due(begin, rest, &schemas).await);
            assert_eq!(begin.elapsed(), rest, "no sooner, whatever calls want");
        }
        assert!(!schemas.take_missed());
    }

    /// As while servers are replaced by others.
    #[tokio::test]
    async fn a_guess_does_not_replace_what_reflection_has_said_because_that_fails_for_once() {
        let to = |address: &str, protocol: &str| {
            Some(Channel::builder(address).protocol(protocol).build().expect("a channel"))
        };
        let server = crate::services::server(&crate::services::ServiceArguments::default());
        let running = server.listen("127.0.0.1:0").start().expect("a server");
        let there = running.addresses()[0].to_string();
        let closed = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr();
        let gone = &*closed.expect("an address").to_string();
        let (by_page, by_reflection) = (to(&there, protobufs::HTTP), to(&there, "grpc"));
        let (schemas, mut version) = (Schemas::new(), Version::default());
        let mut asked = Asked { reflection: to(gone, "grpc"), protobufs: by_page };
        let (news, _) = ask(&asked, &mut version, &schemas).await;
        assert!(schemas.is_guessed() && news.is_ok_and(|news| news.starts_with("guessed")));
        asked.reflection = by_reflection;
        let (news, _) = ask(&asked, &mut version, &schemas).await;
        assert!(!schemas.is_guessed() && news.is_ok_and(|news| news.starts_with("by reflection")));
        asked.reflection = to(gone, "grpc");
        let (news, said) = ask(&asked, &mut version, &schemas).await;
        assert!(!schemas.is_guessed() && said.is_none(), "asked again soon");
        assert!(news.is_err_and(|why| why.contains("reflection failed")));
        assert!(schemas.knows("example.EchoService", "Echo"));
    }
}
