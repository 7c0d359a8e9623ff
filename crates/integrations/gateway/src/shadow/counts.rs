//! What has become of the copies of one shadow.

use super::budget::Budget;
use crate::difference::{Difference, OTHER, Places};
use polywire_base::{Sort, lock};
use polywire_metrics::Counter;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Instant,
};

/// Places that are counted one by one.
const MOST_PLACES: usize = 100;

/// What has become of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It went to the shadow. All further ones but `Dropped` are of copies that were sent, too, if not
    /// `Skipped` before.
    Sent,
    /// There was no room for it, or for its answer.
    Dropped,
    /// It has no form there, or there is nothing to compare it with: the call streams, its caller has given
    /// up, or it had no answer.
    Skipped,
    /// Both have answered the same.
    Same,
    Different,
    /// They have answered otherwise, but only where the baseline has, too.
    Noise,
    /// It had no answer.
    Failed,
}

impl Fate {
    pub const ALL: [Fate; 7] =
        [Fate::Sent, Fate::Dropped, Fate::Skipped, Fate::Same, Fate::Different, Fate::Noise, Fate::Failed];

    pub fn name(self) -> &'static str {
        match self {
            Fate::Sent => "sent",
            Fate::Dropped => "dropped",
            Fate::Skipped => "skipped",
            Fate::Same => "same",
            Fate::Different => "different",
            Fate::Noise => "noise",
            Fate::Failed => "failed",
        }
    }
}

pub(crate) struct Counts {
    pub route: Arc<str>,
    pub to: Arc<str>,
    pub budget: Budget,
    fates: [Counter; Fate::ALL.len()],
    places: Mutex<Places<Place>>,
    last_different: Mutex<Option<Instant>>,
}

/// How often answers differ in one place.
#[derive(Clone, Default)]
struct Place {
    /// That of the shadow from that of the call.
    different: u64,
    /// That of the baseline from that of the call.
    noise: u64,
    example: Option<[String; 2]>,
}

impl Place {
    /// Whether the shadow differs there more often than servers do that are the same: by half more.
    fn stands_out(&self) -> bool {
        2 * self.different > 3 * self.noise
    }
}

impl Counts {
    pub fn new(route: &str, to: &str) -> Counts {
        Counts {
            route: route.into(),
            to: to.into(),
            budget: Budget::default(),
            fates: Default::default(),
            places: Mutex::new(Places::at_most(MOST_PLACES)),
            last_different: Mutex::new(None),
        }
    }

    pub fn add(&self, fate: Fate) {
        self.fates[fate as usize].add(1);
    }

    /// Two answers were compared. `noise`: the places where the baseline differs. Returns what that makes of
    /// the copy.
    pub fn compared(&self, found: Vec<Difference>, noise: Vec<String>, shows_values: bool) -> Fate {
        let mut places = lock(&self.places);
        places.each(noise.clone(), |place| place.noise += 1);
        places.each(found.iter().map(|one| one.place.clone()).collect(), |place| place.different += 1);
        if found.is_empty() {
            self.add(Fate::Same);
            return Fate::Same;
        }
        let is_noise = |one: &Difference| noise.iter().any(|noise| covers(noise, &one.place));
        let mut is_different = false;
        for one in found.into_iter().filter(|one| !is_noise(one)) {
            let known = places.get(&one.place).or_else(|| places.get(OTHER));
            is_different |= known.is_some_and(Place::stands_out);
            if shows_values {
                places.each(vec![one.place], |place| {
                    place.example = Some([one.left.clone(), one.right.clone()])
                });
            }
        }
        let fate = if is_different { Fate::Different } else { Fate::Noise };
        self.add(fate);
        if is_different {
            *lock(&self.last_different) = Some(Instant::now());
        }
        fate
    }

    pub fn total(&self, fate: Fate) -> u64 {
        self.fates[fate as usize].total()
    }

    pub fn figures(&self) -> ShadowFigures {
        let shown = |(place, counted): (&String, &Place)| PlaceFigures {
            place: place.clone(),
            different: counted.different,
            noise: counted.noise,
            stands_out: counted.different > 0 && counted.stands_out(),
            example: counted.example.clone(),
        };
        let mut places: Vec<_> = lock(&self.places).iter().map(shown).collect();
        places
            .order_by(|one, other| (other.stands_out, other.different).cmp(&(one.stands_out, one.different)));
        ShadowFigures {
            route: self.route.clone(),
            to: self.to.clone(),
            sent: self.total(Fate::Sent),
            dropped: self.total(Fate::Dropped),
            skipped: self.total(Fate::Skipped),
            same: self.total(Fate::Same),
            different: self.total(Fate::Different),
            noise: self.total(Fate::Noise),
            failed: self.total(Fate::Failed),
            places,
            last_different: *lock(&self.last_different),
        }
    }
}

/// Whether a difference at `noise` is one of `place`, too: it is the same, or around it.
fn covers(noise: &str, place: &str) -> bool {
    place.strip_prefix(noise).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Copies by route and by what has become of them. Two shadows of one route, the one before and the one after
/// another file, are one.
pub(crate) fn by_route(all: &[Arc<Counts>]) -> BTreeMap<&str, [u64; Fate::ALL.len()]> {
    let mut routes: BTreeMap<&str, [u64; Fate::ALL.len()]> = BTreeMap::new();
    for counts in all {
        let sums = routes.entry(&counts.route).or_default();
        Fate::ALL.into_iter().zip(sums).for_each(|(fate, sum)| *sum += counts.total(fate));
    }
    routes
}

/// What has become of the copies of one shadow, since it began.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ShadowFigures {
    pub route: Arc<str>,
    pub to: Arc<str>,
    /// By [`Fate`].
    pub sent: u64,
    pub dropped: u64,
    pub skipped: u64,
    pub same: u64,
    pub different: u64,
    pub noise: u64,
    pub failed: u64,
    /// Where answers differ: first those where they do more often than the baseline, then by number. At most
    /// 100, and one for all others.
    pub places: Vec<PlaceFigures>,
    /// When an answer was [`Fate::Different`] for the last time.
    pub last_different: Option<Instant>,
}

/// How often answers differ in one place.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlaceFigures {
    /// `status`, `header:NAME`, `attachment`, `body`, or the path of a field, such as `items[].price`. In
    /// place of the key of a map it has `*`.
    pub place: String,
    /// Answers of the shadow that differ there.
    pub different: u64,
    /// Answers of the baseline that differ there.
    pub noise: u64,
    /// Whether the shadow differs more often.
    pub stands_out: bool,
    /// The last values, that of the call first, if they are [shown](super::Shadow::show_values).
    pub example: Option<[String; 2]>,
}
