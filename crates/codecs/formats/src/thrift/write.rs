//! The trait that writes the values of a message.

use super::{Bytes, Scope, Type, Uuid};

/// Writes one message in one protocol; the counterpart of [`Reader`](super::Reader).
///
/// No method fails: a writer remembers a length that the protocols cannot carry, and gives no bytes at the
/// end.
pub trait Writer: Sized {
    /// Begins a struct.
    fn begin_struct(&mut self) -> Scope;
    /// Writes the head of a field; exactly one value of this type follows.
    fn field(&mut self, id: i16, kind: Type);
    /// Ends a struct. `outer`: the result of [`Self::begin_struct`].
    fn end_struct(&mut self, outer: Scope);
    fn bool(&mut self, value: bool);
    fn i8(&mut self, value: i8);
    fn i16(&mut self, value: i16);
    fn i32(&mut self, value: i32);
    fn i64(&mut self, value: i64);
    fn double(&mut self, value: f64);
    fn string(&mut self, value: &str);
    /// Writes bytes; long ones are sent by reference.
    fn binary(&mut self, value: &Bytes);
    fn uuid(&mut self, value: &Uuid);
    /// Writes the head of a list; `count` elements of this type follow.
    fn list(&mut self, kind: Type, count: usize);
    /// Writes the head of a set; `count` elements of this type follow.
    fn set(&mut self, kind: Type, count: usize) {
        self.list(kind, count);
    }
    /// Writes the head of a map; `count` times a key and a value follow.
    fn map(&mut self, key: Type, value: Type, count: usize);
}
