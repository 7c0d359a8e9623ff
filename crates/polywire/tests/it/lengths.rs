//! Messages that are longer than a server takes by default, of protocols whose own servers take longer ones:
//! each fails alone, and one option lets it pass.

use polywire::{Context, Limits, Running, Server, Status, redis, thrift};
use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::Arc,
    time::Duration,
};

/// As 512 MB and 100 MiB are to the default.
const LONG: usize = 2 << 20;

fn start(server: Server, most: u32) -> Running {
    let limits = Limits::default().max_message(most);
    server.limits(limits).listen("127.0.0.1:0").start().expect("it starts")
}

fn connect(running: &Running) -> TcpStream {
    let stream = TcpStream::connect(running.addresses()[0].to_string()).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("possible");
    stream
}

#[test]
fn a_command_beyond_the_limit_fails_alone_and_a_higher_limit_takes_it() {
    for (most, first) in [(1 << 20, "-ERR "), (4 << 20, "+OK\r")] {
        let running = start(Server::new().service(redis::service(redis::Store::default())), most);
        let mut stream = connect(&running);
        let mut set = format!("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n${LONG}\r\n").into_bytes();
        set.resize(set.len() + LONG, b'v');
        set.extend_from_slice(b"\r\n*1\r\n$4\r\nPING\r\n*1\r\n$4\r\nQUIT\r\n");
        stream.write_all(&set).expect("it reads on");
        let mut replies = String::new();
        stream.read_to_string(&mut replies).expect("replies");
        assert!(replies.starts_with(first), "{replies}");
        assert!(replies.ends_with("\r\n+PONG\r\n+OK\r\n"), "the connection goes on: {replies}");
    }
}

/// A method without arguments; it passes over what comes.
struct Touch;

impl thrift::Method for Touch {
    const NAME: &'static str = "touch";
    type Args = thrift::Nothing;
    type Result = thrift::Nothing;
    type Success = ();
    type Failure = Status;
    fn into_result(outcome: Result<(), Status>) -> Result<thrift::Nothing, Status> {
        outcome.map(|()| thrift::Nothing)
    }
    fn from_result(_: thrift::Nothing) -> Result<(), Status> {
        Ok(())
    }
}

impl thrift::Served<Touch> for Touch {
    async fn call(_: &Touch, _: &Context, _: thrift::Nothing) -> Result<(), Status> {
        Ok(())
    }
}

/// A call with a string of so many bytes.
fn touch(bytes: usize) -> Vec<u8> {
    let mut message = b"\x80\x01\0\x01\0\0\0\x05touch\0\0\0\x01\x0b\0\x01".to_vec();
    message.extend_from_slice(&(bytes as u32).to_be_bytes());
    message.resize(message.len() + bytes, b'v');
    message.push(0);
    message
}

#[test]
fn a_message_beyond_the_limit_fails_alone_and_a_higher_limit_takes_it() {
    const REPLY: u8 = 2;
    const EXCEPTION: u8 = 3;
    for (most, first) in [(1 << 20, EXCEPTION), (4 << 20, REPLY)] {
        let service = thrift::Service::new("Shelf").with::<Touch, _>(&Arc::new(Touch));
        let running = start(Server::new().service(service), most);
        let mut stream = connect(&running);
        stream.write_all(&[touch(LONG), touch(5)].concat()).expect("it reads on");
        for kind in [first, REPLY] {
            let mut head = [0; 17];
            stream.read_exact(&mut head).expect("a reply");
            assert_eq!((&head[..3], head[3], &head[8..13]), (&b"\x80\x01\0"[..], kind, &b"touch"[..]));
            let mut field = [0; 7];
            while kind == EXCEPTION && {
                stream.read_exact(&mut field[..1]).expect("a field");
                field[0] != 0
            } {
                stream.read_exact(&mut field[1..]).expect("a field"); // a number, or the length of a text
                if field[0] == 11 {
                    let length = u32::from_be_bytes([field[3], field[4], field[5], field[6]]);
                    stream.read_exact(&mut vec![0; length as usize]).expect("a text");
                }
            }
            if kind == REPLY {
                stream.read_exact(&mut field[..1]).expect("the end");
            }
        }
        // With frames the length is known at once, and the connection ends.
        let mut framed = connect(&running);
        let message = touch(LONG);
        let frame = [&(message.len() as u32).to_be_bytes()[..], &message].concat();
        let _ = framed.write_all(&frame); // it may be closed by then
        let mut reply = [0; 4];
        assert_eq!(framed.read_exact(&mut reply).is_ok(), first == REPLY, "{most}");
    }
}
