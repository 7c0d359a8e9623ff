//! `polywire serve`: the demo services on one address.

use crate::{failure::Failure, services, tls::ServeTls, websocket};
use polywire::{Engine, Lifecycle, Pages, Priority, Recording, flags::Flags, metrics, registries, trace};
use std::{io::Write, process::ExitCode};

#[derive(clap::Args)]
pub struct Arguments {
    /// host:port (port 0: the system chooses) or unix:path; may be given several times
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8000")]
    listen: Vec<String>,
    /// No port is appended, because the address has one.
    #[arg(long, hide = true, value_name = "PORT")]
    port: Option<String>,
    /// Take the listening sockets over from the server at this Unix socket, and hand them to the next: no
    /// connection is refused
    #[arg(long, value_name = "PATH")]
    hand_over: Option<std::path::PathBuf>,
    /// Announce the server, at its first address, in this registry while it runs: consul://, etcd://,
    /// nacos:// or zk://; may be given several times
    #[arg(long, value_name = "URL")]
    register: Vec<String>,
    /// Share the ports with other servers of this user (SO_REUSEPORT)
    #[arg(long)]
    reuse_port: bool,
    #[command(flatten)]
    flags: FlagArguments,
    /// Append a line for each call to this file (`-`: standard error); opened anew at SIGHUP
    #[arg(long, value_name = "FILE")]
    access_log: Option<std::path::PathBuf>,
    /// The form of those lines: common, combined or json
    #[arg(long, value_name = "FORMAT", default_value = "combined", value_parser = log_format)]
    access_log_format: polywire::LogFormat,
    /// Answer only these protocols: baidu_std,http; grpc allows HTTP/2, connect and grpc-web all HTTP
    /// [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    protocols: Vec<String>,
    /// Records requests in this folder, about 1000 a second and without credentials, for `polywire replay`
    #[arg(long, value_name = "FOLDER")]
    dump: Option<std::path::PathBuf>,
    /// Records calls, and writes the spans that are kept to files of JSON lines in this folder
    #[arg(long, value_name = "FOLDER")]
    span_files: Option<std::path::PathBuf>,
    /// Writes the variables to this file every ten seconds as brpc's -bvar_dump does, and to files of its
    /// tabs beside it
    #[arg(long, value_name = "FILE")]
    metric_file: Option<std::path::PathBuf>,
    /// Shows gRPC's own metrics on /metrics as well (grpc_server_call_duration_seconds)
    #[arg(long)]
    grpc_metrics: bool,
    /// Show the schemas of the services by gRPC reflection to callers on other machines, too
    #[arg(long)]
    open_reflection: bool,
    #[command(flatten)]
    engine: EngineArguments,
    #[command(flatten)]
    tls: ServeTls,
    #[command(flatten)]
    services: services::ServiceArguments,
}

/// Options that can be changed while the server runs.
#[derive(clap::Args, Clone)]
pub struct FlagArguments {
    /// Read limits of the server from this file, a line for each: max_concurrency=auto, drain_limit=20s
    #[arg(long, value_name = "FILE")]
    flagfile: Option<std::path::PathBuf>,
}

impl FlagArguments {
    /// Applies the file, and variables of the environment such as POLYWIRE_FLAG_DRAIN_LIMIT, to the flags of
    /// a server that starts.
    pub fn apply(&self, flags: &Flags) -> std::io::Result<()> {
        let failed = std::io::Error::other::<polywire::flags::FlagError>;
        if let Some(path) = &self.flagfile {
            flags.load_file(path).map_err(failed)?;
        }
        flags.load_environment("POLYWIRE_FLAG").map_err(failed)?;
        flags.begin();
        Ok(())
    }
}

/// Threads of a server.
#[derive(clap::Args, Clone)]
pub struct EngineArguments {
    /// Threads that move bytes and run quick handlers [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub shards: Option<u16>,
    /// Threads for handlers that are not quick [default: one per core, at least 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,
    /// Priority of handlers that are not quick: a nice value from 0 to 19, or `idle`
    #[arg(long, value_name = "PRIORITY", default_value = "10", value_parser = work_priority)]
    pub work_priority: Priority,
    /// Processors for the shards, in turn: 0,1
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub cpus: Vec<usize>,
    /// Poll this long before sleeping: lower latency, one busy core
    #[arg(long, value_name = "MICROSECONDS", default_value_t = 0)]
    pub spin: u64,
}

