//! Addresses at which nobody serves, without a privilege that a process does not have.

use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, TcpStream};
use std::time::Duration;

use rustix::net::{AddressFamily, SocketType, bind, listen, socket};

use crate::Failure;

/// An attempt to connect on this machine that has not succeeded after so long never will.
const NEVER: Duration = Duration::from_millis(100);
/// The connections that fill a backlog of none, and some more.
const MOST: usize = 8;

#[derive(Clone, Copy)]
pub enum Manner {
    /// Connections are refused.
    Refuses,
    /// The backlog is full, so that what asks for a connection (SYN) is dropped.
    Swallows,
    /// Connections are accepted by the system, and nothing is ever said.
    SaysNothing,
}

/// Such an address, for as long as it lives.
pub struct Dead {
    pub address: String,
    _socket: TcpListener,
    _filling: Vec<TcpStream>,
}

impl Dead {
    pub fn new(manner: Manner) -> Result<Dead, Failure> {
        let own = socket(AddressFamily::INET, SocketType::STREAM, None)?;
        bind(&own, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0))?;
        match manner {
            Manner::Refuses => {}
            Manner::Swallows => listen(&own, 0)?,
            Manner::SaysNothing => listen(&own, 1024)?,
        }
        let own = TcpListener::from(own);
        let address = own.local_addr()?;
        let mut filling = Vec::new();
        if matches!(manner, Manner::Swallows) {
            while let Ok(stream) = TcpStream::connect_timeout(&address, NEVER) {
                if filling.len() == MOST {
                    return Err("the backlog does not fill".into());
                }
                filling.push(stream);
            }
        }
        Ok(Dead { address: address.to_string(), _socket: own, _filling: filling })
    }
}
