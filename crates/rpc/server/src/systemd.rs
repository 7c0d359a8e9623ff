//! Messages to systemd, or to another parent process that waits for them.

use std::{env, ffi::OsStr, io, os::unix::net::UnixDatagram};

/// Notifies systemd that the server takes calls (`READY=1`) and of its process number (`MAINPID`), which
/// changes in a hand-over. Does nothing without `NOTIFY_SOCKET` in the environment.
/// [`Server::run`](crate::Server::run) calls it by itself.
pub fn ready() {
    report(&format!("READY=1\nMAINPID={}\nSTATUS=serving\n", std::process::id()));
}

/// Notifies systemd that the server stops (`STOPPING=1`).
pub fn stopping() {
    report("STOPPING=1\nSTATUS=calls in flight end\n");
}

/// Notifies systemd that another process serves now and that this one only ends its calls.
pub fn handed_over() {
    report("STATUS=handed over: calls in flight end\n");
}

fn report(text: &str) {
    let Some(socket) = env::var_os("NOTIFY_SOCKET").filter(|socket| !socket.is_empty()) else { return };
    if let Err(error) = send(&socket, text) {
        tracing::warn!(?socket, %error, "NOTIFY_SOCKET cannot be told");
    }
}

/// See sd_notify(3): a datagram to a Unix socket, whose name is abstract if it begins with `@`.
fn send(socket: &OsStr, text: &str) -> io::Result<()> {
    let sender = UnixDatagram::unbound()?;
    sender.set_nonblocking(true)?; // who does not read it holds nobody up
    #[cfg(target_os = "linux")]
    if let Some(name) = socket.as_encoded_bytes().strip_prefix(b"@") {
        use std::os::{linux::net::SocketAddrExt, unix::net::SocketAddr};
        sender.send_to_addr(text.as_bytes(), &SocketAddr::from_abstract_name(name)?)?;
        return Ok(());
    }
    sender.send_to(text.as_bytes(), socket).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_goes_to_a_path_and_to_an_abstract_name() {
        let path = env::temp_dir().join(format!("polywire-notify-{}", std::process::id()));
        let by_path = UnixDatagram::bind(&path).expect("free");
        send(path.as_os_str(), "READY=1\n").expect("it is bound");
        let mut text = [0; 64];
        let n = by_path.recv(&mut text).expect("it was sent");
        assert_eq!(&text[..n], b"READY=1\n");
        std::fs::remove_file(&path).expect("ours");
        #[cfg(target_os = "linux")]
        {
            use std::os::{linux::net::SocketAddrExt, unix::net::SocketAddr};
            let name = format!("polywire-notify-{}", std::process::id());
            let address = SocketAddr::from_abstract_name(&name).expect("short");
            let by_name = UnixDatagram::bind_addr(&address).expect("free");
            send(format!("@{name}").as_ref(), "STOPPING=1\n").expect("it is bound");
            let n = by_name.recv(&mut text).expect("it was sent");
            assert_eq!(&text[..n], b"STOPPING=1\n");
        }
        assert!(send(path.as_os_str(), "x").is_err(), "nobody is there, and nobody waits");
    }
}
