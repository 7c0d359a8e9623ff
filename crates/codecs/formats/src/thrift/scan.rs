//! Finds the end of a value without reading it and without recursion. A scan that runs out of bytes continues
//! where it stopped when more arrive, so that a message that arrives byte by byte costs no more than one that
//! arrives at once.

use super::{
    Encoding, Error, MAX_DEPTH, Type,
    compact::{MOST_32, MOST_64, varint},
};

/// The search for the end of a value.
#[derive(Debug)]
pub struct Scan {
    encoding: Encoding,
    /// The position of the scan; inside of a long string it is beyond the bytes that have arrived.
    at: usize,
    /// A value of this type begins here.
    next: Option<Type>,
    /// The containers that the value is in, outermost first.
    levels: Vec<Level>,
    /// The maximum number of levels.
    most: usize,
}

#[derive(Clone, Copy, Debug)]
enum Level {
    Struct,
    /// Further elements of a list or set.
    Items(Type, u32),
    /// Further keys and values of a map; the next is a key if their number is even.
    Pairs(Type, Type, u64),
}

impl Scan {
    /// A scan of a struct that begins with the first byte.
    pub fn of_struct(encoding: Encoding) -> Scan {
        Scan::of_value(encoding, Type::Struct, 0)
    }

    /// A scan of any value inside of this many structs. In the compact protocol a bool is an element, not a
    /// field.
    pub(super) fn of_value(encoding: Encoding, kind: Type, depth: usize) -> Scan {
        let most = MAX_DEPTH.saturating_sub(depth);
        Scan { encoding, at: 0, next: Some(kind), levels: Vec::new(), most }
    }

    /// Continues in these bytes, which are the ones of the previous call and further ones. Returns the end of
    /// the value; `None`: it has not arrived, and at least [`Scan::missing`] more bytes are needed.
    ///
    /// # Errors
    /// The bytes are no such value.
    pub fn advance(&mut self, bytes: &[u8]) -> Result<Option<usize>, Error> {
        loop {
            let Some(rest) = bytes.get(self.at..) else { return Ok(None) };
            if let Some(kind) = self.next {
                let Some(used) = self.value(kind, rest)? else { return Ok(None) };
                self.at += used;
                continue;
            }
            match self.levels.last_mut() {
                None => return Ok(Some(self.at)),
                Some(Level::Struct) => {
                    let Some(used) = self.head(rest)? else { return Ok(None) };
                    self.at += used;
                }
                Some(Level::Items(_, 0) | Level::Pairs(_, _, 0)) => drop(self.levels.pop()),
                Some(Level::Items(kind, left)) => {
                    *left -= 1;
                    self.next = Some(*kind);
                }
                Some(Level::Pairs(key, value, left)) => {
                    self.next = Some(if *left % 2 == 0 { *key } else { *value });
                    *left -= 1;
                }
            }
        }
    }

    /// The end of a value that has to be in these bytes.
    pub(super) fn finish(mut self, bytes: &[u8]) -> Result<usize, Error> {
        self.advance(bytes)?.ok_or(Error::Truncated)
    }

    /// The minimum number of bytes that are needed beyond the first `here`.
    pub fn missing(&self, here: usize) -> usize {
        self.at.saturating_sub(here).max(1)
    }

    /// The minimum length of the value in bytes.
    pub fn least(&self) -> usize {
        self.at
    }

    /// The number of these bytes, at most `here`, that the scan no longer needs; the caller removes them from
    /// the front.
    pub fn forget(&mut self, here: usize) -> usize {
        let gone = self.at.min(here);
        self.at -= gone;
        gone
    }

    /// The head of a field, or the end of a struct; its bytes.
    fn head(&mut self, rest: &[u8]) -> Result<Option<usize>, Error> {
        let Some(&first) = rest.first() else { return Ok(None) };
        if first == 0 {
            self.levels.pop();
            return Ok(Some(1));
        }
        match self.encoding {
            Encoding::Binary => {
                self.next = Some(Type::of_binary(first)?);
                Ok(Some(3))
            }
            Encoding::Compact => {
                let kind = Type::of_compact(first & 0x0f)?;
                let id = match first >> 4 {
                    0 => match varint(&rest[1..], MOST_32)? {
                        Some((_, used)) => used,
                        None => return Ok(None),
                    },
                    _ => 0,
                };
                // the head of a bool is its value
                self.next = (kind != Type::Bool).then_some(kind);
                Ok(Some(1 + id))
            }
        }
    }

