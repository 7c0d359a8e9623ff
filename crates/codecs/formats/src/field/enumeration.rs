//! Fields of open enums: those of proto3, and of editions unless they declare a closed one.

use std::{
    fmt,
    hash::{Hash, Hasher},
    marker::PhantomData,
};

/// An enum that was generated from a `.proto` file, prost's excepted.
pub trait FieldEnum: numbered::Numbered {}

mod numbered {
    use std::{fmt::Debug, hash::Hash};

    /// The trait that the generator implements for every enum.
    pub trait Numbered: Copy + Eq + Hash + Debug + 'static {
        fn declared(number: i32) -> Option<Self>;
        fn number(self) -> i32;
        fn name(self) -> &'static str;
    }

    impl<E: buffa::Enumeration + 'static> Numbered for E {
        #[inline]
        fn declared(number: i32) -> Option<E> {
            E::from_i32(number)
        }
        #[inline]
        fn number(self) -> i32 {
            self.to_i32()
        }
        fn name(self) -> &'static str {
            self.proto_name()
        }
    }
}

/// A value of an open enum: a declared value, or the number of an undeclared one, which a peer with a newer
/// `.proto` file may send.
///
/// ```
/// # use polywire_formats::{EnumValue, wkt::api::Syntax};
/// let mut syntax = EnumValue::from(Syntax::SYNTAX_PROTO3);
/// assert_eq!(syntax, Syntax::SYNTAX_PROTO3);
/// syntax = 7.into();
/// match syntax.as_known() {
///     Some(Syntax::SYNTAX_PROTO2) => println!("an old file"),
///     Some(_) => println!("a new file"),
///     None => println!("a file of syntax {}, which came later than this program", syntax.to_i32()),
/// }
/// assert!(syntax.is_unknown());
/// ```
///
/// The default is the value of number 0. `{:?}` and `{}` show the name, and the number of a value that has
/// none.
pub struct EnumValue<E> {
    number: i32,
    declared: PhantomData<fn() -> E>,
}

impl<E> EnumValue<E> {
    /// The number, as it is sent.
    #[inline]
    pub fn to_i32(&self) -> i32 {
        self.number
    }
}

impl<E: FieldEnum> EnumValue<E> {
    /// The declared value; `None` if the number has none.
    #[inline]
    pub fn as_known(&self) -> Option<E> {
        E::declared(self.number)
    }

    /// Whether the number is declared.
    #[inline]
    pub fn is_known(&self) -> bool {
        self.as_known().is_some()
    }

    /// Whether the number is not declared.
    #[inline]
    pub fn is_unknown(&self) -> bool {
        !self.is_known()
    }
}

impl<E> Clone for EnumValue<E> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<E> Copy for EnumValue<E> {}

impl<E> Default for EnumValue<E> {
    #[inline]
    fn default() -> Self {
        EnumValue { number: 0, declared: PhantomData }
    }
}

impl<E> From<i32> for EnumValue<E> {
    #[inline]
    fn from(number: i32) -> Self {
        EnumValue { number, declared: PhantomData }
    }
}

impl<E: FieldEnum> From<E> for EnumValue<E> {
    #[inline]
    fn from(value: E) -> Self {
        value.number().into()
    }
}

impl<E> PartialEq for EnumValue<E> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}
impl<E> Eq for EnumValue<E> {}

impl<E: FieldEnum> PartialEq<E> for EnumValue<E> {
    #[inline]
    fn eq(&self, other: &E) -> bool {
        self.number == other.number()
    }
}

impl<E> Hash for EnumValue<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl<E: FieldEnum> fmt::Debug for EnumValue<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_known() {
            Some(value) => value.fmt(f),
            None => write!(f, "Unknown({})", self.number),
        }
    }
}

impl<E: FieldEnum> fmt::Display for EnumValue<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_known() {
            Some(value) => f.write_str(value.name()),
            None => self.number.fmt(f),
        }
    }
}

/// Maps whose values are open enums, in place of the functions of the same names in `buffa::map_codec`, which
/// know buffa's type alone. On the wire the values are `int32`.
pub mod map {
    use super::EnumValue;
    use buffa::{
        DecodeContext, DecodeError, EncodeSink,
        bytes::Buf,
        encoding::{Tag, WireType, encode_varint, varint_len},
        map_codec::{Int32, MapCodec, MapStorage, MapValueDecode},
    };
    use std::{
        collections::HashMap,
        hash::{BuildHasher, Hash},
        marker::PhantomData,
    };

