//! Conversions of the wrappers, which hold one value for fields that may be unset; and of `Empty` and
//! `FieldMask`.

use super::{
    BoolValue, BytesValue, DoubleValue, Empty, FieldMask, FloatValue, Int32Value, Int64Value, StringValue,
    UInt32Value, UInt64Value,
};

macro_rules! wrappers {
    ($($wrapper:ident: $value:ty;)*) => {
        $(
            impl From<$value> for $wrapper {
                #[inline]
                fn from(value: $value) -> $wrapper {
                    $wrapper { value }
                }
            }

            impl From<$wrapper> for $value {
                #[inline]
                fn from(wrapper: $wrapper) -> $value {
                    wrapper.value
                }
            }
        )*
        super::fields! { $($value => $wrapper;)* }
    };
}

wrappers! {
    BoolValue: bool;
    BytesValue: Vec<u8>;
    DoubleValue: f64;
    FloatValue: f32;
    Int32Value: i32;
    Int64Value: i64;
    StringValue: String;
    UInt32Value: u32;
    UInt64Value: u64;
}

impl From<&str> for StringValue {
    fn from(value: &str) -> StringValue {
        value.to_owned().into()
    }
}

impl From<()> for Empty {
    fn from((): ()) -> Empty {
        Empty {}
    }
}

super::fields! {
    &str => StringValue;
    () => Empty;
}

impl<S: Into<String>> FromIterator<S> for FieldMask {
    fn from_iter<I: IntoIterator<Item = S>>(paths: I) -> FieldMask {
        FieldMask { paths: paths.into_iter().map(Into::into).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MessageField;

    #[test]
    fn wrappers_are_made_of_what_they_wrap() {
        let name: MessageField<StringValue> = "a".into();
        assert_eq!(name.as_option().map(|name| &*name.value), Some("a"));
        assert_eq!(u64::from(UInt64Value::from(7)), 7);
        assert_eq!(["a", "b.c"].into_iter().collect::<FieldMask>().paths, ["a", "b.c"]);
        let nothing: MessageField<Empty> = ().into();
        assert!(nothing.is_set());
    }
}