    /// Scans a value, or the head of a container; returns its length. `None`: its bytes have not all arrived.
    fn value(&mut self, kind: Type, rest: &[u8]) -> Result<Option<usize>, Error> {
        let used = match (kind, self.encoding) {
            (Type::Struct, _) => {
                self.enter(Level::Struct)?;
                return Ok(Some(0)); // `enter` has taken `next`
            }
            (Type::Binary, Encoding::Binary) => {
                let Some(length) = length(rest)? else { return Ok(None) };
                Some(4 + length)
            }
            (Type::Binary, Encoding::Compact) => length_compact(rest)?.map(|(length, used)| used + length),
            (Type::I16 | Type::I32, Encoding::Compact) => varint(rest, MOST_32)?.map(|(_, used)| used),
            (Type::I64, Encoding::Compact) => varint(rest, MOST_64)?.map(|(_, used)| used),
            (Type::List | Type::Set, encoding) => {
                let Some((kind, count, used)) = list_head(encoding, rest)? else { return Ok(None) };
                return self.items(kind, count, used).map(Some);
            }
            (Type::Map, encoding) => {
                let Some((kinds, count, used)) = map_head(encoding, rest)? else { return Ok(None) };
                return self.pairs(kinds, count, used).map(Some);
            }
            (kind, encoding) => fixed(encoding, kind),
        };
        if used.is_some() {
            self.next = None;
        }
        Ok(used)
    }

    fn items(&mut self, kind: Option<Type>, count: usize, used: usize) -> Result<usize, Error> {
        self.next = None;
        let Some(kind) = kind else { return Ok(used) };
        match fixed(self.encoding, kind) {
            Some(bytes) => Ok(used + bytes * count),
            None => self.enter(Level::Items(kind, count as u32)).map(|()| used),
        }
    }

    fn pairs(&mut self, kinds: Option<(Type, Type)>, count: usize, used: usize) -> Result<usize, Error> {
        self.next = None;
        let Some((key, value)) = kinds else { return Ok(used) };
        match (fixed(self.encoding, key), fixed(self.encoding, value)) {
            (Some(key), Some(value)) => Ok(used + (key + value) * count),
            _ => self.enter(Level::Pairs(key, value, 2 * count as u64)).map(|()| used),
        }
    }

    fn enter(&mut self, level: Level) -> Result<(), Error> {
        self.next = None;
        if self.levels.len() >= self.most {
            return Err(Error::Depth);
        }
        self.levels.push(level);
        Ok(())
    }
}

/// Bytes of values that all have the same length.
fn fixed(encoding: Encoding, kind: Type) -> Option<usize> {
    match (kind, encoding) {
        (Type::Bool | Type::I8, _) => Some(1),
        (Type::Double, _) => Some(8),
        (Type::Uuid, _) => Some(16),
        (Type::I16, Encoding::Binary) => Some(2),
        (Type::I32, Encoding::Binary) => Some(4),
        (Type::I64, Encoding::Binary) => Some(8),
        _ => None,
    }
}

fn length(bytes: &[u8]) -> Result<Option<usize>, Error> {
    let Some(length) = bytes.first_chunk() else { return Ok(None) };
    usize::try_from(i32::from_be_bytes(*length)).map(Some).map_err(|_| Error::Negative)
}

fn length_compact(bytes: &[u8]) -> Result<Option<(usize, usize)>, Error> {
    match varint(bytes, MOST_32)? {
        Some((length, _)) if length > i32::MAX as u64 => Err(Error::Negative),
        Some((length, used)) => Ok(Some((length as usize, used))),
        None => Ok(None),
    }
}

/// Type and number of elements, and the length of the head. The type is ignored if there are no elements.
fn list_head(encoding: Encoding, bytes: &[u8]) -> Result<Option<(Option<Type>, usize, usize)>, Error> {
    let Some((&first, rest)) = bytes.split_first() else { return Ok(None) };
    let (count, used) = match encoding {
        Encoding::Binary => match length(rest)? {
            Some(count) => (count, 5),
            None => return Ok(None),
        },
        Encoding::Compact => match first >> 4 {
            15 => match length_compact(rest)? {
                Some((count, used)) => (count, 1 + used),
                None => return Ok(None),
            },
            count => (count.into(), 1),
        },
    };
    let kind = match encoding {
        _ if count == 0 => None,
        Encoding::Binary => Some(Type::of_binary(first)?),
        Encoding::Compact => Some(Type::of_compact(first & 0x0f)?),
    };
    Ok(Some((kind, count, used)))
}

/// The head of a map: the types of key and value, the number of entries, and the length of the head.
type MapHead = (Option<(Type, Type)>, usize, usize);

fn map_head(encoding: Encoding, bytes: &[u8]) -> Result<Option<MapHead>, Error> {
    match encoding {
        Encoding::Binary => {
            let (Some(&[key, value]), Some(rest)) = (bytes.first_chunk(), bytes.get(2..)) else {
                return Ok(None);
            };
            let Some(count) = length(rest)? else { return Ok(None) };
            let kinds = match count {
                0 => None,
                _ => Some((Type::of_binary(key)?, Type::of_binary(value)?)),
            };
            Ok(Some((kinds, count, 6)))
        }
        Encoding::Compact => {
            let Some((count, used)) = length_compact(bytes)? else { return Ok(None) };
            if count == 0 {
                return Ok(Some((None, 0, used)));
            }
            let Some(&kinds) = bytes.get(used) else { return Ok(None) };
            let kinds = (Type::of_compact(kinds >> 4)?, Type::of_compact(kinds & 0x0f)?);
            Ok(Some((Some(kinds), count, used + 1)))
        }
    }
}
