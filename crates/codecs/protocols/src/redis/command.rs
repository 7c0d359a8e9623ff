//! Building commands.
//!
//! Arguments are added one by one and need no quoting; [`Command::parse`] reads a line as redis-cli would.
//! There is no printf-like form, because in a format string a value with blanks easily becomes several
//! arguments.

use super::{
    cursor::{Number, number},
    inline,
};
use bytes::{Bytes, BytesMut};
use polywire_base::IoBuf;

/// One command, or several that are sent together ([`Command::append`]).
///
/// ```
/// use polywire_protocols::redis::Command;
/// let command = Command::new("SET").arg("key").arg(b"\0\xff").arg(7);
/// assert_eq!(command.wire(), &b"*4\r\n$3\r\nSET\r\n$3\r\nkey\r\n$2\r\n\0\xff\r\n$1\r\n7\r\n"[..]);
/// assert_eq!(Command::parse("SET key 'a value'").unwrap().args(), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a command does nothing until it is sent"]
pub struct Command {
    /// The arguments so far, without the `*n` in front.
    body: BytesMut,
    args: usize,
    keys: KeyPlaces,
}

/// The arguments of a command that its builder has declared to be keys: `count` arguments from index `first`
/// on, every `step`. The name of the command has index 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct KeyPlaces {
    pub first: u32,
    pub step: u32,
    /// The number of keys; 0: none were declared.
    pub count: u32,
}

impl Command {
    pub fn new(name: impl Argument) -> Self {
        Command { body: BytesMut::with_capacity(64), args: 0, keys: KeyPlaces::default() }.arg(name)
    }

    /// Adds an argument of any bytes, or a number.
    pub fn arg(mut self, arg: impl Argument) -> Self {
        arg.with_bytes(&mut |bytes| {
            bulk(&mut self.body, bytes);
            self.args += 1;
        });
        self
    }

    /// Adds an argument that is a key: a cluster sends the command to the node that has it. Keys stand at
    /// equal distances from each other, as in MSET.
    pub fn key(mut self, key: impl Argument) -> Self {
        let (at, keys) = (self.args as u32, &mut self.keys);
        match keys.count {
            0 => (keys.first, keys.step) = (at, 1),
            1 => keys.step = at - keys.first,
            _ => {}
        }
        keys.count += 1;
        self.arg(key)
    }

    /// The arguments that were declared to be keys.
    pub fn key_places(&self) -> KeyPlaces {
        self.keys
    }

    /// Adds every item as an argument.
    pub fn arg_list<A: Argument>(self, args: impl IntoIterator<Item = A>) -> Self {
        args.into_iter().fold(self, Command::arg)
    }

    /// Reads a command from a line: words at blanks, quotes as in redis-cli. `None` if a quote is not closed
    /// or the line is empty.
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = inline::words(line.as_bytes())?.into_iter();
        Some(Command::new(words.next()?).arg_list(words))
    }

    /// Number of arguments so far, including the name.
    pub fn args(&self) -> usize {
        self.args
    }

    /// Appends the command's wire form.
    pub fn append(&self, out: &mut BytesMut) {
        let mut digits = itoa::Buffer::new();
        let digits = digits.format(self.args).as_bytes();
        out.reserve(self.body.len() + digits.len() + 3);
        out.extend_from_slice(b"*");
        out.extend_from_slice(digits);
        out.extend_from_slice(b"\r\n");
        out.extend_from_slice(&self.body);
    }

    /// The command's wire form.
    pub fn wire(&self) -> Bytes {
        let mut out = BytesMut::new();
        self.append(&mut out);
        out.freeze()
    }
}

/// Appends a command of these words in wire form.
pub(super) fn append_words(words: &[Vec<u8>], out: &mut BytesMut) {
    out.extend_from_slice(format!("*{}\r\n", words.len()).as_bytes());
    words.iter().for_each(|word| bulk(out, word));
}

fn bulk(out: &mut BytesMut, bytes: &[u8]) {
    let mut digits = itoa::Buffer::new();
    let digits = digits.format(bytes.len()).as_bytes();
    out.reserve(digits.len() + bytes.len() + 5);
    out.extend_from_slice(b"$");
    out.extend_from_slice(digits);
    out.extend_from_slice(b"\r\n");
    out.extend_from_slice(bytes);
    out.extend_from_slice(b"\r\n");
}

/// Types that can be an argument: anything with bytes, and numbers in their decimal form.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a redis command",
    note = "strings, byte strings, `Bytes`, integers and floats can; format other types first"
)]
pub trait Argument {
    /// Hands the argument's bytes to `take`, once.
    fn with_bytes(&self, take: &mut dyn FnMut(&[u8]));
}

macro_rules! byte_arguments {
    ($($text:ty),*) => {$(
        impl Argument for $text {
            fn with_bytes(&self, take: &mut dyn FnMut(&[u8])) {
                take(self.as_ref());
            }
        }
    )*};
}
byte_arguments!(str, String, [u8], Vec<u8>, Bytes);

