//! Which method a request of plain HTTP is for, by the rules of `google.api.http` in schemas.
//!
//! Limits: 10 000 rules, 128 segments of a path and 100 000 of all. Those beyond, those that are wrong, and
//! those whose requests an earlier one takes, are left out.

use polywire_formats::{
    rest::{Binding, Rule, Trie},
    schema::{MethodSchema, Pool},
};

const MOST: usize = 10_000;
const MOST_SEGMENTS: usize = 100_000;
/// The search for a path goes down as deep.
const MOST_OF_A_PATH: usize = 128;

/// The rules of all methods of a pool.
#[derive(Default)]
pub(crate) struct Rules {
    templates: Trie,
    ways: Vec<Way>,
    left_out: usize,
}

/// One rule of a method.
pub(crate) struct Way {
    verb: Box<str>,
    /// The place of the method in the pool, and of the rule in the method.
    pub method: usize,
    pub rule: usize,
}

impl Rules {
    pub fn of(pool: &Pool) -> Rules {
        let (mut rules, mut segments) = (Rules::default(), 0);
        for (place, method) in pool.methods().enumerate() {
            let Ok(of_method) = Binding::of_option(method.http) else {
                rules.left_out += 1;
                continue;
            };
            for (k, rule) in of_method.iter().enumerate() {
                let added = checked(rule, method).filter(|rule| {
                    let of_path = rule.template().as_segments().len();
                    segments += of_path;
                    of_path <= MOST_OF_A_PATH && segments <= MOST_SEGMENTS && rules.ways.len() < MOST
                });
                let way = Way { verb: rule.verb.into(), method: place, rule: k };
                if added.is_none_or(|added| !rules.add(&added, way)) {
                    rules.left_out += 1;
                }
            }
        }
        rules
    }

    fn add(&mut self, rule: &Rule<'_>, way: Way) -> bool {
        let overlaps = |other| {
            let other = &self.ways[other as usize];
            other.takes(&way.verb) || way.takes(&other.verb)
        };
        let is_added = self.templates.add(rule.template(), self.ways.len() as u32, overlaps).is_ok();
        if is_added {
            self.ways.push(way);
        }
        is_added
    }

    /// The rules in use, and those that were left out.
    pub fn count(&self) -> (usize, usize) {
        (self.ways.len(), self.left_out)
    }

    /// The rule for a request.
    pub fn find(&self, verb: &str, path: &str) -> Option<&Way> {
        let found = self.templates.search(path, |way| self.ways[way as usize].takes(verb))?;
        self.ways.get(found as usize)
    }
}

impl Way {
    fn takes(&self, verb: &str) -> bool {
        match &*self.verb {
            "*" => verb != "OPTIONS",
            "GET" => verb == "GET" || verb == "HEAD",
            own => own == verb,
        }
    }
}

fn checked<'p>(rule: &Binding<'_>, method: MethodSchema<'p>) -> Option<Rule<'p>> {
    Rule::new(rule, method.input, method.output).ok()
}
