//! The order of the methods of services, for protocols that say a method's position in place of its name.
//!
//! It is known from lists of names, or from schemas. Callers name a service without its package, as a rule; a
//! name that several services have is none.

use crate::schemas::{Schemas, Short, short_names};
use polywire_wire::HashOfNames;
use std::{collections::HashMap, sync::Arc};

/// Lists of methods, each by the full name of its service.
#[derive(Default)]
pub(crate) struct Lists {
    services: HashMap<Box<str>, Box<[Box<str>]>>,
    short: Short,
    /// The names of service and method by their hash, for a protocol that says one.
    hashed: HashMap<u32, (Box<str>, Box<str>)>,
}

impl Lists {
    /// These and one more; a list of the same service is replaced. `hash`: what requests say of a method.
    ///
    /// # Errors
    /// Two methods have the same hash.
    pub fn with(
        &self,
        service: &str,
        methods: Vec<Box<str>>,
        hash: Option<HashOfNames>,
    ) -> Result<Lists, String> {
        let mut services = self.services.clone();
        services.insert(service.into(), methods.into());
        let short = short_names(services.keys().map(|service| &**service));
        let mut hashed = HashMap::new();
        if let Some(hash) = hash {
            let listed =
                services.iter().flat_map(|(service, methods)| methods.iter().map(move |m| (service, m)));
            for (service, method) in listed {
                let number = hash(service, method);
                if let Some((other, its)) = hashed.insert(number, (service.clone(), method.clone())) {
                    let text = format!("{service}/{method} and {other}/{its} have the same number, {number}");
                    return Err(text);
                }
            }
        }
        Ok(Lists { services, short, hashed })
    }

    /// The method with this hash.
    pub fn hashed(&self, hash: u32) -> Option<(&str, &str)> {
        self.hashed.get(&hash).map(|(service, method)| (&**service, &**method))
    }

    /// Whether a method is in one of them.
    pub fn have(&self, (service, method): (&str, &str)) -> bool {
        self.of(service).is_some_and(|methods| methods.iter().any(|listed| **listed == *method))
    }

    fn named(&self, service: &str) -> Named {
        Named::of(service, self.services.contains_key(service), &self.short)
    }

    fn of(&self, full_name: &str) -> Option<&[Box<str>]> {
        self.services.get(full_name).map(|methods| &**methods)
    }
}

/// What a name of a service stands for, which may lack the package.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Named {
    Nothing,
    /// The service of this full name.
    One(String),
    Several,
}

impl Named {
    /// `is_full`: whether there is a service of this full name.
    pub fn of(service: &str, is_full: bool, short: &Short) -> Named {
        let full = if is_full { Named::One(service.to_owned()) } else { Named::Nothing };
        full.and(match short.get(service) {
            None => Named::Nothing,
            Some(None) => Named::Several,
            Some(Some(full)) => Named::One(full.to_string()),
        })
    }

    /// By what two sources say.
    pub fn and(self, other: Named) -> Named {
        match (self, other) {
            (Named::Nothing, named) | (named, Named::Nothing) => named,
            (one, other) if one == other => one,
            _ => Named::Several,
        }
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

    /// What a name of a service stands for.
    pub fn named(&self, service: &str) -> Named {
        let listed = self.lists.as_ref().map_or(Named::Nothing, |lists| lists.named(service));
        listed.and(self.schemas.as_ref().map_or(Named::Nothing, |schemas| schemas.named(service)))
    }

    /// A service was asked for that is not known.
    pub fn missed(&self) {
        self.schemas.iter().for_each(Schemas::missed);
    }

    /// The position of a method in its service. `is_short`: servers are told the name of the service without
    /// its package.
    ///
    /// # Errors
    /// Why it is not known, or says too little.
    pub fn position(&self, (service, method): (&str, &str), is_short: bool) -> Result<u32, String> {
        let full = match self.named(service) {
            Named::Several => return Err(format!("several services are called {service}")),
            Named::One(full) => full,
            Named::Nothing => service.to_owned(),
        };
        let short = full.rsplit('.').next().unwrap_or(&full);
        if is_short && self.named(short) == Named::Several {
            return Err(format!("several services are called {short}, and servers are told no more of it"));
        }
        if let Some(methods) = self.lists.as_ref().and_then(|lists| lists.of(&full)) {
            let position = methods.iter().position(|listed| **listed == *method);
            let lacking = || format!("the list of the methods of {full} does not have {method}");
            return position.map(|position| position as u32).ok_or_else(lacking);
        }
        match &self.schemas {
            Some(schemas) => schemas.position((&full, method)),
            None => Err(format!("no schema and no list has the methods of {service}")),
        }
    }

    /// The method at a position of the service of this full name.
    pub fn at(&self, full_name: &str, position: u32) -> Option<String> {
        if let Some(methods) = self.lists.as_ref().and_then(|lists| lists.of(full_name)) {
            return methods.get(position as usize).map(ToString::to_string);
        }
        self.schemas.as_ref()?.at(full_name, position)
    }
}
