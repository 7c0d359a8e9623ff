//! Sets, for which serde has no type.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The name of the newtype by which struct_pack recognises [`Set`].
pub(super) const NAME: &str = "polywire struct_pack set";

/// C++'s `std::set` and `std::unordered_set` around any collection: `Set<BTreeSet<i32>>`. Other formats see
/// the collection.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Set<C>(pub C);

impl<C: Serialize> Serialize for Set<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(NAME, &self.0)
    }
}

impl<'de, C: Deserialize<'de>> Deserialize<'de> for Set<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<C>(std::marker::PhantomData<C>);
        impl<'de, C: Deserialize<'de>> serde::de::Visitor<'de> for Visitor<C> {
            type Value = Set<C>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a set")
            }
            fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Set<C>, D::Error> {
                C::deserialize(inner).map(Set)
            }
        }
        deserializer.deserialize_newtype_struct(NAME, Visitor(std::marker::PhantomData))
    }
}
