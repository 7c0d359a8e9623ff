//! Fields whose value is a message.

use std::{fmt, marker::PhantomData, ops::Deref};

/// A field whose value is a message `T`; unset by default.
///
/// It can be read like the message itself; an unset field reads as a default message, as in other languages
/// of protobuf. There are methods to ask whether it is set:
///
/// ```
/// # use polywire_formats::{MessageField, wkt::Timestamp};
/// # use std::time::SystemTime;
/// let mut updated_at = MessageField::<Timestamp>::none();
/// assert_eq!(updated_at.seconds, 0);
/// assert!(updated_at.is_unset());
///
/// updated_at = Timestamp { seconds: 5, nanos: 0 }.into();     // from the message
/// updated_at = SystemTime::now().into();                      // from a type that converts to it
/// updated_at.get_or_insert_default().nanos = 0;               // in place
/// if let Some(time) = updated_at.as_option() {
///     println!("updated {} s after 1970", time.seconds);
/// }
/// updated_at = None.into();
/// # assert!(updated_at.is_unset());
/// ```
///
/// Two fields are equal if both are unset, or both are set to equal messages.
///
/// `P` is how the message is stored: in place by default, in a `Box` where a message contains itself. Code
/// that accepts both is generic over [`Storage`].
pub struct MessageField<T, P = T> {
    stored: Option<P>,
    message: PhantomData<T>,
}

/// How a [`MessageField`] stores a message `T`: in place, or in a `Box`.
pub trait Storage<T>: sealed::Sealed<T> {
    #[doc(hidden)]
    fn store(message: T) -> Self;
    #[doc(hidden)]
    fn into_message(self) -> T;
    #[doc(hidden)]
    fn message(&self) -> &T;
    #[doc(hidden)]
    fn message_mut(&mut self) -> &mut T;
}

/// A message that can be a field of others: every generated message, except those of prost.
pub trait FieldMessage: unset::Unset {}

mod unset {
    /// The trait that the generator implements for every message.
    pub trait Unset: Default + 'static {
        /// The message that an unset field reads as.
        fn unset() -> &'static Self;
    }

    impl<T: buffa::DefaultInstance> Unset for T {
        #[inline]
        fn unset() -> &'static T {
            T::default_instance()
        }
    }
}

mod sealed {
    pub trait Sealed<T> {}
    impl<T> Sealed<T> for T {}
    impl<T> Sealed<T> for Box<T> {}
}

impl<T> Storage<T> for T {
    #[inline]
    fn store(message: T) -> T {
        message
    }
    #[inline]
    fn into_message(self) -> T {
        self
    }
    #[inline]
    fn message(&self) -> &T {
        self
    }
    #[inline]
    fn message_mut(&mut self) -> &mut T {
        self
    }
}

impl<T> Storage<T> for Box<T> {
    #[inline]
    fn store(message: T) -> Box<T> {
        Box::new(message)
    }
    #[inline]
    fn into_message(self) -> T {
        *self
    }
    #[inline]
    fn message(&self) -> &T {
        self
    }
    #[inline]
    fn message_mut(&mut self) -> &mut T {
        self
    }
}

impl<T, P> MessageField<T, P> {
    /// A field that is not set; reading it gives the default message.
    #[inline]
    pub const fn none() -> Self {
        MessageField { stored: None, message: PhantomData }
    }
    #[inline]
    pub const fn is_set(&self) -> bool {
        self.stored.is_some()
    }
    #[inline]
    pub const fn is_unset(&self) -> bool {
        self.stored.is_none()
    }
}

impl<T, P: Storage<T>> MessageField<T, P> {
    /// A field that is set.
    #[inline]
    pub fn some(message: T) -> Self {
        MessageField { stored: Some(<P as Storage<T>>::store(message)), message: PhantomData }
    }
    /// The message, if the field is set.
    #[inline]
    pub fn as_option(&self) -> Option<&T> {
        self.stored.as_ref().map(<P as Storage<T>>::message)
    }
    /// The message, mutable, if the field is set.
    #[inline]
    pub fn as_option_mut(&mut self) -> Option<&mut T> {
        self.stored.as_mut().map(<P as Storage<T>>::message_mut)
    }
    /// Converts into the message, if the field is set.
    #[inline]
    pub fn into_option(self) -> Option<T> {
        self.stored.map(<P as Storage<T>>::into_message)
    }
    /// Takes the message out and leaves the field unset.
    #[inline]
    pub fn take(&mut self) -> Option<T> {
        self.stored.take().map(<P as Storage<T>>::into_message)
    }
}

