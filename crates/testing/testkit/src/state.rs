//! The state that all handles of a network share.

use crate::{
    clock::whole,
    half::{Found, Half},
    log::{Event, EventKind, Log},
    rules::{AllRules, Budget, Direction, Ending, Key, Rules},
};
use bytes::Bytes;
use polywire_server::Running;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
    task::{Poll, Waker},
    time::Duration,
};
use tokio::{runtime, sync::Notify, time::Instant};

/// Largest number of bytes that arrive together.
const PIECE: usize = 16 << 10;
/// The longest delay, a hundred years: a longer one could not be added to the time.
const LONGEST: Duration = Duration::from_secs(100 * 366 * 24 * 60 * 60);

pub(crate) struct Shared {
    state: Mutex<State>,
    /// Notified when a link works again: connections that could not be made wait for that.
    pub healed: Notify,
    pub runtime: runtime::Id,
}

pub(crate) struct State {
    began: Instant,
    random: fastrand::Rng,
    /// The servers by name.
    pub servers: BTreeMap<Arc<str>, Arc<Running>>,
    pub rules: AllRules,
    /// The connections by number.
    wires: BTreeMap<u64, Wire>,
    made: u64,
    /// When all bytes sent so far will have left, by link and direction, where the bandwidth is limited.
    busy: BTreeMap<(Arc<str>, Arc<str>), [Option<Instant>; 2]>,
    log: Log,
}

/// A connection of the network: who has connected to whom, and the bytes under way in both directions.
struct Wire {
    from: Arc<str>,
    to: Arc<str>,
    halves: [Half; 2],
    /// The budget for both directions together.
    budget: Option<Budget>,
    reset: bool,
    /// Whether the server has crashed while the link was interrupted: the client notices it when the link
    /// works again.
    crashed: bool,
    /// Number of ends that were not dropped.
    ends: u8,
}

/// Wakers, to be woken once the lock is released.
pub(crate) type Wakers = Vec<Waker>;

impl Shared {
    pub fn new(seed: u64, runtime: runtime::Id) -> Shared {
        let state = State {
            began: Instant::now(),
            random: fastrand::Rng::with_seed(seed),
            servers: BTreeMap::new(),
            rules: AllRules::default(),
            wires: BTreeMap::new(),
            made: 0,
            busy: BTreeMap::new(),
            log: Log::default(),
        };
        Shared { state: Mutex::new(state), healed: Notify::new(), runtime }
    }

    pub fn lock(&self) -> MutexGuard<'_, State> {
        polywire_base::lock(&self.state)
    }

    /// Changes the state, and wakes the tasks that it concerns.
    pub fn change<R>(&self, change: impl FnOnce(&mut State, &mut Wakers) -> R) -> R {
        let mut wakers = Wakers::new();
        let result = change(&mut self.lock(), &mut wakers);
        wakers.into_iter().for_each(Waker::wake);
        result
    }
}

impl State {
    pub fn note(&mut self, key: &Key, connection: u64, what: EventKind) {
        let from = key.from.clone().unwrap_or_else(|| "".into());
        self.log.add(Event { at: self.began.elapsed(), from, to: key.to.clone(), connection, what });
    }

    fn note_wire(&mut self, id: u64, what: EventKind) {
        let Some(wire) = self.wires.get(&id) else { return };
        let key = Key { from: Some(wire.from.clone()), to: wire.to.clone() };
        self.note(&key, id, what);
    }

    pub fn log(&self) -> Vec<Event> {
        self.log.all()
    }

    /// The delay of something that is sent now.
    pub fn delay(&mut self, from: &Arc<str>, to: &Arc<str>, direction: Direction) -> Duration {
        let rules = self.rules.between(from, to);
        self.delay_by(&rules, direction)
    }

    fn delay_by(&mut self, rules: &Rules, direction: Direction) -> Duration {
        let rule = rules.direction(direction);
        let jitter = rule.jitter.map_or(0, |most| u64::try_from(most.as_nanos()).unwrap_or(u64::MAX));
        let delay = rule.delay.unwrap_or_default();
        whole(delay.saturating_add(Duration::from_nanos(self.random.u64(..=jitter))).min(LONGEST))
    }

    /// Makes a connection; returns its number.
    pub fn connect(&mut self, from: &Arc<str>, to: &Arc<str>) -> u64 {
        self.made += 1;
        let id = self.made;
        let rules = self.rules.between(from, to);
        let half = |direction| Half::new(rules.direction(direction).budget);
        let wire = Wire {
            from: from.clone(),
            to: to.clone(),
            halves: [half(Direction::ToServer), half(Direction::ToClient)],
            budget: rules.budget,
            reset: false,
            crashed: false,
            ends: 2,
        };
        self.wires.insert(id, wire);
        self.note_wire(id, EventKind::Connected);
        id
    }

    /// The number of connections between these that neither end has closed.
    pub fn connections(&self, key: &Key) -> usize {
        let open = |wire: &&Wire| wire.ends == 2 && !wire.reset && key.is_of(&wire.from, &wire.to);
        self.wires.values().filter(open).count()
    }

