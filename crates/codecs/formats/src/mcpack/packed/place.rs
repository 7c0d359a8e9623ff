//! How a message stores the values of a field, and when there is a value.

use super::{Packed, Packer, Refused, Rules, Unpacker, Value, code};
use crate::{
    MessageField, Storage,
    mcpack::{Variant, field::Field, write::is_number},
    schema::Kind,
};

/// A field of a message in Rust.
pub trait Place {
    /// Writes the field if it has a value; returns whether it has.
    fn pack<R: Rules>(&self, name: &[u8], to: &mut Packer) -> Result<bool, Refused>;

    /// Reads a member; returns whether it has a value.
    fn unpack(&mut self, member: Field<'_>, from: &mut Unpacker) -> Result<bool, Refused>;
}

/// A field that is always present: required, or left out if it is 0 or empty.
impl<V: Value> Place for V {
    #[inline]
    fn pack<R: Rules>(&self, name: &[u8], to: &mut Packer) -> Result<bool, Refused> {
        let code = const { code::<V>(R::TYPE, false) };
        if !R::REQUIRED && self.bits() == 0 {
            return Ok(to.to.empty(name, false, R::ON));
        }
        self.write(code, name, to)?;
        Ok(true)
    }

    #[inline]
    fn unpack(&mut self, member: Field<'_>, from: &mut Unpacker) -> Result<bool, Refused> {
        let there = !member.stands_for_none()?;
        if there {
            self.merge(member, from)?;
        }
        Ok(there)
    }
}

impl<V: Value> Place for Option<V> {
    #[inline]
    fn pack<R: Rules>(&self, name: &[u8], to: &mut Packer) -> Result<bool, Refused> {
        let code = const { code::<V>(R::TYPE, false) };
        match self {
            Some(value) => value.write(code, name, to).map(|()| true),
            None => Ok(to.to.empty(name, false, R::ON)),
        }
    }

    #[inline]
    fn unpack(&mut self, member: Field<'_>, from: &mut Unpacker) -> Result<bool, Refused> {
        let there = !member.stands_for_none()?;
        match self {
            Some(value) if there => value.merge(member, from)?,
            None if there => *self = Some(V::read(member, from)?),
            _ => {}
        }
        Ok(there)
    }
}

impl<M: Packed, P: Storage<M>> Place for MessageField<M, P> {
    #[inline]
    fn pack<R: Rules>(&self, name: &[u8], to: &mut Packer) -> Result<bool, Refused> {
        match self.as_option() {
            Some(message) => to.object(message, name).map(|()| true),
            None if R::REQUIRED => Err(Refused),
            None => Ok(false),
        }
    }

    #[inline]
    fn unpack(&mut self, member: Field<'_>, from: &mut Unpacker) -> Result<bool, Refused> {
        let there = !member.stands_for_none()?;
        if there {
            from.object(self.get_or_insert_default(), member)?;
        }
        Ok(there)
    }
}

impl<V: Value> Place for Vec<V> {
    #[inline]
    fn pack<R: Rules>(&self, name: &[u8], to: &mut Packer) -> Result<bool, Refused> {
        let code = const { code::<V>(R::TYPE, true) };
        let message = matches!(V::KIND, Kind::Message(_));
        let compack = to.variant == Variant::Compack;
        if self.is_empty() {
            return Ok(to.to.empty(name, compack && message, R::ON));
        }
        if compack && message && !name.is_empty() {
            V::write_columns(self, name, to)?;
        } else if compack && is_number(V::KIND) {
            to.isoarray(code, name, self);
        } else {
            to.array(name, self.iter(), |item, to| item.write(code, b"", to))?;
        }
        Ok(true)
    }

    #[inline]
    fn unpack(&mut self, member: Field<'_>, from: &mut Unpacker) -> Result<bool, Refused> {
        from.repeated(self, member).map(|()| true)
    }
}
