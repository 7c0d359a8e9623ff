//! Settings that belong to a single protocol: keys, endpoints, dialects.

use std::{any::Any, fmt, sync::Arc};

/// Values by their type. A protocol defines a type for its own settings and reads it; the code between the
/// setter and the machine does not know the type.
#[derive(Clone, Default)]
pub struct Extensions {
    list: Vec<Arc<dyn Any + Send + Sync>>,
}

impl Extensions {
    /// Adds a value; replaces one of the same type.
    pub fn insert<T: Any + Send + Sync>(&mut self, value: Arc<T>) {
        self.list.retain(|other| !(**other).is::<T>());
        self.list.push(value);
    }

    /// A reference to the value of this type.
    pub fn get_ref<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.list.iter().find_map(|value| value.downcast_ref())
    }

    /// The value of this type.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.list.iter().find_map(|value| value.clone().downcast().ok())
    }
}

impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Extensions({})", self.list.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_one_value() {
        let mut extensions = Extensions::default();
        extensions.insert(Arc::new(1u32));
        extensions.insert(Arc::new("text"));
        extensions.insert(Arc::new(2u32));
        assert_eq!(extensions.get::<u32>().as_deref(), Some(&2));
        assert_eq!(extensions.get::<&str>().as_deref(), Some(&"text"));
        assert_eq!(extensions.get_ref::<u32>(), Some(&2));
        assert_eq!(extensions.get::<u8>(), None);
    }
}
