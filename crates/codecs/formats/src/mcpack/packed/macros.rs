//! Macros for messages of `polywire-build`.

/// Implements [`Packed`](super::Packed) for a message that buffa's generator made.
#[macro_export]
#[doc(hidden)]
macro_rules! __packed {
    (
        $type:ty, required $required:literal, by_name $by_name:tt,
        { $($at:literal: $name:literal $field:ident $rule:tt;)* }
    ) => {
        impl $crate::mcpack::packed::Members for $type {
            const MEMBERS: &'static [&'static str] = &[$($name),*];
            const BY_NAME: &'static [u16] = &$by_name;
            const REQUIRED: u64 = $required;

            fn unpack(
                &mut self,
                at: usize,
                member: $crate::mcpack::packed::Field<'_>,
                from: &mut $crate::mcpack::packed::Unpacker,
            ) -> ::std::result::Result<bool, $crate::mcpack::packed::Refused> {
                let _ = (&member, &from);
                match at {
                    $($at => $crate::mcpack::packed::Place::unpack(&mut self.$field, member, from),)*
                    _ => ::std::result::Result::Ok(false),
                }
            }
        }

        impl $crate::mcpack::packed::Packed for $type {
            fn pack(
                &self,
                to: &mut $crate::mcpack::packed::Packer,
            ) -> ::std::result::Result<u32, $crate::mcpack::packed::Refused> {
                let mut count = 0;
                $(
                    count += u32::from($crate::__pack!(self.$field, $name.as_bytes(), to, $rule)?);
                )*
                let _ = to;
                ::std::result::Result::Ok(count)
            }

            fn pack_item(
                &self,
                at: usize,
                to: &mut $crate::mcpack::packed::Packer,
            ) -> ::std::result::Result<bool, $crate::mcpack::packed::Refused> {
                let _ = &to;
                match at {
                    $($at => $crate::__pack!(self.$field, b"", to, $rule),)*
                    _ => ::std::result::Result::Ok(false),
                }
            }
        }
    };
}

/// Writes a field according to its rule.
#[macro_export]
#[doc(hidden)]
macro_rules! __pack {
    ($place:expr, $name:expr, $to:expr, [$idl:literal $on:literal $required:literal]) => {
        $crate::mcpack::packed::Place::pack::<$crate::mcpack::packed::Rule<$idl, $on, $required>>(
            &$place, $name, $to,
        )
    };
}

/// Makes a closed enum usable as the value of fields.
#[macro_export]
#[doc(hidden)]
macro_rules! __packed_enum {
    ($type:ty) => {
        impl $crate::mcpack::packed::Value for $type {
            const KIND: $crate::schema::Kind = $crate::schema::Kind::Int32;

            #[inline]
            fn bits(&self) -> u64 {
                $crate::generated::buffa::Enumeration::to_i32(self) as u64
            }

            #[inline]
            fn from_bits(bits: u64) -> ::std::option::Option<Self> {
                $crate::generated::buffa::Enumeration::from_i32(bits as i32)
            }
        }
    };
}