impl<T: Default, P: Storage<T>> MessageField<T, P> {
    /// The message, mutable; an unset field is first set to the default message.
    #[inline]
    pub fn get_or_insert_default(&mut self) -> &mut T {
        let stored = self.stored.get_or_insert_with(|| <P as Storage<T>>::store(T::default()));
        <P as Storage<T>>::message_mut(stored)
    }
}

/// An unset field dereferences to a default message.
impl<T: FieldMessage, P: Storage<T>> Deref for MessageField<T, P> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match &self.stored {
            Some(stored) => <P as Storage<T>>::message(stored),
            None => T::unset(),
        }
    }
}

impl<T, P> Default for MessageField<T, P> {
    #[inline]
    fn default() -> Self {
        Self::none()
    }
}

impl<T, P: Storage<T>> From<T> for MessageField<T, P> {
    #[inline]
    fn from(message: T) -> Self {
        Self::some(message)
    }
}

impl<T, P: Storage<T>> From<Option<T>> for MessageField<T, P> {
    #[inline]
    fn from(message: Option<T>) -> Self {
        MessageField { stored: message.map(<P as Storage<T>>::store), message: PhantomData }
    }
}

impl<T, P: Storage<T>> From<MessageField<T, P>> for Option<T> {
    #[inline]
    fn from(field: MessageField<T, P>) -> Self {
        field.into_option()
    }
}

// Written by hand: derived ones would require these traits of the message too, not only of what stores it.
impl<T, P: Clone> Clone for MessageField<T, P> {
    fn clone(&self) -> Self {
        MessageField { stored: self.stored.clone(), message: PhantomData }
    }
}

impl<T, P: Copy> Copy for MessageField<T, P> {}

impl<T, P: PartialEq> PartialEq for MessageField<T, P> {
    fn eq(&self, other: &Self) -> bool {
        self.stored == other.stored
    }
}

impl<T, P: Eq> Eq for MessageField<T, P> {}

impl<T, P: PartialOrd> PartialOrd for MessageField<T, P> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.stored.partial_cmp(&other.stored)
    }
}

impl<T, P: Ord> Ord for MessageField<T, P> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.stored.cmp(&other.stored)
    }
}

impl<T, P: std::hash::Hash> std::hash::Hash for MessageField<T, P> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.stored.hash(state);
    }
}

impl<T, P: fmt::Debug> fmt::Debug for MessageField<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stored.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::MessageField;

    /// Presence is part of a message's value: a peer can tell the two apart.
    #[test]
    fn a_set_field_is_not_equal_to_an_unset_one() {
        assert_ne!(MessageField::<i32>::some(0), MessageField::none());
        assert_eq!(MessageField::<i32>::some(0), 0.into());
        assert_eq!(MessageField::<i32, Box<i32>>::none(), None.into());
    }

    #[test]
    fn a_message_in_place_costs_no_memory_beside_it() {
        assert_eq!(size_of::<MessageField<[u64; 3]>>(), size_of::<Option<[u64; 3]>>());
        assert_eq!(size_of::<MessageField<[u64; 3], Box<[u64; 3]>>>(), size_of::<usize>());
    }

    #[test]
    fn a_field_gives_its_message_away_and_takes_it_back() {
        let mut field: MessageField<String, Box<String>> = "a".to_owned().into();
        field.as_option_mut().unwrap().push('b');
        assert_eq!((field.take().as_deref(), field.take()), (Some("ab"), None));
        field.get_or_insert_default().push('c');
        assert_eq!(Option::from(field), Some("c".to_owned()));
    }
}
