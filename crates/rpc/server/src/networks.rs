//! The networks whose peers may connect.

use polywire_call::ConfigError;
use polywire_engine::transport::Peer;
use std::net::IpAddr;

/// Networks, each an address (`10.1.2.3`, `fd00::1`) or the addresses with the same beginning (`10.0.0.0/8`,
/// `fd00::/8`).
///
/// ```
/// # mod polywire { pub use polywire_server::*; }
/// use polywire::Networks;
///
/// let networks = Networks::default().allow("10.0.0.0/8").allow("127.0.0.1");
/// // Server::new().peers(networks)
/// # assert!(networks.check().is_ok());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[must_use]
pub struct Networks {
    known: Vec<Network>,
    /// The first text that is none.
    wrong: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Network {
    /// That of IPv4 as it is mapped into IPv6.
    first: u128,
    /// The number of bits that an address may have as it likes.
    free: u32,
}

impl Networks {
    /// Lets the peers of a network connect. May be called several times. With a text that is no network a
    /// server does not start ([`Networks::check`]).
    pub fn allow(mut self, network: &str) -> Self {
        match Network::of(network) {
            Ok(network) => self.known.push(network),
            Err(wrong) => self.wrong = self.wrong.or(Some(wrong)),
        }
        self
    }

    /// Checks them, as a server does before it starts.
    ///
    /// # Errors
    /// One is no network, or there is none.
    pub fn check(&self) -> Result<(), ConfigError> {
        match &self.wrong {
            Some(wrong) => Err(ConfigError::new("networks", wrong.clone())),
            None if self.known.is_empty() => {
                Err(ConfigError::new("networks", "there is none: nobody could connect".to_owned()))
            }
            None => Ok(()),
        }
    }

    /// Whether a peer may connect: also one without an address, who has come by a socket in the file system
    /// or within the process.
    pub(crate) fn let_in(&self, peer: &Peer) -> bool {
        let Peer::Ip(address) = peer else { return true };
        let bits = bits(address.ip());
        self.known.iter().any(|network| network.has(bits))
    }
}

impl Network {
    fn of(text: &str) -> Result<Network, String> {
        let wrong =
            |why: &str| Err(format!("{text:?} is no network{why}: write 10.0.0.0/8, fd00::/8 or an address"));
        let (address, length) = text.split_once('/').map_or((text, None), |(ip, length)| (ip, Some(length)));
        let Ok(ip) = address.parse::<IpAddr>() else { return wrong("") };
        let all = if ip.is_ipv4() { 32 } else { 128 };
        let is_number = |length: &str| length.bytes().all(|byte| byte.is_ascii_digit()); // `+8` parses, too
        let length = length.map_or(Some(all), |text| text.parse().ok().filter(|_| is_number(text)));
        let Some(free) = length.and_then(|length: u32| all.checked_sub(length)) else {
            return wrong(&format!(", whose length is from 0 to {all}"));
        };
        let network = Network { first: bits(ip), free };
        match network.first & !network.mask() {
            0 => Ok(network),
            // Whoever writes 10.1.2.3/8 means one of two things.
            _ => wrong(", since its address goes on behind its length"),
        }
    }

    /// The bits that are the same in all addresses.
    fn mask(self) -> u128 {
        u128::MAX.checked_shl(self.free).unwrap_or(0)
    }

    fn has(self, bits: u128) -> bool {
        bits & self.mask() == self.first
    }
}

fn bits(ip: IpAddr) -> u128 {
    let ip = match ip {
        IpAddr::V4(ip) => ip.to_ipv6_mapped(),
        IpAddr::V6(ip) => ip,
    };
    ip.to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lets_in(networks: &[&str], ip: &str) -> bool {
        let networks = networks.iter().fold(Networks::default(), |all, network| all.allow(network));
        networks.check().expect("networks");
        networks.let_in(&Peer::Ip((ip.parse::<IpAddr>().expect("an address"), 7).into()))
    }

    #[test]
    fn a_network_has_the_addresses_with_its_beginning_and_no_others() {
        let (four, six) = (["10.0.0.0/8", "192.168.7.9"], ["fd00:1::/32"]);
        for ip in ["10.0.0.0", "10.255.255.255", "192.168.7.9", "::ffff:10.1.2.3"] {
            assert!(lets_in(&four, ip) && !lets_in(&six, ip), "{ip}");
        }
        for ip in
            ["9.255.255.255", "11.0.0.0", "192.168.7.8", "192.168.7.10", "::10.1.2.3", "a00::", "fd00:1::7"]
        {
            assert!(!lets_in(&four, ip), "{ip}");
        }
        for (ip, is_in) in
            [("fd00:1::", true), ("fd00:1:ffff::1", true), ("fd00:2::", false), ("fd00::1", false)]
        {
            assert_eq!(lets_in(&six, ip), is_in, "{ip}");
        }
        assert!(lets_in(&["0.0.0.0/0"], "8.8.8.8") && !lets_in(&["0.0.0.0/0"], "2001:db8::1"));
        assert!(lets_in(&["::/0"], "8.8.8.8") && lets_in(&["::/0"], "2001:db8::1"));
    }

    #[test]
    fn what_is_no_network_is_said() {
        for (text, why) in [
            ("10.0.0.0/33", "from 0 to 32"),
            ("10.0.0.0/-1", "from 0 to 32"),
            ("10.0.0.0/+8", "from 0 to 32"),
            ("10.0.0.0/", "from 0 to 32"),
            ("fd00::/129", "from 0 to 128"),
            ("10.0.0.1/8", "goes on behind"),
            ("10.0.0", "is no network: write"),
            ("localhost", "is no network: write"),
            ("", "is no network: write"),
        ] {
            let wrong = Networks::default().allow("::1").allow(text).check().expect_err(text).to_string();
            assert!(wrong.contains(why), "{text}: {wrong}");
        }
        assert!(Networks::default().check().is_err());
    }
}
