//! The names of a variable: in `/vars`, and for Prometheus.

use super::{
    names::{joined, normalised},
    vars::labels,
};
use crate::variables::Labels;
use std::fmt;

/// The places where a variable is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Show {
    #[default]
    Everywhere,
    /// Only in HTML: not in plain text, nor for Prometheus.
    Html,
    /// In plain text and for Prometheus, but not in HTML.
    Text,
    /// In plain text and HTML, but not for Prometheus.
    Vars,
    /// Only for Prometheus.
    Metric,
}

/// The name of a variable. A string can be used where no prefix, label or help text is needed.
///
/// Prometheus has other conventions for names than brpc, whose names `/vars` uses. A [`Metric`] sets the name
/// for Prometheus; otherwise it is the same name, with the additions of the convention.
///
/// ```
/// # use polywire_metrics::{Counter, Metric, Name, Registry};
/// let (registry, errors) = (Registry::new(), Counter::new());
/// let metric = Metric::new("shop_errors", "Calls that failed.").label("method", "Echo");
/// registry.expose(Name::new("echo_error").prefix("rpc_server_8000").metric(metric), errors.clone())?;
/// errors.add(2);
/// assert_eq!(registry.vars("*_error*"), "rpc_server_8000_echo_error : 2\r\n");
/// assert!(registry.prometheus().contains("shop_errors_total{method=\"Echo\"} 2\n"));
/// # Ok::<(), polywire_metrics::ExposeError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Name {
    pub(super) name: String,
    pub(super) labels: Labels,
    pub(super) help: String,
    pub(super) show: Show,
    pub(super) metric: Option<Metric>,
}

impl Name {
    /// A name; it is converted by [`normalised`].
    pub fn new(name: &str) -> Self {
        Name { name: normalised(name), ..Name::default() }
    }

    /// A variable for Prometheus only.
    pub fn of_metric(metric: Metric) -> Self {
        Name {
            name: metric.name.clone(),
            labels: metric.labels.clone(),
            show: Show::Metric,
            metric: Some(metric),
            ..Name::default()
        }
    }

    pub fn prefix(self, prefix: &str) -> Self {
        Name { name: joined(&normalised(prefix), &self.name), ..self }
    }

    /// Adds a label, or changes its value. Variables of one name may differ in labels. Keys are normalised
    /// like names; values may be any text.
    pub fn label(mut self, key: &str, value: impl Into<String>) -> Self {
        set(&mut self.labels, key, value);
        self
    }

    /// Sets the description in one line: the text of `# HELP`.
    pub fn help(self, help: impl Into<String>) -> Self {
        Name { help: help.into(), ..self }
    }

    pub fn show(self, show: Show) -> Self {
        Name { show, ..self }
    }

    /// Sets the metric for Prometheus. Default: the same name, labels and help.
    pub fn metric(self, metric: Metric) -> Self {
        Name { metric: Some(metric), ..self }
    }
}

impl fmt::Display for Name {
    /// The name and its labels.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name, labels(&self.labels))
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Name::new(name)
    }
}

/// The name of a variable in Prometheus' conventions: `polywire_server_refused_requests` with labels.
///
/// The suffix of the variable's kind is added: `_total` for a count, `_seconds` for a latency. Units of
/// others belong to the name: `polywire_memory_bytes`.
#[derive(Clone, Debug, Default)]
pub struct Metric {
    pub(crate) name: String,
    /// The given name, if it has dots: it is OpenTelemetry's name.
    pub(crate) otel: String,
    /// OpenTelemetry's unit, if it does not follow from the name.
    pub(crate) unit: &'static str,
    pub(crate) labels: Labels,
    pub(crate) help: String,
}

impl Metric {
    /// A name, converted by [`normalised`], and a description in one line. A name with dots
    /// (`rpc.server.call.duration`) is used by exporters to OpenTelemetry.
    pub fn new(name: &str, help: impl Into<String>) -> Self {
        let otel = if name.contains('.') { name.to_owned() } else { String::new() };
        Metric { name: normalised(name), otel, help: help.into(), ..Metric::default() }
    }

    /// Sets the unit in OpenTelemetry's notation, such as `{call}`. Seconds and bytes follow from the name.
    pub fn unit(self, unit: &'static str) -> Self {
        Metric { unit, ..self }
    }

    /// Adds a label, or changes its value.
    pub fn label(mut self, key: &str, value: impl Into<String>) -> Self {
        set(&mut self.labels, key, value);
        self
    }
}

fn set(labels: &mut Labels, key: &str, value: impl Into<String>) {
    let (key, value) = (normalised(key), value.into());
    match labels.iter_mut().find(|(known, _)| *known == key) {
        Some(label) => label.1 = value,
        None => labels.push((key, value)),
    }
}

/// The reason why a variable was not exposed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExposeError {
    /// The name is empty, or a latency's name is empty without its suffix `latency`.
    Empty,
    /// Another variable has this name.
    Taken(String),
    /// A variable of another kind has this name for Prometheus, where all of a name are of one kind, or a
    /// name that is the same in one of the formats: a counter `calls_total` is called `calls` in OpenMetrics,
    /// and a histogram has a sample `.._count`.
    Kind(String),
    /// A label key is invalid, occurs twice, or is one that Prometheus uses itself (`le`, `quantile`).
    Label(String),
}

impl fmt::Display for ExposeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExposeError::Empty => f.write_str("a variable needs a name"),
            ExposeError::Taken(name) => write!(f, "a variable named {name} is exposed already"),
            ExposeError::Kind(name) => {
                write!(f, "the metric {name} is exposed already by a variable of another kind")
            }
            ExposeError::Label(key) => {
                write!(f, "a label cannot be called {key:?}, or the variable has two of that name")
            }
        }
    }
}
impl std::error::Error for ExposeError {}
