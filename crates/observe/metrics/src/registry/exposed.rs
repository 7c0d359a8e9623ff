//! A variable that has a name.

use super::{
    name::{Metric, Show},
    vars,
};
use crate::{
    caught::caught,
    variables::{Labels, Reading, Variable},
};
use std::sync::Arc;

/// A variable in the registry.
pub(crate) struct Exposed {
    /// The name; for a latency without its suffix `latency`.
    pub(super) name: String,
    pub(super) labels: Labels,
    pub show: Show,
    /// The metric with the suffix of its kind; `None` for variables that Prometheus does not show.
    pub metric: Option<Metric>,
    pub(super) variable: Arc<dyn Variable>,
    /// The names, with labels, of the variable's lines in `/vars`, from its first reading.
    pub(super) lines: Vec<String>,
    /// Whether the variable's figures have trends: they are numbers, and their names are known before they
    /// are read.
    pub(super) has_trend: bool,
}

impl Exposed {
    /// The name; for a latency without its suffix.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Whether `/vars` has it as text.
    pub fn is_in_vars(&self) -> bool {
        !matches!(self.show, Show::Html | Show::Metric)
    }

    /// The variable's lines in `/vars` for this value.
    pub fn lines_of(&self, reading: &Reading) -> Vec<(String, String)> {
        vars::lines(&self.name, &self.labels, reading)
    }

    /// The variable's reading. Where the variable is code of the application that panics, a text says so:
    /// whoever reads it has others to read.
    pub fn read(&self) -> Reading {
        caught(|| self.variable.read()).unwrap_or_else(|| Reading::Text("its code has panicked".to_owned()))
    }

    /// See [`Variable::changes`].
    pub(super) fn changes(&self) -> Option<u64> {
        caught(|| self.variable.changes()).flatten()
    }

    pub(super) fn lines(&self) -> Vec<(String, String)> {
        self.lines_of(&self.read())
    }
}
