//! Our client against our server on a simulated network: split writes, delays, stalls, closed connections.

use super::{client_with, server_with};
use polywire_machine_testing::{Call, End, Fate, FaultPlan, MachinePair, Random, Seen, Side, pass};
use polywire_wire::Limits;
use std::{collections::BTreeMap, time::Duration};

const CALLS: usize = 20;

/// Bodies of many lengths, from nothing to several windows.
fn bodies(random: &mut Random) -> Vec<Vec<u8>> {
    (0..CALLS)
        .map(|n| {
            let length = *random.pick(&[0, 1, 100, 5000, 70_000]);
            vec![n as u8; length + random.below(10)]
        })
        .collect()
}

/// The body of each call's reply at the client, or `None` if it failed.
fn ends(seen: &[(End, Seen)]) -> BTreeMap<u32, Vec<Option<Vec<u8>>>> {
    let mut ends = BTreeMap::<_, Vec<_>>::new();
    for (end, seen) in seen {
        match (end, seen) {
            (End::Client, Seen::Finish { exchange, outcome }) => {
                let body = outcome.status.is_ok().then(|| outcome.body.0.clone());
                ends.entry(exchange.slot).or_default().push(body);
            }
            (End::Client, Seen::Reset { exchange, .. }) => ends.entry(exchange.slot).or_default().push(None),
            _ => {}
        }
    }
    ends
}

fn play(limits: Limits, room: usize, plan: FaultPlan, bodies: &[Vec<u8>]) -> (MachinePair, Vec<(End, Seen)>) {
    let (mut client, mut server) = (client_with(limits).with_room(room), server_with(limits).with_room(room));
    // Until the server's SETTINGS have come, there is one stream.
    for _ in 0..3 {
        client.events();
        pass(&mut client, &mut server);
        server.events();
        pass(&mut server, &mut client);
    }
    let mut net = MachinePair::new(client, server, plan.clone(), plan);
    for body in bodies {
        net.client.call(&Call::new("S", "M").body(body));
    }
    let seen = net.run(Duration::from_secs(50), |side: &mut Side, _, seen| super::echo(side, seen));
    (net, seen)
}

#[test]
fn all_calls_end_well_whatever_the_network_does_to_pieces() {
    for seed in 0..4 {
        let mut random = Random::new(seed);
        let bodies = bodies(&mut random);
        let limits = Limits::default().window(*random.pick(&[3000, 64 << 10, 1 << 20]));
        let room = *random.pick(&[100, 20_000, 1 << 20]);
        let plan = FaultPlan::new(seed)
            .pieces(*random.pick(&[4000, 9000, 100_000]))
            .stalls(7)
            .capacity(60_000)
            .delay(Duration::ZERO..Duration::from_millis(20));
        let (net, seen) = play(limits, room, plan, &bodies);
        let ends = ends(&seen);
        for (slot, body) in bodies.iter().enumerate() {
            let ended = ends.get(&(slot as u32)).map(Vec::as_slice);
            assert!(ended == Some(&[Some(body.clone())]), "seed {seed}, call {slot} of {} bytes", body.len());
        }
        assert_eq!((net.client.held(), net.server.held()), (0, 0), "seed {seed}");
        assert_eq!(net.client.vacancies(), 1000);
    }
}

#[test]
fn a_connection_that_ends_anywhere_ends_every_call_at_most_once() {
    let mut random = Random::new(9);
    let bodies = bodies(&mut random);
    for round in 0..30 {
        let bytes = (round * round * 200) as u64 + random.below(100) as u64;
        let plan = FaultPlan::new(round as u64).pieces(20_000).after(bytes, Fate::End);
        let (_, seen) = play(Limits::default(), 1 << 20, plan, &bodies);
        let ends = ends(&seen);
        assert!(ends.values().all(|ends| ends.len() == 1), "round {round}");
        for (slot, ended) in &ends {
            let whole = ended.iter().flatten().all(|body| *body == bodies[*slot as usize]);
            assert!(whole, "round {round}: half a reply is no reply");
        }
        assert_eq!(ends.len(), CALLS, "round {round}: nobody waits for ever");
    }
}
