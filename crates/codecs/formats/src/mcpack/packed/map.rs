//! Maps: an object if their keys are text (also if stored as bytes), otherwise an array of entries, which
//! compack writes by columns.

use super::{Members, Packer, Place, Refused, Rules, Unpacker, Value, code};
use crate::Map;
use crate::{
    mcpack::{
        Variant,
        field::{ARRAY, BINARY, Field, Fields, OBJECT, OBJECT_ISOARRAY},
        write::is_text,
    },
    schema::Kind,
};
use std::hash::Hash;

impl<K: Value + Default + Eq + Hash, V: Value + Default> Place for Map<K, V> {
    fn pack<R: Rules>(&self, name: &[u8], to: &mut Packer) -> Result<bool, Refused> {
        let columns = to.variant == Variant::Compack;
        if is_text(K::KIND) {
            object(self, name, to)?;
        } else if self.is_empty() {
            return Ok(to.to.empty(name, columns, R::ON));
        } else if columns && !name.is_empty() {
            to.columns(name, Entry::<K, V>::MEMBERS, self.iter(), |(key, value), at, to| match at {
                0 => key.write(const { code::<K>(0, false) }, b"", to).map(|()| true),
                _ => value.write(const { value_code::<V, R>() }, b"", to).map(|()| true),
            })?;
        } else {
            to.array(name, self.iter(), |(key, value), to| entry::<K, V, R>(key, value, to))?;
        }
        Ok(true)
    }

    fn unpack(&mut self, member: Field<'_>, from: &mut Unpacker) -> Result<bool, Refused> {
        match member.code {
            OBJECT if is_text(K::KIND) => from.deeper(|from| {
                let mut members = Fields::of(member.value)?;
                while let Some(member) = members.next()? {
                    from.spend::<(K, V)>(1)?;
                    let key = K::read(Field { code: BINARY, name: b"", value: member.name }, from)?;
                    self.insert(key, V::read(member, from)?);
                }
                Ok(())
            })?,
            ARRAY => {
                let mut items = Fields::of(member.value)?;
                while let Some(item) = items.next()? {
                    from.spend::<(K, V)>(1)?;
                    let mut entry = Entry::default();
                    from.object(&mut entry, item)?;
                    entry.add(self);
                }
            }
            OBJECT_ISOARRAY => from.columns(member, |entry: Entry<K, V>| entry.add(self))?,
            _ => return Err(Refused),
        }
        Ok(true)
    }
}

/// "one object, member per entry (name = key); string and bytes values both as string"
fn object<K: Value, V: Value>(map: &Map<K, V>, name: &[u8], to: &mut Packer) -> Result<(), Refused> {
    let code = const { code::<V>(if matches!(V::KIND, Kind::Bytes) { AS_STRING } else { 0 }, false) };
    let object = to.to.object(name);
    if !map.is_empty() {
        to.deeper(|to| map.iter().try_for_each(|(key, value)| value.write(code, key.text(), to)))?;
    }
    to.to.end(object, map.len() as u32);
    Ok(())
}

/// The value of `idl_type` for STRING.
const AS_STRING: u8 = 13;

/// The type of a value outside of an object. [`AS_STRING`] for a map means that its values are strings stored
/// as bytes.
const fn value_code<V: Value, R: Rules>() -> u8 {
    code::<V>(R::TYPE, false)
}

fn entry<K: Value, V: Value, R: Rules>(key: &K, value: &V, to: &mut Packer) -> Result<(), Refused> {
    to.deeper(|to| {
        let object = to.to.object(b"");
        key.write(const { code::<K>(0, false) }, b"key", to)?;
        value.write(const { value_code::<V, R>() }, b"value", to)?;
        to.to.end(object, 2);
        Ok(())
    })
}

/// An entry that is read as a message.
struct Entry<K, V> {
    key: Option<K>,
    value: Option<V>,
}

impl<K, V> Default for Entry<K, V> {
    fn default() -> Self {
        Entry { key: None, value: None }
    }
}

impl<K: Value + Default + Eq + Hash, V: Value + Default> Entry<K, V> {
    fn add(self, map: &mut Map<K, V>) {
        map.insert(self.key.unwrap_or_default(), self.value.unwrap_or_default());
    }
}

impl<K: Value, V: Value> Members for Entry<K, V> {
    const MEMBERS: &'static [&'static str] = &["key", "value"];
    const BY_NAME: &'static [u16] = &[0, 1];
    const REQUIRED: u64 = 0;

    fn unpack(&mut self, at: usize, member: Field<'_>, from: &mut Unpacker) -> Result<bool, Refused> {
        match at {
            0 => self.key.unpack(member, from),
            _ => self.value.unpack(member, from),
        }
    }
}
