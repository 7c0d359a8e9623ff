//! Calls of a run: made, tried, tried again, hedged, ended; and the probes that they cause.

use super::{Answer, Call, Event, Run, Try};
use crate::{client::number, draw::Distribution, measure::CallEnd, retry::Hedge, setup::Health, slab::Id};
use polywire_balance::{End, Endpoint, Failed, Hedged, NoEndpoint, Outcome, Query, Report, Time};
use std::sync::Arc;

impl Run<'_> {
    pub fn draw_next_call(&mut self) {
        let (mut rate, mut until) = (0.0, None);
        for (from, next) in &self.setup.load {
            if Time(0) + *from <= self.now {
                rate = *next;
            } else {
                until = Some(Time(0) + *from);
                break;
            }
        }
        let next = (rate > 0.0).then(|| {
            let wait = Distribution::Exponential { mean: 1.0 / rate }.seconds(&mut self.load);
            self.now + wait
        });
        match (next, until) {
            (Some(next), until) if until.is_none_or(|until| next < until) => {
                self.events.add(next, Event::Begin)
            }
            (_, Some(until)) => self.events.add(until, Event::LoadChanges),
            _ => {}
        }
    }

    pub fn call(&mut self) {
        let client = self.load.u32(..self.clients.len() as u32);
        let work = self.setup.work.draw(&mut self.load);
        let (open, tried) = (Vec::new(), Vec::new());
        let call =
            self.calls.insert(Call { client, began: self.now, work, tries: 0, open, tried, hedge: None });
        let tries = &self.clients[client as usize].tries;
        tries.call(self.now);
        let hedge_after = match (self.setup.hedge, &tries.hedger) {
            (Hedge::Fixed(delay), _) => Some(delay),
            (_, Some(hedger)) => hedger.begin(self.now, 0),
            _ => None,
        };
        self.after(self.setup.deadline, Event::Deadline(call));
        self.make_try(call);
        if let Some(delay) = hedge_after {
            self.after(delay, Event::Hedge(call));
        }
    }

    pub fn hedge(&mut self, id: Id) {
        let Some(call) = self.calls.get_mut(id) else { return };
        let hedger = &self.clients[call.client as usize].tries.hedger;
        if hedger.as_ref().is_none_or(|hedger| hedger.may_hedge(self.now)) && !call.open.is_empty() {
            let hedge = self.make_try(id);
            if let Some(call) = self.calls.get_mut(id) {
                call.hedge = hedge;
            }
        }
    }

    pub fn make_try(&mut self, id: Id) -> Option<Id> {
        let call = self.calls.get_mut(id)?;
        let client = &mut self.clients[call.client as usize];
        let (now, random) = (self.now, &mut self.choice);
        let mut query = Query { now, random, key: None, tried: &call.tried, thread: 0 };
        let mut picked = client.picker.pick(&mut query).cloned();
        if picked.is_err() && client.use_unchecked(now) {
            picked = client.picker.pick(&mut query).cloned();
        }
        let endpoint = match picked {
            Ok(endpoint) => endpoint,
            Err(NoEndpoint::Recovering) => {
                self.end_call(id, false, End::GivenUp);
                return None;
            }
            Err(_) => {
                client.waiting.push(id);
                return None;
            }
        };
        let probes = client.picker.probes(&mut query);
        let server = number(&endpoint) as u32;
        let try_ =
            self.tries.insert(Try { call: id, endpoint: endpoint.clone(), server, picked: now, job: None });
        call.tries += 1;
        call.open.push(try_);
        call.tried.push(endpoint);
        let (client, work, began) = (call.client, call.work, call.began);
        let way = self.way(client, server);
        self.after(way, Event::Arrive { try_, client, server, work });
        if let Some(timeout) = self.setup.try_timeout {
            self.after(timeout, Event::TryTimeout(try_));
        }
        for endpoint in probes {
            self.measured.probes += 1;
            let way = self.way(client, number(&endpoint) as u32);
            self.after(way, Event::Probe { client, endpoint });
        }
        if self.is_measured(began) {
            self.measured.tries[server as usize] += 1;
            self.measured.tries_at.push((now, server));
            let same = self.clients[client as usize].zone == self.servers[server as usize].zone;
            self.measured.across += u64::from(!same);
        }
        Some(try_)
    }

    pub fn try_timeout(&mut self, id: Id) {
        let Some(try_) = self.tries.get_mut(id) else { return };
        let (call, server, job) = (try_.call, try_.server, try_.job);
        if let Some(client) = self.calls.get_mut(call).map(|call| call.client) {
            self.cancel_later(client, server, job);
        }
        self.answer(id, Answer::Failed);
    }

    /// Tells the server that an answer is no longer wanted.
    pub fn cancel_later(&mut self, client: u32, server: u32, job: Option<Id>) {
        if let Some(job) = job.filter(|_| self.setup.cancels) {
            let way = self.way(client, server);
            self.after(way, Event::Cancel { server, job });
        }
    }

    pub fn answer(&mut self, id: Id, answer: Answer) {
        let Some(try_) = self.tries.remove(id) else { return };
        let call = self.calls.get_mut(try_.call).expect("a call outlives its tries");
        call.open.retain(|open| *open != id);
        let client = call.client;
        if answer == Answer::Good {
            let hedged =
                call.hedge.map_or(Hedged::No, |hedge| if hedge == id { Hedged::Won } else { Hedged::Lost });
            self.end_try(client, &try_, End::Answered);
            self.note_latency(try_.call, hedged);
            self.end_call(try_.call, true, End::GivenUp);
            return;
        }
        if answer == Answer::Refused {
            self.lost(client, try_.server, false);
        }
        let failed = self.failure(try_.call);
        let end = if answer == Answer::Overloaded { End::Overloaded(failed) } else { End::Failed(failed) };
        self.end_try(client, &try_, end);
        let Some(call) = self.calls.get_mut(try_.call) else { return };
        if !call.open.is_empty() {
            return;
        }
        let made = call.tries;
        match self.clients[client as usize].tries.again(made, self.now, &mut self.choice) {
            Some(wait) => self.after(wait, Event::Again(try_.call)),
            None => self.end_call(try_.call, false, End::GivenUp),
        }
    }

    /// A call has ended by an answer or by its time limit.
    pub fn note_latency(&mut self, id: Id, hedged: Hedged) {
        let Some(call) = self.calls.get_mut(id) else { return };
        if let Some(hedger) = &self.clients[call.client as usize].tries.hedger {
            hedger.ended(self.now, self.now.since(call.began), hedged);
        }
    }

    pub fn failure(&mut self, call: Id) -> Failed {
        let made = self.calls.get_mut(call).map_or(1, |call| call.tries);
        let tries_left = self.setup.retry.most_tries().saturating_sub(made);
        Failed { timeout: self.setup.deadline, tries_before: made.saturating_sub(1), tries_left }
    }

    /// Tells the picker how a try has ended.
    pub fn end_try(&mut self, client: u32, try_: &Try, end: End) {
        let outcome = Outcome { picked: try_.picked, now: self.now, end };
        let client = &self.clients[client as usize];
        client.picker.ended(&try_.endpoint, &outcome);
        if let Some(breaker) = client.breakers.get(try_.server as usize)
            && let Some(isolation) = breaker.ended(&outcome)
        {
            try_.endpoint.state().isolate(isolation.until);
        }
    }

    pub fn deadline(&mut self, call: Id) {
        let Some(ended) = self.calls.get_mut(call) else { return };
        let hedged = ended.hedge.map_or(Hedged::No, |_| Hedged::Lost);
        self.note_latency(call, hedged);
        let end = End::Failed(self.failure(call));
        self.end_call(call, false, end);
    }

    /// Ends a call. Tries that are still open end as said.
    pub fn end_call(&mut self, id: Id, answered: bool, open: End) {
        let Some(call) = self.calls.remove(id) else { return };
        for id in call.open {
            let Some(try_) = self.tries.remove(id) else { continue };
            self.end_try(call.client, &try_, open);
            self.cancel_later(call.client, try_.server, try_.job);
        }
        if self.is_measured(call.began) {
            let latency = self.now.since(call.began);
            self.measured.calls.push(CallEnd { began: call.began, latency, answered });
        }
    }

    pub fn probe(&mut self, client: u32, endpoint: Arc<Endpoint>) {
        let server = number(&endpoint) as u32;
        let asked = &self.servers[server as usize];
        if matches!(asked.health, Health::Down | Health::Silent) {
            return;
        }
        let report = asked.meter.report(self.now);
        let way = self.way(client, server);
        self.after(way, Event::Report { client, endpoint, report });
    }

    pub fn report(&mut self, client: u32, endpoint: &Endpoint, report: Report) {
        let (now, random) = (self.now, &mut self.choice);
        let mut query = Query { now, random, key: None, tried: &[], thread: 0 };
        self.clients[client as usize].picker.probed(endpoint, report, &mut query);
    }
}