impl<const N: usize> Argument for [u8; N] {
    fn with_bytes(&self, take: &mut dyn FnMut(&[u8])) {
        take(self);
    }
}

impl<A: Argument + ?Sized> Argument for &A {
    fn with_bytes(&self, take: &mut dyn FnMut(&[u8])) {
        (**self).with_bytes(take);
    }
}

macro_rules! integer_arguments {
    ($($integer:ty),*) => {$(
        impl Argument for $integer {
            fn with_bytes(&self, take: &mut dyn FnMut(&[u8])) {
                take(itoa::Buffer::new().format(*self).as_bytes());
            }
        }
    )*};
}
integer_arguments!(i64, u64, i32, u32, usize);

impl Argument for f64 {
    fn with_bytes(&self, take: &mut dyn FnMut(&[u8])) {
        take(super::encode::double_text(*self).as_bytes());
    }
}

/// One command of a pipeline in wire form; [`commands`] returns it.
pub(super) struct Commanded<'a> {
    pub(super) name: &'a [u8],
    /// Number of arguments, including the name.
    pub(super) args: usize,
    /// The command in wire form.
    pub(super) wire: &'a [u8],
}

/// The commands in `wire`, in order; `None` as the last item if what remains is not a whole command.
pub(super) fn commands(wire: &[u8]) -> impl Iterator<Item = Option<Commanded<'_>>> {
    let mut rest = Some(wire).filter(|w| !w.is_empty());
    std::iter::from_fn(move || {
        let wire = rest.take()?;
        let found = first_command(wire);
        rest = found.as_ref().map(|c| &wire[c.wire.len()..]).filter(|w| !w.is_empty());
        Some(found)
    })
}

fn first_command(wire: &[u8]) -> Option<Commanded<'_>> {
    let (args, mut at) = header(wire, b'*')?;
    let mut name: &[u8] = &[];
    for index in 0..args {
        let (length, taken) = header(wire.get(at..)?, b'$')?;
        let start = at + taken;
        let end = start.checked_add(length)?;
        if wire.get(end..end.checked_add(2)?)? != b"\r\n" {
            return None;
        }
        if index == 0 {
            name = &wire[start..end];
        }
        at = end + 2;
    }
    (args > 0).then_some(Commanded { name, args, wire: &wire[..at] })
}

fn header(wire: &[u8], kind: u8) -> Option<(usize, usize)> {
    let (first, digits) = wire.split_first()?;
    match number(digits) {
        Number::Is(value, taken) if *first == kind => Some((usize::try_from(value).ok()?, 1 + taken)),
        Number::Is(..) | Number::Short | Number::Bad => None,
    }
}

impl From<&Command> for IoBuf {
    fn from(command: &Command) -> Self {
        command.wire().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_all_kinds_make_one_command() {
        let command = Command::new("zadd").arg(String::from("z")).arg(1.5).arg(-3i64).arg(&b"\r\n"[..]);
        let wire = b"*5\r\n$4\r\nzadd\r\n$1\r\nz\r\n$3\r\n1.5\r\n$2\r\n-3\r\n$2\r\n\r\n\r\n";
        assert_eq!(command.wire(), &wire[..]);
        assert_eq!(Command::new("DEL").arg_list(["a", "b"]).args(), 3);
    }

    #[test]
    fn a_line_becomes_the_command_that_redis_cli_would_send() {
        let parsed = Command::parse(r#"SET k "a b\x41""#).expect("quotes close");
        assert_eq!(parsed, Command::new("SET").arg("k").arg("a bA"));
        assert_eq!(Command::parse("  "), None);
        assert_eq!(Command::parse("GET 'k"), None);
    }

    #[test]
    fn commands_in_a_pipeline_are_counted() {
        let mut wire = BytesMut::new();
        Command::new("GET").arg("k").append(&mut wire);
        Command::new("PING").append(&mut wire);
        let found: Vec<_> = commands(&wire).map(|c| c.map(|c| (c.name.to_vec(), c.args))).collect();
        assert_eq!(found, [Some((b"GET".to_vec(), 2)), Some((b"PING".to_vec(), 1))]);
        for end in 1..wire.len() {
            let whole = commands(&wire[..end]).flatten().count();
            assert_eq!(commands(&wire[..end]).last().is_some_and(|c| c.is_some()), end == 20);
            assert_eq!(whole, usize::from(end >= 20));
        }
        for broken in [&b"*0\r\n"[..], b"*-1\r\n", b"PING\r\n", b"*1\r\n:1\r\n", b"*1\r\n$1\r\nabc"] {
            assert!(commands(broken).next().is_some_and(|c| c.is_none()));
        }
        assert!(commands(b"").next().is_none());
    }
}
