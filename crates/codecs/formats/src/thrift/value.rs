//! The values of fields, elements and keys, and the Rust types that represent the types of a `.thrift` file.

use super::{Bytes, Double, Error, RESERVED, Reader, Type, Uuid, Writer};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    hash::{BuildHasher, Hash},
};

/// Anything that is the value of a field, an element of a container or a key of a map.
///
/// Code generated from `.thrift` files implements it for structs, unions, exceptions and enums.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing that Thrift can send",
    note = "structs, unions, exceptions and enums come from a .thrift file by `polywire_build`"
)]
pub trait Value: Sized {
    const TYPE: Type;

    /// Reads a value, without the head of a field.
    ///
    /// # Errors
    /// The message does not contain a value of this type here.
    fn read<R: Reader>(from: &mut R) -> Result<Self, Error>;

    /// Writes a value, without the head of a field.
    fn write<W: Writer>(&self, to: &mut W);
}

macro_rules! scalars {
    ($($rust:ty, $kind:ident, $method:ident;)*) => {$(
        impl Value for $rust {
            const TYPE: Type = Type::$kind;
            #[inline]
            fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
                from.$method()
            }
            #[inline]
            fn write<W: Writer>(&self, to: &mut W) {
                to.$method(*self);
            }
        }
    )*};
}
scalars! {
    bool, Bool, bool;
    i8, I8, i8;
    i16, I16, i16;
    i32, I32, i32;
    i64, I64, i64;
    f64, Double, double;
}

impl Value for Double {
    const TYPE: Type = Type::Double;
    #[inline]
    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        from.double().map(Double)
    }
    #[inline]
    fn write<W: Writer>(&self, to: &mut W) {
        to.double(self.0);
    }
}

impl Value for Uuid {
    const TYPE: Type = Type::Uuid;
    #[inline]
    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        from.uuid()
    }
    #[inline]
    fn write<W: Writer>(&self, to: &mut W) {
        to.uuid(self);
    }
}

impl Value for String {
    const TYPE: Type = Type::Binary;
    #[inline]
    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        from.string()
    }
    #[inline]
    fn write<W: Writer>(&self, to: &mut W) {
        to.string(self);
    }
}

impl Value for Bytes {
    const TYPE: Type = Type::Binary;
    #[inline]
    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        from.binary()
    }
    #[inline]
    fn write<W: Writer>(&self, to: &mut W) {
        to.binary(self);
    }
}

impl<T: Value> Value for Box<T> {
    const TYPE: Type = T::TYPE;
    #[inline]
    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        T::read(from).map(Box::new)
    }
    #[inline]
    fn write<W: Writer>(&self, to: &mut W) {
        (**self).write(to);
    }
}

/// The number of elements for which memory is reserved before the first is read. An element may need much
/// more memory than it has bytes in the message.
#[inline]
fn reserved<T>(count: usize) -> usize {
    count.min(RESERVED / size_of::<T>().max(1))
}

impl<T: Value> Value for Vec<T> {
    const TYPE: Type = Type::List;
    #[inline]
    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        let count = from.list(T::TYPE)?;
        let mut list = Vec::with_capacity(reserved::<T>(count));
        for _ in 0..count {
            list.push(T::read(from)?);
        }
        Ok(list)
    }
    #[inline]
    fn write<W: Writer>(&self, to: &mut W) {
        to.list(T::TYPE, self.len());
        self.iter().for_each(|element| element.write(to));
    }
}

impl<T: Value + Ord> Value for BTreeSet<T> {
    const TYPE: Type = Type::Set;
    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        let count = from.set(T::TYPE)?;
        (0..count).map(|_| T::read(from)).collect()
    }
    fn write<W: Writer>(&self, to: &mut W) {
        to.set(T::TYPE, self.len());
        self.iter().for_each(|element| element.write(to));
    }
}

impl<T: Value + Eq + Hash, S: BuildHasher + Default> Value for HashSet<T, S> {
    const TYPE: Type = Type::Set;
    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        let count = from.set(T::TYPE)?;
        let mut set = HashSet::with_capacity_and_hasher(reserved::<T>(count), S::default());
        for _ in 0..count {
            set.insert(T::read(from)?);
        }
        Ok(set)
    }
    fn write<W: Writer>(&self, to: &mut W) {
        to.set(T::TYPE, self.len());
        self.iter().for_each(|element| element.write(to));
    }
}

impl<K: Value + Ord, V: Value> Value for BTreeMap<K, V> {
    const TYPE: Type = Type::Map;
    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        let count = from.map(K::TYPE, V::TYPE)?;
        (0..count).map(|_| Ok((K::read(from)?, V::read(from)?))).collect()
    }
    fn write<W: Writer>(&self, to: &mut W) {
        to.map(K::TYPE, V::TYPE, self.len());
        for (key, value) in self {
            key.write(to);
            value.write(to);
        }
    }
}

impl<K: Value + Eq + Hash, V: Value, S: BuildHasher + Default> Value for HashMap<K, V, S> {
    const TYPE: Type = Type::Map;
    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        let count = from.map(K::TYPE, V::TYPE)?;
        let mut map = HashMap::with_capacity_and_hasher(reserved::<(K, V)>(count), S::default());
        for _ in 0..count {
            map.insert(K::read(from)?, V::read(from)?);
        }
        Ok(map)
    }
    fn write<W: Writer>(&self, to: &mut W) {
        to.map(K::TYPE, V::TYPE, self.len());
        for (key, value) in self {
            key.write(to);
            value.write(to);
        }
    }
}
