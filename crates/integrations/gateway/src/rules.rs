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
/// Rules of which it is said why they are left out, and bytes of what is said of one.
const MOST_SAID: usize = 20;
const LONGEST_SAID: usize = 500;

/// The rules of all methods of a pool.
#[derive(Default)]
pub(crate) struct Rules {
    templates: Trie,
    ways: Vec<Way>,
    left_out: usize,
    /// Why, of the first of them.
    said: Vec<Box<str>>,
}

/// One rule of a method.
pub(crate) struct Way {
    /// `*`: any but OPTIONS.
    pub verb: Box<str>,
    /// The place of the method in the pool, and of the rule in the method.
    pub method: usize,
    pub rule: usize,
}

impl Rules {
    pub fn of(pool: &Pool) -> Rules {
        let (mut rules, mut segments) = (Rules::default(), 0);
        for (place, method) in pool.methods().enumerate() {
            let of_method = match Binding::of_option(method.http) {
                Ok(of_method) => of_method,
                Err(wrong) => {
                    rules.leave_out(method, None, &wrong);
                    continue;
                }
            };
            for (k, binding) in of_method.iter().enumerate() {
                let way = Way { verb: binding.verb.into(), method: place, rule: k };
                let added = Rule::new(binding, method.input, method.output)
                    .and_then(|rule| rules.add(&rule, way, &mut segments, pool));
                if let Err(why) = added {
                    rules.leave_out(method, Some(binding), &why);
                }
            }
        }
        rules
    }

    /// `segments`: of all paths so far.
    ///
    /// # Errors
    /// Why it is left out.
    fn add(&mut self, rule: &Rule<'_>, way: Way, segments: &mut usize, pool: &Pool) -> Result<(), String> {
        let of_path = rule.template().as_segments().len();
        *segments += of_path;
        if of_path > MOST_OF_A_PATH || *segments > MOST_SEGMENTS || self.ways.len() >= MOST {
            return Err(format!(
                "at most {MOST} rules are used, with {MOST_OF_A_PATH} segments each and {MOST_SEGMENTS} in all"
            ));
        }
        let overlaps = |other| {
            let other = &self.ways[other as usize];
            other.takes(&way.verb) || way.takes(&other.verb)
        };
        self.templates.add(rule.template(), self.ways.len() as u32, overlaps).map_err(|other| {
            let other = pool.method_at(self.ways[other as usize].method);
            format!("{}/{} takes the same requests", other.service, other.method)
        })?;
        self.ways.push(way);
        Ok(())
    }

    #[cold]
    fn leave_out(&mut self, method: MethodSchema<'_>, binding: Option<&Binding<'_>>, why: &str) {
        self.left_out += 1;
        if self.said.len() < MOST_SAID {
            let rule = binding.map(|rule| format!(" \"{} {}\"", rule.verb, rule.path)).unwrap_or_default();
            let text = format!("HTTP rule{rule} of {}/{}: {why}", method.service, method.method);
            self.said.push(polywire_call::bounded(&text, LONGEST_SAID).into());
        }
    }

    /// The rules in use, and those that were left out.
    pub fn count(&self) -> (usize, usize) {
        (self.ways.len(), self.left_out)
    }

    /// The first of those that were left out, and why.
    pub fn left_out(&self) -> &[Box<str>] {
        &self.said
    }

    /// The rule for a request.
    pub fn find(&self, verb: &str, path: &str) -> Option<&Way> {
        let found = self.templates.search(path, |way| self.ways[way as usize].takes(verb))?;
        self.ways.get(found as usize)
    }

    /// The rules whose path this is, whatever their verbs.
    pub fn of_path(&self, path: &str) -> Vec<&Way> {
        let mut ways = Vec::new();
        self.templates.search(path, |way| {
            ways.push(&self.ways[way as usize]);
            false
        });
        ways
    }

    /// Whether the path of a rule begins with this segment.
    pub fn begin_with(&self, segment: &str) -> bool {
        self.templates.names(segment)
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
