//! Ten servers and four clients in memory, in virtual time, and the calls that the clients make.

use super::{
    fault::Fault,
    talk::{Line, Talk, TalkClient},
};
use polywire::{
    Context, Reply, Resilience, Server, Status, Stream, Streaming,
    balance::{FailurePercentage, Outliers},
    naming::SourceError,
    standard::load::LoadReports,
    testkit::{Net, Served},
};
use polywire_naming::source_fn;
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::{
    sync::watch,
    time::{Instant, sleep, sleep_until},
};

pub const SERVERS: usize = 10;
const CLIENTS: u64 = 4;
/// What a call takes at a server: this at least, and as much again on average.
const WORK: Duration = Duration::from_millis(5);
/// The time limit of a call.
const LIMIT: Duration = Duration::from_secs(2);

/// From the beginning: the fault begins, it ends, the last call is made.
pub const BEGINS: Duration = Duration::from_secs(5);
pub const ENDS: Duration = Duration::from_secs(25);
pub const OVER: Duration = Duration::from_secs(27);

/// What a run is made of.
#[derive(Clone, Copy)]
pub struct Setup {
    pub seed: u64,
    pub protocol: &'static str,
    pub balancer: &'static str,
    /// Whether servers that fail most calls are taken out.
    pub outlier_detection: bool,
    pub fault: Fault,
    /// Between two calls of a client, on average.
    pub gap: Duration,
}

impl Setup {
    pub fn new(balancer: &'static str, fault: Fault) -> Self {
        Setup {
            seed: 7,
            protocol: "baidu_std",
            balancer,
            outlier_detection: false,
            fault,
            gap: Duration::from_millis(4),
        }
    }
}

/// A call that has ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ended {
    /// When it was made, from the beginning of the run.
    pub at: Duration,
    pub took: Duration,
    pub good: bool,
}

/// Makes the calls of a run, and returns how each ended, in the order in which they were made.
///
/// The run has a thread to itself, so that its random choices follow from the seed alone.
pub fn run(setup: Setup) -> Vec<Ended> {
    let run = move || {
        fastrand::seed(setup.seed); // balancers fork this thread's generator
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
        runtime.expect("a runtime").block_on(calls(setup))
    };
    std::thread::spawn(run).join().expect("the run does not panic")
}

async fn calls(setup: Setup) -> Vec<Ended> {
    let fleet = Fleet::new(setup.seed);
    let begun = Instant::now();
    let ended = Arc::new(Mutex::new(Vec::new()));
    let clients = (0..CLIENTS).map(|number| {
        let client = fleet.client(number, &setup);
        tokio::spawn(load(client, setup.seed * 1000 + number, setup.gap, begun, ended.clone()))
    });
    let clients: Vec<_> = clients.collect();
    sleep_until(begun + BEGINS).await;
    setup.fault.run(&fleet, begun).await;
    for client in clients {
        client.await.expect("it does not panic");
    }
    sleep_until(begun + OVER + LIMIT + LIMIT).await;
    let mut ended = std::mem::take(&mut *ended.lock().unwrap());
    ended.sort_by_key(|ended: &Ended| ended.at);
    ended
}

/// Calls at random times, whether earlier ones have ended or not.
async fn load(client: TalkClient, seed: u64, gap: Duration, begun: Instant, ended: Arc<Mutex<Vec<Ended>>>) {
    let (client, mut random) = (Arc::new(client), fastrand::Rng::with_seed(seed));
    let mut at = Duration::ZERO;
    loop {
        at += exponential(&mut random, gap);
        if at > OVER {
            return;
        }
        sleep_until(begun + at).await;
        let (client, ended) = (client.clone(), ended.clone());
        tokio::spawn(async move {
            let start = Instant::now();
            let good = client.say(Line::default()).timeout(LIMIT).await.is_ok();
            ended.lock().unwrap().push(Ended { at: start - begun, took: start.elapsed(), good });
        });
    }
}

fn exponential(random: &mut fastrand::Rng, mean: Duration) -> Duration {
    mean.mul_f64(-(1.0 - random.f64()).ln())
}

/// The servers, the network between them and their clients, and the source that names them.
pub struct Fleet {
    net: Net,
    servers: Mutex<Vec<Member>>,
    /// Whether the source answers.
    named: watch::Sender<bool>,
}

struct Member {
    manner: Arc<Manner>,
    served: Option<Served>,
}

