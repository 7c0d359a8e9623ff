//! Handshakes of ZMTP that authenticate the peer.
//!
//! Keys and "random" bytes are always the same, so that a seed can contain a whole handshake of CURVE: what
//! the other side has written can be decrypted, and changes after that point are tested, too.

use crate::play_told;
use polywire_protocols::zmtp::{Delivery, Kind, PROTOCOL, SecretKey, Security, Settings, Socket};
use polywire_wire::{Extensions, Role};
use std::sync::Arc;

/// The settings for PLAIN of a machine in this role.
pub fn plain(role: Role) -> Settings {
    let security = match role {
        Role::Server => Security::PlainServer,
        Role::Client => Security::PlainClient { user: "user".to_owned(), password: "pass".to_owned().into() },
    };
    settings(role, security)
}

/// The settings for CURVE of a machine in this role.
pub fn curve(role: Role) -> Settings {
    let (ours, theirs) = (SecretKey::from_random(&[1; 32]), SecretKey::from_random(&[2; 32]));
    let security = match role {
        Role::Server => Security::CurveServer { secret: theirs },
        Role::Client => Security::CurveClient { server: theirs.public(), secret: ours },
    };
    settings(role, security)
}

/// Plays one input against a machine with these settings.
pub fn play(told: fn(Role) -> Settings, input: &[u8]) {
    let extensions = |role| {
        let mut extensions = Extensions::default();
        extensions.insert(Arc::new(told(role)));
        Some(extensions)
    };
    play_told(&PROTOCOL, "", extensions, input);
}

fn settings(role: Role, security: Security) -> Settings {
    let sockets = match role {
        Role::Client => vec![Socket { kind: Kind::Dealer, delivery: Delivery::Calls }],
        Role::Server => vec![
            Socket { kind: Kind::Rep, delivery: Delivery::Calls },
            Socket { kind: Kind::Pull, delivery: Delivery::Messages },
            Socket { kind: Kind::Pub, delivery: Delivery::Messages },
        ],
    };
    let random = |bytes: &mut [u8]| {
        bytes.iter_mut().zip(1..).for_each(|(byte, n)| *byte = n);
        true
    };
    Settings { random, max_frames: 8, max_topic: 64, security, ..Settings::new(sockets) }
}
