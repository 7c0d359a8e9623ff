//! The order of the methods of services, for protocols that say a method's position in place of its name.
//!
//! It is known from lists of names, or from schemas. Callers name a service without its package, as a rule; a
//! name that several services have is none.

use crate::schemas::{Schemas, Short, short_names};
use std::{collections::HashMap, sync::Arc};

/// Lists of methods, each by the full name of its service.
#[derive(Default)]
pub(crate) struct Lists {
    services: HashMap<Box<str>, Box<[Box<str>]>>,
    short: Short,
}

impl Lists {
    /// These and one more; a list of the same service is replaced.
    pub fn with(&self, service: &str, methods: Vec<Box<str>>) -> Lists {
        let mut services = self.services.clone();
        services.insert(service.into(), methods.into());
        let short = short_names(services.keys().map(|service| &**service));
        Lists { services, short }
    }

    fn find(&self, service: &str) -> Option<(&str, &[Box<str>])> {
        let (full, methods) = self.services.get_key_value(service).or_else(|| {
            let full = self.short.get(service)?.as_deref()?;
            self.services.get_key_value(full)
        })?;
        Some((full, methods))
    }
}

/// What is known of the order of a cluster's methods. Lists come before schemas.
#[derive(Clone, Default)]
pub(crate) struct Order {
    pub lists: Option<Arc<Lists>>,
    pub schemas: Option<Schemas>,
}

impl Order {
    pub fn is_empty(&self) -> bool {
        self.lists.is_none() && self.schemas.is_none()
    }

    /// Whether both are the same by what they were made of.
    pub fn is_same(&self, other: &Order) -> bool {
        let same_lists = match (&self.lists, &other.lists) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        let same_schemas = match (&self.schemas, &other.schemas) {
            (Some(one), Some(other)) => one.is_same(other),
            (one, other) => one.is_none() && other.is_none(),
        };
        same_lists && same_schemas
    }

    /// The position of a method in its service.
    ///
    /// # Errors
    /// Why it is not known.
    pub fn position(&self, (service, method): (&str, &str)) -> Result<u32, String> {
        if let Some((full, methods)) = self.lists.as_ref().and_then(|lists| lists.find(service)) {
            let position = methods.iter().position(|listed| **listed == *method);
            let lacking = || format!("the list of the methods of {full} does not have {method}");
            return position.map(|position| position as u32).ok_or_else(lacking);
        }
        match &self.schemas {
            Some(schemas) => schemas.position((service, method)),
            None => Err(format!("no schema and no list has the methods of {service}")),
        }
    }

    /// The method at a position of a service: the full name of the service, and that of the method.
    pub fn at(&self, service: &str, position: u32) -> Option<(String, String)> {
        if let Some((full, methods)) = self.lists.as_ref().and_then(|lists| lists.find(service)) {
            let method = methods.get(position as usize)?;
            return Some((full.to_owned(), method.to_string()));
        }
        self.schemas.as_ref()?.at(service, position)
    }
}