    /// Reads the bytes that have arrived.
    pub fn read(
        &mut self,
        id: u64,
        direction: Direction,
        most: usize,
        waker: &Waker,
        wakers: &mut Wakers,
    ) -> Reading {
        let Some(wire) = self.wires.get_mut(&id) else { return Reading::Reset };
        if wire.reset {
            return Reading::Reset;
        }
        let partition = self.rules.between(&wire.from, &wire.to).direction(direction).partition;
        let half = &mut wire.halves[direction as usize];
        match half.take(Instant::now(), partition, most) {
            Found::Bytes(bytes) => {
                wakers.extend(half.writer());
                Reading::Bytes(bytes)
            }
            Found::End => Reading::End,
            Found::Later(at) => {
                half.wait_to_read(waker);
                Reading::Later(at)
            }
        }
    }

    /// Sends as much as there is room for.
    pub fn write(
        &mut self,
        id: u64,
        direction: Direction,
        bytes: Bytes,
        waker: &Waker,
        wakers: &mut Wakers,
    ) -> Poll<Result<usize, Lost>> {
        let Some(wire) = self.wires.get_mut(&id) else { return Poll::Ready(Err(Lost::Reset)) };
        let now = Instant::now();
        let rules = self.rules.between(&wire.from, &wire.to);
        let half = &mut wire.halves[direction as usize];
        if wire.reset {
            return Poll::Ready(Err(Lost::Reset));
        }
        if half.is_ended() || half.is_known_unread(now, rules.direction(direction.back()).partition) {
            return Poll::Ready(Err(Lost::Closed));
        }
        if half.is_unread() {
            return Poll::Ready(Ok(bytes.len())); // the reset has not arrived yet
        }
        let n = bytes.len().min(half.room());
        if n == 0 {
            half.wait_to_write(waker);
            return Poll::Pending;
        }
        if half.silent {
            half.lose(n);
            return Poll::Ready(Ok(n));
        }
        let (passes, fate) = spend([&mut wire.budget, &mut half.budget], n);
        let both = wire.budget.is_some_and(|budget| budget.bytes == 0);
        self.send(id, direction, bytes.slice(..passes), &rules, now, wakers);
        if passes > 0 {
            self.note_wire(
                id,
                EventKind::Sent { to_server: direction == Direction::ToServer, bytes: passes },
            );
        }
        match fate {
            Some(Ending::Reset) => self.reset(id, wakers),
            Some(Ending::Silence) => {
                let directions = if both { Direction::BOTH } else { &[direction] };
                directions.iter().for_each(|direction| self.silence(id, *direction));
                let wire = self.wires.get_mut(&id).expect("found above");
                wire.halves[direction as usize].lose(n - passes);
            }
            None => {}
        }
        Poll::Ready(Ok(n))
    }

    /// Puts bytes in transit.
    fn send(
        &mut self,
        id: u64,
        direction: Direction,
        mut bytes: Bytes,
        rules: &Rules,
        now: Instant,
        wakers: &mut Wakers,
    ) {
        while !bytes.is_empty() {
            let piece = bytes.split_to(bytes.len().min(PIECE));
            let delay = self.delay_by(rules, direction);
            let wire = self.wires.get_mut(&id).expect("the caller has it");
            let mut leaves = now;
            if let Some(bandwidth) = rules.direction(direction).bandwidth {
                let link = (wire.from.clone(), wire.to.clone());
                let busy = &mut self.busy.entry(link).or_default()[direction as usize];
                let takes = Duration::from_secs_f64(piece.len() as f64 / bandwidth as f64);
                leaves = busy.map_or(now, |busy| busy.max(now)) + takes;
                *busy = Some(leaves);
            }
            let half = &mut wire.halves[direction as usize];
            let arrives = half.arrival(now + whole(leaves + delay - now));
            half.push(arrives, piece);
            wakers.extend(half.reader());
        }
    }

    /// Loses everything that is sent in this direction from now on.
    pub fn silence(&mut self, id: u64, direction: Direction) {
        let Some(wire) = self.wires.get_mut(&id) else { return };
        if !std::mem::replace(&mut wire.halves[direction as usize].silent, true) {
            self.note_wire(id, EventKind::Silent { to_server: direction == Direction::ToServer });
        }
    }

    /// Marks a connection as reset; both ends learn of it at once.
    pub fn reset(&mut self, id: u64, wakers: &mut Wakers) {
        let Some(wire) = self.wires.get_mut(&id) else { return };
        for half in &mut wire.halves {
            wakers.extend(half.reader().into_iter().chain(half.writer()));
        }
        if !std::mem::replace(&mut wire.reset, true) {
            self.note_wire(id, EventKind::Reset);
        }
    }

