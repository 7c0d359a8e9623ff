//! The mappings of JSON that a server writes: one for rules of `google.api.http`, one for other paths.

use polywire_formats::{
    json::{Json, Options, Style},
    rest::Rule,
};

/// A mapping of JSON, and how names of its components end, where two mappings have to be told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Dialect {
    pub style: Style,
    pub ending: &'static str,
}

impl Dialect {
    /// Protobuf's own mapping, under plain names.
    pub const CANONICAL: Dialect = Dialect { style: Style::Canonical, ending: "" };

    pub fn is_canonical(self) -> bool {
        self.options().is_none()
    }

    /// The options of brpc's mapping.
    pub fn options(self) -> Option<Options> {
        match self.style {
            Style::Brpc(options) => Some(options),
            Style::Canonical | Style::Strict => None,
        }
    }
}

/// The mappings of JSON that a server writes.
pub(super) struct Dialects {
    pub by_name: Dialect,
    by_rule: Dialect,
    has_rules: bool,
}

impl Dialects {
    /// Of the mapping by names and paths, and by rules. Rules need protobuf's mapping at least for failures.
    /// Where the server has some, components of brpc's mapping are told apart by their names, in the
    /// documents of all services, so that a message has one name.
    pub fn of(json: (Json, Json), has_rules: bool) -> Dialects {
        let (by_name, by_rule) = (json.0.style(), json.1.style());
        let dialect = |style| match style {
            Style::Brpc(_) if has_rules => Dialect { style, ending: "-brpc" },
            style => Dialect { style, ending: "" },
        };
        Dialects { by_name: dialect(by_name), by_rule: dialect(by_rule), has_rules }
    }

    pub fn of_rule(&self, rule: &Rule<'_>) -> Dialect {
        if rule.is_of_path() { self.by_name } else { self.by_rule }
    }

    /// What is to be known of them.
    pub fn said(&self) -> String {
        let name = |dialect: Dialect| match dialect.style {
            Style::Brpc(_) => {
                "brpc's mapping of JSON (names as in the .proto file, 64-bit integers as numbers)"
            }
            Style::Canonical | Style::Strict => "protobuf's own mapping of JSON",
        };
        let ended = match self.by_name.ending {
            "" => String::new(),
            ending => format!(", whose schemas end with `{ending}`"),
        };
        let rules = match self.has_rules {
            false => String::new(),
            true => {
                format!(" Paths of google.api.http: {}; failures are google.rpc.Status.", name(self.by_rule))
            }
        };
        format!(
            "Made by the server from its descriptors.{rules} {}: {}{ended}; failures are text.",
            if self.has_rules { "Other paths, among them /package.Service/Method" } else { "Its paths" },
            name(self.by_name)
        )
    }
}
