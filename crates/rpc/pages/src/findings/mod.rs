//! What of a server needs somebody: rules over its figures, and when what they find is shown.
//!
//! ```text
//!  server --> Figures --> rules (pure functions) --> Holds: hold and release times --> findings: /, /index?json, /metrics
//!                         other pages' findings ---------------------------------------^
//! ```
//!
//! | file | what it has |
//! | --- | --- |
//! | `figures` | the figures of one moment, and the windows of what has none of its own |
//! | `holds` | a while after it began, until a while after its end |
//! | `methods`, `limits`, `peers`, `process`, `certificates` | the rules |
//! | `old_calls` | that about calls in flight, and who asks for them |
//!
//! Rules are evaluated when somebody looks, at most once a second for all who do.
//!
//! Source: docs/console.md, "What needs you".

mod certificates;
mod figures;
mod holds;
mod limits;
mod methods;
mod old_calls;
mod peers;
mod process;
mod words;

pub(crate) use self::{
    certificates::certificate_mark,
    words::{method_link, percent},
};
use self::{
    figures::{Figures, Rates},
    holds::{Found, Held, Holds},
    old_calls::OldCalls,
    words::rounded,
};
use crate::{
    asking::Askers,
    says::{Elsewhere, Says, SaysOfMethod},
};
use polywire_base::{Sort, lock};
use polywire_console::{Finding, Mark, Section};
use polywire_engine::clock;
use polywire_metrics::{Computed, Metric, Name, Reading};
use polywire_server::facts::Facts;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock},
    time::{Duration, Instant},
};

/// A rule: a pure function of figures.
type Rule = fn(&Figures) -> Vec<Found>;

/// The rules, each with the name of what it finds.
const RULES: [(&str, Rule); 12] = [
    ("method_fails", methods::fails),
    ("method_slow", methods::slow),
    ("too_late", methods::too_late),
    ("handler_panics", methods::panics),
    ("limit_refuses", limits::refuses),
    ("budget", limits::budgets),
    ("certificate", certificates::end),
    ("old_calls", old_calls::old_calls),
    ("slow_polls", peers::slow_polls),
    ("shard_cpu", process::shard_cpu),
    ("memory_grows", process::memory_grows),
    ("bad_input", peers::bad_input),
];

/// The least interval between two evaluations of the rules.
const EVERY: Duration = Duration::from_secs(1);
/// What one rule may find; the rest is left out.
const MOST_OF_RULE: usize = 100;

/// The findings of a server.
#[derive(Default)]
pub(crate) struct Watch {
    state: Mutex<State>,
    watched: OnceLock<Watched>,
    old_calls: OldCalls,
    /// What other pages have to say.
    pages: OnceLock<Vec<Says>>,
    /// The rules of their findings.
    rules_of_pages: OnceLock<Vec<&'static str>>,
    of_methods: OnceLock<Vec<SaysOfMethod>>,
}

/// What is looked at.
struct Watched {
    server: Facts,
    askers: Askers,
    rates: Rates,
}

#[derive(Default)]
struct State {
    holds: Holds,
    last: Option<(Instant, Arc<Seen>)>,
}

/// What was seen at one look.
#[derive(Default)]
pub(crate) struct Seen {
    /// What was found, the worst first.
    pub findings: Vec<Finding>,
    /// The worst mark of each method with a finding that is not over.
    marks: HashMap<String, Mark>,
    /// What other pages show on the overview beside findings.
    pub sections: Vec<Section>,
}

impl Watch {
    /// What other pages have to say. To be called once, before the server starts.
    pub fn set_pages(&self, rules: Vec<&'static str>, pages: Vec<Says>, of_methods: Vec<SaysOfMethod>) {
        let _ = (self.rules_of_pages.set(rules), self.pages.set(pages), self.of_methods.set(of_methods));
    }

    /// Whether any page says where the time of methods goes.
    pub fn knows_elsewhere(&self) -> bool {
        self.of_methods.get().is_some_and(|pages| !pages.is_empty())
    }

    /// What other pages say of where the time of this method (`service/method`) goes.
    pub fn elsewhere(&self, method: &str) -> impl Iterator<Item = Elsewhere> {
        self.of_methods.get().into_iter().flatten().filter_map(move |says| says(method))
    }