    /// Values are of this enum.
    pub struct OpenEnum<E>(PhantomData<E>);

    /// The enum of an [`OpenEnum`].
    pub trait Open {
        type Enum;
    }
    impl<E> Open for OpenEnum<E> {
        type Enum = E;
    }

    /// A map of keys that `K` encodes.
    type EnumMap<K, V, S> = HashMap<<K as MapValueDecode>::Value, EnumValue<<V as Open>::Enum>, S>;

    fn entry_len<K: MapCodec>(key: &K::Value, number: i32) -> u64 {
        2 + K::encoded_len(key) + Int32::encoded_len(&number)
    }

    /// The length of all entries with their tags.
    pub fn field_len<K: MapCodec, V: Open, S>(map: &EnumMap<K, V, S>, tag_len: u64) -> u64 {
        let each = map.iter().map(|(key, value)| entry_len::<K>(key, value.number));
        each.map(|entry| tag_len + varint_len(entry) as u64 + entry).sum()
    }

    /// Writes all entries, each with its tag.
    pub fn write_field<K: MapCodec, V: Open, S>(
        map: &EnumMap<K, V, S>,
        field: u32,
        buf: &mut impl EncodeSink,
    ) {
        for (key, value) in map {
            Tag::new(field, WireType::LengthDelimited).encode(buf);
            encode_varint(entry_len::<K>(key, value.number), buf);
            Tag::new(1, K::WIRE_TYPE).encode(buf);
            K::encode(key, buf);
            Tag::new(2, Int32::WIRE_TYPE).encode(buf);
            Int32::encode(&value.number, buf);
        }
    }

    /// Reads one entry.
    ///
    /// # Errors
    /// Like buffa's function of the same name.
    pub fn merge_entry<K: MapValueDecode, V: Open, S: BuildHasher>(
        map: &mut EnumMap<K, V, S>,
        buf: &mut impl Buf,
        cx: DecodeContext<'_>,
    ) -> Result<(), DecodeError>
    where
        K::Value: Eq + Hash,
    {
        buffa::map_codec::merge_entry::<K, Int32, _>(&mut Numbers(map), buf, cx)
    }

    /// A map of enums seen as a map of their numbers.
    struct Numbers<'m, K, E, S>(&'m mut HashMap<K, EnumValue<E>, S>);

    impl<K: Eq + Hash, E, S: BuildHasher> MapStorage for Numbers<'_, K, E, S> {
        type Key = K;
        type Value = i32;

        fn storage_len(&self) -> usize {
            self.0.len()
        }
        fn storage_insert(&mut self, key: K, number: i32) {
            self.0.insert(key, number.into());
        }
        fn storage_clear(&mut self) {
            self.0.clear();
        }
        fn storage_iter<'a>(&'a self) -> impl Iterator<Item = (&'a K, &'a i32)>
        where
            K: 'a,
        {
            self.0.iter().map(|(key, value)| (key, &value.number))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EnumValue;
    use crate::wkt::api::Syntax;
    use std::{collections::HashSet, mem::size_of};

    #[test]
    fn a_declared_value_is_the_enum_and_any_other_is_its_number() {
        let known = EnumValue::from(Syntax::SYNTAX_PROTO3);
        assert_eq!((known.as_known(), known.to_i32()), (Some(Syntax::SYNTAX_PROTO3), 1));
        assert!(known == Syntax::SYNTAX_PROTO3 && known.is_known() && known == EnumValue::from(1));
        let unknown = EnumValue::<Syntax>::from(7);
        assert_eq!((unknown.as_known(), unknown.to_i32()), (None, 7));
        assert!(unknown != Syntax::SYNTAX_PROTO3 && unknown.is_unknown());
        assert_eq!(EnumValue::<Syntax>::default(), Syntax::SYNTAX_PROTO2);
    }

    #[test]
    fn it_is_shown_by_name_or_by_number_and_is_as_small_as_its_number() {
        let (known, unknown) = (EnumValue::from(Syntax::SYNTAX_PROTO3), EnumValue::<Syntax>::from(7));
        assert_eq!(format!("{known} {unknown}"), "SYNTAX_PROTO3 7");
        assert_eq!(format!("{known:?} {unknown:?}"), format!("{:?} Unknown(7)", Syntax::SYNTAX_PROTO3));
        assert_eq!(size_of::<EnumValue<Syntax>>(), 4);
        assert_eq!(HashSet::from([known, unknown, known]).len(), 2);
    }
}
