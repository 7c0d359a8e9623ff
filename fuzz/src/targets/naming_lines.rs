//! Lines of servers, as files and registries have them; each server that is read is written as a line, and
//! read again.

use polywire_naming::{address, lines};

pub fn run(input: &[u8]) {
    let read = lines::parse_all(input);
    assert!(
        read.servers.len() + read.bad.map_or(0, |bad| bad.count)
            <= input.split(|&byte| byte == b'\n').count()
    );
    for server in read.servers {
        address::check(&server.address).expect("addresses are checked");
        let line = format!("  {}\t{} # comment\r", server.address, server.tag);
        assert_eq!(lines::parse(&line), Ok(Some(server)));
    }
}
