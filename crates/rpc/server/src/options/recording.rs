//! Options for the records that a server keeps of itself and its calls.

use crate::AccessLog;
use polywire_dump::{DumpOptions, SpanFileOptions};
use polywire_metrics::MetricFileOptions;
use polywire_trace::Tracer;

/// The records that a server keeps of itself and its calls, in files or elsewhere. Default: none, except for
/// a tracer that is off.
#[derive(Default)]
#[must_use]
pub struct Recording {
    pub(crate) access_logs: Vec<AccessLog>,
    pub(crate) tracer: Option<Tracer>,
    pub(crate) span_files: Option<SpanFileOptions>,
    pub(crate) metric_files: Option<MetricFileOptions>,
    pub(crate) dump: Option<DumpOptions>,
    pub(crate) grpc_metrics: bool,
}

impl Recording {
    /// Writes a line for each call of the application's methods, over all protocols, also for cancelled
    /// calls, and for requests that reach no method (404, 405). At SIGHUP, which no longer ends the process
    /// then, log files are reopened; a stop waits up to a second until the log is written. May be called
    /// several times. See docs/logging.md.
    pub fn access_log(mut self, log: &AccessLog) -> Self {
        self.access_logs.push(log.clone());
        self
    }

    /// Records calls with this tracer, which several servers and channels may share. Default: a tracer of the
    /// server's own, which is off until the page `/rpcz` turns it on. [`polywire_engine::tracer`] makes one.
    pub fn tracer(mut self, tracer: &Tracer) -> Self {
        self.tracer = Some(tracer.clone());
        self
    }

    /// Writes the spans that its tracer keeps to files as well, a line of OTLP's JSON for each: see
    /// [`SpanFileOptions`]. Default: none. Nothing is written while the tracer is off.
    ///
    /// The server does not start if the folder cannot be made or read, or if its tracer has four sinks.
    pub fn span_files(mut self, options: impl Into<Option<SpanFileOptions>>) -> Self {
        self.span_files = options.into();
        self
    }

    /// Writes the variables of the server and the process to files at intervals, as brpc's `-bvar_dump` does,
    /// and to one for Prometheus' node_exporter: see [`MetricFileOptions`]. Default: none.
    ///
    /// The server does not start if the interval is invalid or a tab cannot be parsed. A file that cannot be
    /// written is reported in the log.
    pub fn metric_files(mut self, options: impl Into<Option<MetricFileOptions>>) -> Self {
        self.metric_files = options.into();
        self
    }

    /// Records some of its requests in files, in brpc's format, to be replayed by `polywire replay`: about
    /// 1000 a second, without credentials, see [`DumpOptions`]. Default: none.
    ///
    /// The server does not start if the folder cannot be made or read.
    pub fn dump(mut self, options: impl Into<Option<DumpOptions>>) -> Self {
        self.dump = options.into();
        self
    }

    /// Shows gRPC's own metrics as well (`grpc_server_call_duration_seconds` and others, as of gRPC's plugins
    /// for OpenTelemetry): of the server's calls by gRPC, and of the calls of the process's channels. See
    /// docs/metrics.md. Default: no; OpenTelemetry's own of all protocols are always shown, and a call by
    /// gRPC would have both.
    pub fn grpc_metrics(mut self, shown: bool) -> Self {
        self.grpc_metrics = shown;
        self
    }
}