    /// An end closes its write side.
    pub fn shut(&mut self, id: u64, direction: Direction, wakers: &mut Wakers) {
        let Some(wire) = self.wires.get_mut(&id) else { return };
        let half = &wire.halves[direction as usize];
        if half.is_ended() || half.silent || wire.reset {
            return;
        }
        let link = (wire.from.clone(), wire.to.clone());
        let rules = self.rules.between(&link.0, &link.1);
        let arrives = Instant::now() + self.delay_by(&rules, direction);
        let half = &mut self.wires.get_mut(&id).expect("found above").halves[direction as usize];
        half.end(half.arrival(arrives));
        wakers.extend(half.reader());
        self.note_wire(id, EventKind::Closed { by_client: direction == Direction::ToServer });
    }

    /// The end that writes this way was dropped.
    pub fn close(&mut self, id: u64, direction: Direction, wakers: &mut Wakers) {
        self.shut(id, direction, wakers);
        let Some(wire) = self.wires.get(&id) else { return };
        let link = (wire.from.clone(), wire.to.clone());
        let told = Instant::now() + self.delay(&link.0, &link.1, direction);
        let wire = self.wires.get_mut(&id).expect("found above");
        let silent = wire.halves[direction as usize].silent;
        let unread = &mut wire.halves[direction.back() as usize];
        if silent {
            unread.silent = true; // the other end does not learn that nothing is read
        } else {
            unread.stop_reading(told);
            wakers.extend(unread.writer());
        }
        wire.ends -= 1;
        if wire.ends == 0 {
            self.wires.remove(&id);
        }
    }

    /// The numbers of the connections between these.
    pub fn between(&self, key: &Key) -> Vec<u64> {
        self.wires.iter().filter(|(_, wire)| key.is_of(&wire.from, &wire.to)).map(|(id, _)| *id).collect()
    }

    /// Sets the budget of existing connections.
    pub fn set_budget(&mut self, key: &Key, direction: Option<Direction>, budget: Option<Budget>) {
        for wire in self.wires.values_mut().filter(|wire| key.is_of(&wire.from, &wire.to)) {
            match direction {
                Some(direction) => wire.halves[direction as usize].budget = budget,
                None => wire.budget = budget,
            }
        }
    }

    /// Interrupts a direction, or lets it work again.
    pub fn partition(&mut self, key: &Key, direction: Direction, on: bool, wakers: &mut Wakers) {
        let now = Instant::now();
        let ids = self.between(key);
        let since = |state: &State, id: &u64| {
            let wire = state.wires.get(id)?;
            state.rules.between(&wire.from, &wire.to).direction(direction).partition
        };
        let before: Vec<_> = ids.iter().map(|id| since(self, id)).collect();
        let rule = self.rules.entry(key).direction_mut(direction);
        rule.partition = if on { rule.partition.or(Some(now)) } else { None };
        for (id, before) in ids.iter().zip(before) {
            let (Some(before), None) = (before, since(self, id)) else { continue };
            let wire = &self.wires[id];
            let link = (wire.from.clone(), wire.to.clone());
            let delay = self.delay(&link.0, &link.1, direction);
            let wire = self.wires.get_mut(id).expect("found above");
            let half = &mut wire.halves[direction as usize];
            half.send_again(before, now, delay);
            wakers.extend(half.reader());
            if direction == Direction::ToClient && wire.crashed {
                self.reset(*id, wakers);
            }
        }
    }

    /// The program of this name has crashed.
    pub fn crash(&mut self, name: &str, wakers: &mut Wakers) {
        let its = |wire: &Wire| *wire.to == *name || *wire.from == *name;
        let ids: Vec<_> = self.wires.iter().filter(|(_, wire)| its(wire)).map(|(id, _)| *id).collect();
        for id in ids {
            let wire = &self.wires[&id];
            let rules = self.rules.between(&wire.from, &wire.to);
            if *wire.to == *name && rules.direction(Direction::ToClient).partition.is_some() {
                self.wires.get_mut(&id).expect("found above").crashed = true;
                self.silence(id, Direction::ToClient);
                self.silence(id, Direction::ToServer);
            } else {
                self.reset(id, wakers);
            }
        }
    }
}

/// The result of a read.
pub(crate) enum Reading {
    Bytes(Bytes),
    End,
    Reset,
    /// No bytes before this time; without a time, none before the reader is woken.
    Later(Option<Instant>),
}

/// The reason why nothing can be written.
pub(crate) enum Lost {
    Reset,
    Closed,
}

/// Takes `n` bytes off each budget. Returns how many of them pass, and the event after them.
fn spend(budgets: [&mut Option<Budget>; 2], n: usize) -> (usize, Option<Ending>) {
    let left = budgets.iter().filter_map(|budget| budget.as_ref().map(|budget| budget.bytes)).min();
    let passes = left.map_or(n, |left| n.min(usize::try_from(left).unwrap_or(n)));
    let mut fate = None;
    for budget in budgets.into_iter().flatten() {
        budget.bytes -= passes as u64;
        if passes < n && budget.bytes == 0 {
            fate = Some(budget.fate);
        }
    }
    (passes, fate)
}