/// How a server behaves.
pub struct Manner {
    /// Milliseconds that each call takes, if not 0.
    pub slow: AtomicU32,
    /// It fails calls at once.
    pub fails: AtomicBool,
    random: Mutex<fastrand::Rng>,
}

impl Fleet {
    fn new(seed: u64) -> Fleet {
        let member = |number| {
            let random = Mutex::new(fastrand::Rng::with_seed(seed * 100 + number as u64));
            let manner = Manner { slow: AtomicU32::new(0), fails: AtomicBool::new(false), random };
            Member { manner: Arc::new(manner), served: None }
        };
        let servers = Mutex::new((0..SERVERS).map(member).collect());
        let fleet = Fleet { net: Net::seeded(seed), servers, named: watch::Sender::new(true) };
        (0..SERVERS).for_each(|server| fleet.start(server));
        fleet
    }

    fn client(&self, number: u64, setup: &Setup) -> TalkClient {
        let named = self.named.subscribe();
        let source = source_fn("servers", move |updates| {
            let mut named = named.clone();
            async move {
                loop {
                    if !*named.borrow_and_update() {
                        return Err(SourceError::new("the registry does not answer"));
                    }
                    updates.set((0..SERVERS).map(|n| polywire::naming::Server::new(address(n))).collect());
                    if named.changed().await.is_err() {
                        return Ok(());
                    }
                }
            }
        });
        let host = self.net.host(&format!("client{number}"));
        let builder = host.builder("servers").servers(source).protocol(setup.protocol);
        let outliers = setup.outlier_detection.then(outlier_detection);
        let resilience = Resilience::default().balancer(setup.balancer).outliers(outliers);
        // What is called here may be called twice. A server that stops by HTTP/2 says which calls it has not
        // looked at.
        let says = setup.fault == Fault::RestartsAll && ["grpc", "h2"].contains(&setup.protocol);
        let resilience = resilience.retries_after_loss(!says);
        TalkClient::new(builder.resilience(resilience).build().expect("the options are right"))
    }

    pub fn manner(&self, server: usize) -> Arc<Manner> {
        self.servers.lock().unwrap()[server].manner.clone()
    }

    pub fn start(&self, server: usize) {
        let member = &mut self.servers.lock().unwrap()[server];
        let load = LoadReports::new(); // for prequal
        let services = load.services().into_iter().fold(Server::new(), Server::service);
        let services = services.service(Worker(member.manner.clone()).into_service()).middleware(load);
        member.served = Some(self.net.serve(&address(server), services));
    }

    /// Ends a server as SIGTERM does: its calls may end.
    pub async fn stop(&self, server: usize) {
        let served = self.servers.lock().unwrap()[server].served.take();
        served.expect("it runs").stop().await;
    }

    /// Ends a server as SIGKILL does.
    pub fn kill(&self, server: usize) {
        self.servers.lock().unwrap()[server].served.take().expect("it runs").crash();
    }

    /// Nothing that is sent arrives, and nobody is told.
    pub fn cut_off(&self, server: usize) {
        self.net.link(&address(server)).partition();
    }

    pub fn connect_again(&self, server: usize) {
        self.net.link(&address(server)).heal();
    }

    pub fn source_answers(&self, answers: bool) {
        self.named.send_replace(answers);
    }
}

fn address(server: usize) -> String {
    format!("s{server}:1")
}

fn outlier_detection() -> Outliers {
    let mut outliers = Outliers::default();
    outliers.interval = Duration::from_secs(1);
    outliers.base_ejection = Duration::from_secs(5);
    let mut failures = FailurePercentage::default();
    failures.threshold = 50;
    failures.request_volume = 10;
    outliers.failure_percentage = Some(failures);
    outliers
}

struct Worker(Arc<Manner>);

impl Talk for Worker {
    async fn say(&self, _: &Context, request: Line) -> Result<Reply<Line>, Status> {
        if self.0.fails.load(Relaxed) {
            return Err(Status::internal("this server is broken"));
        }
        let work = WORK + exponential(&mut self.0.random.lock().unwrap(), WORK);
        match self.0.slow.load(Relaxed) {
            0 => sleep(work).await,
            slow => sleep(Duration::from_millis(slow.into())).await,
        }
        Ok(request.into())
    }
    async fn count(&self, _: &Context, _: Line) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Err::<Streaming<Line>, _>(Status::unimplemented("not here"))
    }
    async fn sum(&self, _: &Context, _: Streaming<Line>) -> Result<Reply<Line>, Status> {
        Err(Status::unimplemented("not here"))
    }
    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(incoming)
    }
}
