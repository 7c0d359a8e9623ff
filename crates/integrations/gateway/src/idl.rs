//! What methods call their parameter and their return value in an old IDL.

use polywire_call::ConfigError;
use polywire_server::are_plain_names;
use std::collections::HashMap;

/// The names of a cluster's methods, if it says any.
#[derive(Clone, Default)]
pub(crate) struct Idl {
    all: Option<Names>,
    /// Those of methods that have others.
    methods: HashMap<Box<str>, Names>,
}

/// Of the parameter, and of the return value.
#[derive(Clone)]
struct Names(Box<str>, Box<str>);

/// The most bytes of a name in mcpack.
pub(crate) const LONGEST_NAME: usize = 254;

impl Idl {
    pub fn of_all(&mut self, request: &str, response: &str) -> Result<(), ConfigError> {
        self.all = Some(Names::new(request, response)?);
        Ok(())
    }

    pub fn of_method(&mut self, method: &str, request: &str, response: &str) -> Result<(), ConfigError> {
        let names = Names::new(request, response)?;
        if !are_plain_names("_", method) {
            let shown = polywire_call::bounded(method, LONGEST_NAME);
            return Err(ConfigError::new("idl", format!("{shown:?} is not the name of a method")));
        }
        self.methods.insert(method.into(), names);
        Ok(())
    }

    pub fn names(&self, method: &str) -> Option<(&str, &str)> {
        self.methods
            .get(method)
            .or(self.all.as_ref())
            .map(|Names(request, response)| (&**request, &**response))
    }
}

impl Names {
    fn new(request: &str, response: &str) -> Result<Names, ConfigError> {
        if request.len().max(response.len()) > LONGEST_NAME {
            return Err(ConfigError::new("idl", format!("a name has at most {LONGEST_NAME} bytes")));
        }
        Ok(Names(request.into(), response.into()))
    }
}