impl EngineArguments {
    /// Builds the engine from the arguments.
    pub fn build(&self) -> std::io::Result<Engine> {
        let mut builder = Engine::builder()
            .spin(std::time::Duration::from_micros(self.spin))
            .work_priority(self.work_priority);
        if let Some(shards) = self.shards {
            builder = builder.shards(shards.into());
        }
        if let Some(workers) = self.workers {
            builder = builder.workers(workers.into());
        }
        if !self.cpus.is_empty() {
            builder = builder.cpus(self.cpus.clone());
        }
        builder.build()
    }
}

pub fn log_format(text: &str) -> Result<polywire::LogFormat, String> {
    match text {
        "common" => Ok(polywire::LogFormat::Common),
        "combined" => Ok(polywire::LogFormat::Combined),
        "json" => Ok(polywire::LogFormat::Json),
        _ => Err("common, combined or json".into()),
    }
}

fn work_priority(text: &str) -> Result<Priority, String> {
    match (text, text.parse()) {
        ("idle", _) => Ok(Priority::Idle),
        (_, Ok(nice @ 0..=19)) => Ok(Priority::Nice(nice)),
        _ => Err("a number from 0 to 19, or `idle`".into()),
    }
}

/// Serves until a signal; prints the addresses once all listeners accept connections.
pub fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    if let Some(port) = &arguments.port {
        return Err(Failure::usage(format!("--port: write --listen 127.0.0.1:{port}")));
    }
    let engine = arguments.engine.build()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let flags = Flags::new();
        let pages = Pages::default().flags(&flags).open_reflection(arguments.open_reflection);
        let server = services::server(&arguments.services).engine(&engine).pages(pages);
        let mut server = arguments.tls.on(server)?;
        let (mut recording, mut lifecycle) =
            (Recording::default(), Lifecycle::default().reuse_port(arguments.reuse_port));
        for address in &arguments.listen {
            server = server.listen(address);
        }
        if arguments.protocols.iter().any(|name| name.split(':').next() == Some(websocket::NAME)) {
            let text = "websocket in --protocols: it is part of http and h2; name those";
            return Err(Failure::usage(text));
        }
        if !arguments.protocols.is_empty() {
            server = server.protocols(arguments.protocols.iter().map(String::as_str));
        }
        for url in &arguments.register {
            let wrong = |error| Failure::usage(format!("--register {error}"));
            lifecycle = lifecycle.register(registries::registration(url).map_err(wrong)?);
        }
        if let Some(folder) = arguments.dump {
            recording = recording.dump(polywire::DumpOptions::new(folder));
        }
        if let Some(file) = arguments.metric_file {
            let labelled = file.with_file_name("mbvar.polywire.data");
            let options = metrics::MetricFileOptions::default().file(file).labelled_file(labelled);
            recording = recording.metric_files(options);
        }
        recording = recording.grpc_metrics(arguments.grpc_metrics);
        if let Some(folder) = arguments.span_files {
            let tracer = trace::tracer(trace::Options::default());
            tracer.set_on(true);
            recording = recording.tracer(&tracer).span_files(trace::SpanFileOptions::new(folder));
        }
        if let Some(path) = &arguments.hand_over {
            lifecycle = lifecycle.hand_over(path);
        }
        if let Some(path) = &arguments.access_log {
            let log = polywire::AccessLog::builder(arguments.access_log_format);
            let log = match path.as_os_str() == "-" {
                true => log.writer(std::io::stderr())?,
                false => {
                    log.file(path).map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?
                }
            };
            recording = recording.access_log(&log);
        }
        let stopping = polywire::stop_signal()?;
        let options = arguments.flags.clone();
        let lifecycle = lifecycle.before_ready(move |_| options.apply(&flags));
        let running = server.recording(recording).lifecycle(lifecycle).start()?;
        for address in running.addresses() {
            println!("listening on {address}");
        }
        std::io::stdout().flush()?;
        polywire::systemd::ready();
        tokio::select! {
            () = stopping => polywire::systemd::stopping(),
            () = running.handed_over() => polywire::systemd::handed_over(),
        }
        for left in running.stop().await {
            eprintln!("polywire: closed {left}");
        }
        Ok(ExitCode::SUCCESS)
    })
}
