//! Which calls are those of one client, if it has no identity.

use polywire_engine::Peer;
use std::{
    hash::{BuildHasher, RandomState},
    net::IpAddr,
    sync::LazyLock,
};

/// A number that identifies the host of a peer: made from its IPv4 address, or from the first 64 bits of its
/// IPv6 address, since one host can have all addresses with the same 64 bits. Every peer without an address
/// gets its own number. Peers cannot predict which addresses collide, since the numbers differ from process
/// to process.
pub(crate) fn client_of(peer: &Peer) -> u64 {
    static SEED: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    match peer {
        Peer::Ip(address) => match address.ip().to_canonical() {
            IpAddr::V4(address) => SEED.hash_one(address),
            IpAddr::V6(address) => SEED.hash_one(&address.octets()[..8]),
        },
        other => SEED.hash_one(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_has_one_number_whatever_its_address_looks_like() {
        let of = |address: &str| client_of(&Peer::Ip(address.parse().expect("an address")));
        assert_eq!(of("192.0.2.1:1"), of("192.0.2.1:2"));
        assert_eq!(of("192.0.2.1:1"), of("[::ffff:192.0.2.1]:1"));
        assert_ne!(of("192.0.2.1:1"), of("192.0.2.2:1"));
        assert_eq!(of("[2001:db8:0:1::1]:1"), of("[2001:db8:0:1:ffff:ffff:ffff:ffff]:1"));
        assert_ne!(of("[2001:db8:0:1::1]:1"), of("[2001:db8:0:2::1]:1"));
        // With numbers that everybody can compute, a peer chooses its neighbours. This is what they were
        // before.
        let fixed = foldhash::fast::FixedState::with_seed(0).hash_one(IpAddr::from([192, 0, 2, 1]));
        assert_ne!(of("192.0.2.1:1"), fixed);
    }
}
