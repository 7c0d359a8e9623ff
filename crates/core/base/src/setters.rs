//! Setters of structs of options.

/// Adds a chained setter for each field of a struct of options, with the field's name:
/// `Limits::default().streams(10)`. Those after `optional` are for fields of `Option`, and take a value or
/// `None`.
#[doc(hidden)]
#[macro_export]
macro_rules! setters {
    (
        $type:ty { $($field:ident: $value:ty),* $(,)? }
        $(optional { $($option:ident: $some:ty),* $(,)? })?
    ) => {
        impl $type {
            $(
                #[doc = concat!("Sets `", stringify!($field), "`, see the field of that name.")]
                #[must_use]
                pub const fn $field(mut self, $field: $value) -> Self {
                    self.$field = $field;
                    self
                }
            )*
            $($(
                #[doc = concat!("Sets `", stringify!($option), "`, see the field of that name; `None`: there is none.")]
                #[must_use]
                pub fn $option(mut self, $option: impl Into<Option<$some>>) -> Self {
                    self.$option = $option.into();
                    self
                }
            )*)?
        }
    };
}