    /// Begins to sample what has no window of its own, and shows the findings in the metrics. `of_group`:
    /// in place of those of the servers that it shows, which know nothing of its pages.
    pub fn begin(self: &Arc<Self>, server: &Facts, askers: &Askers, of_group: bool) {
        let rates = Rates::new(server);
        let _ = self.watched.set(Watched { server: server.clone(), askers: askers.clone(), rates });
        let help = "What needs somebody, by rule: how many findings the first page shows.";
        let name = Name::new("finding").metric(Metric::new("polywire_finding", help));
        let watch = Arc::downgrade(self);
        let read = move || watch.upgrade().map_or_else(Vec::new, |watch| watch.numbers());
        if of_group {
            server.stats.registry.hide(name.clone());
        }
        // Fails if the application has taken the name.
        let _ = server.stats.registry.expose(name, Computed::new(["rule", "level"], Reading::Level(0), read));
    }

    /// The findings of now, or of less than a second ago.
    pub fn look(&self) -> Arc<Seen> {
        let Some(Watched { server: facts, askers, rates }) = self.watched.get() else {
            return Arc::default();
        };
        let Some(server) = facts.live.upgrade() else { return Arc::default() };
        let now = clock::now();
        let mut state = lock(&self.state);
        if let Some((at, seen)) = &state.last
            && now.checked_duration_since(*at).is_some_and(|age| age < EVERY)
        {
            return seen.clone();
        }
        let ages = self.old_calls.look(&server, askers, now);
        let figures = Figures::read(facts, &*server, rates, &ages, |name| self.elsewhere(name).next());
        let found = RULES.iter().flat_map(|(_, rule)| rule(&figures).into_iter().take(MOST_OF_RULE));
        let held = state.holds.look(now, found.collect());
        let mut seen = Seen {
            marks: marks(&held),
            findings: held.into_iter().map(finding).collect(),
            sections: Vec::new(),
        };
        for section in self.pages.get().into_iter().flatten().flat_map(|says| says()) {
            match section {
                Section::Findings(findings) => seen.findings.extend(findings),
                other => seen.sections.push(other),
            }
        }
        seen.findings.order_by_key(|finding| std::cmp::Reverse(finding.mark)); // keeps the order of equals
        let seen = Arc::new(seen);
        state.last = Some((now, seen.clone()));
        seen
    }

    /// The worst mark of each method that has a finding now, by `service/method`.
    pub fn marks(&self) -> HashMap<String, Mark> {
        self.look().marks.clone()
    }

    /// The rules of the server, and those that pages have named.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        RULES.iter().map(|(name, _)| *name).chain(self.rules_of_pages.get().into_iter().flatten().copied())
    }

    /// How many rules there are.
    pub fn rules(&self) -> usize {
        self.names().count()
    }

    /// How many findings there are of each rule and level; those of known rules even if there are none.
    fn numbers(&self) -> Vec<(Vec<String>, Reading)> {
        let seen = self.look();
        let mut rules: Vec<&str> = self.names().collect();
        for finding in &seen.findings {
            if !rules.contains(&finding.rule) {
                rules.push(finding.rule);
            }
        }
        let levels = [(Mark::Warn, "warning"), (Mark::Bad, "bad")];
        let of = |rule: &str, (mark, level): (Mark, &str)| {
            let number = seen.findings.iter().filter(|one| one.rule == rule && one.mark == mark).count();
            (vec![rule.to_owned(), level.to_owned()], Reading::Level(number as i64))
        };
        rules.iter().flat_map(|rule| levels.map(|level| of(rule, level))).collect()
    }
}

fn marks(held: &[Held]) -> HashMap<String, Mark> {
    let mut marks: HashMap<String, Mark> = HashMap::new();
    for one in held.iter().filter(|held| held.over.is_none() && held.found.subject.contains('/')) {
        let mark = marks.entry(one.found.subject.clone()).or_default();
        *mark = one.found.mark.max(*mark);
    }
    marks
}

fn finding(held: Held) -> Finding {
    let Found { rule, mark, text, links, .. } = held.found;
    let text = match held.over {
        Some(over) => format!("{text} (over for {})", rounded(over)),
        None if held.lasted > holds::HOLD_WARN => format!("{text}, for {}", rounded(held.lasted)),
        None => text,
    };
    // A finding that is over needs nobody at once.
    let mark = if held.over.is_some() { mark.min(Mark::Warn) } else { mark };
    Finding { rule, mark, text, links }
}
