//! Names for addresses, from the program's symbols and debug information; crate backtrace reads them.

use crate::{
    modules::Mapping,
    profile::{Function, Location},
};
use std::collections::HashMap;

/// Functions inlined at one address.
const MOST_INLINED: usize = 64;
/// Characters of a name: generic types make names of kilobytes.
const MOST_NAME: usize = 1000;

/// The locations and functions found so far, each once.
#[derive(Default)]
pub(crate) struct Symbols {
    locations: Vec<Location>,
    by_address: HashMap<u64, u32>,
    functions: Vec<Function>,
    by_function: HashMap<Function, u32>,
}

impl Symbols {
    /// The location at an address, which is the address of an instruction or lies within a call.
    pub fn location(&mut self, address: u64, mappings: &[Mapping]) -> u32 {
        if let Some(known) = self.by_address.get(&address) {
            return *known;
        }
        let mut lines = Vec::new();
        // `resolve` takes addresses to which calls return, which are those behind the call, and subtracts
        // one.
        let behind = address.wrapping_add(1) as usize as *mut std::ffi::c_void;
        backtrace::resolve(behind, |symbol| {
            let Some(name) = symbol.name() else { return };
            if lines.len() < MOST_INLINED {
                let file = symbol.filename().map(|file| file.to_string_lossy().into_owned());
                let line = symbol.lineno().unwrap_or(0);
                // Without its hash.
                lines.push((shortened(format!("{name:#}")), shortened(file.unwrap_or_default()), line));
            }
        });
        let mapping = mappings.partition_point(|mapping| mapping.addresses.end <= address);
        let mapping =
            mappings.get(mapping).filter(|found| found.addresses.contains(&address)).map(|_| mapping as u32);
        if lines.is_empty() {
            let name = match mapping.map(|at| &mappings[at as usize]) {
                Some(found) => {
                    let file = found.path.rsplit('/').next().unwrap_or("");
                    format!("[{file}+{:#x}]", address - found.addresses.start + found.offset)
                }
                None => "[unknown]".to_owned(),
            };
            lines.push((name, String::new(), 0));
        }
        let lines = lines.into_iter().map(|(name, file, line)| (self.function(name, file), line)).collect();
        self.push(address, mapping, lines)
    }

    /// Removes the frames of this crate, which recorded the stack, from that stack.
    pub fn without_own(&self, stack: &mut Vec<u32>) {
        const OWN: [&str; 6] = [
            "polywire_profile::heap::",
            "polywire_profile::walk::",
            "polywire_profile::locks::",
            "polywire_base::lock::",
            "__rust_alloc",
            "__rust_realloc",
        ];
        let is_own = |at: &u32| {
            let lines = &self.locations[*at as usize].lines;
            lines.iter().any(|(function, _)| {
                let name = &self.functions[*function as usize].name;
                OWN.iter().any(|own| name.contains(own))
            })
        };
        let most = stack.len().min(16);
        let own = stack[..most].iter().rposition(is_own).map_or(0, |last| last + 1);
        stack.drain(..own);
    }

    /// The location that stands for all others.
    pub fn others(&mut self) -> u32 {
        let function = self.function("[other stacks]".to_owned(), String::new());
        self.push(0, None, vec![(function, 0)])
    }

    fn push(&mut self, address: u64, mapping: Option<u32>, lines: Vec<(u32, u32)>) -> u32 {
        let at = self.locations.len() as u32;
        self.locations.push(Location { address, mapping, lines });
        self.by_address.insert(address, at);
        at
    }

    fn function(&mut self, name: String, file: String) -> u32 {
        let function = Function { name, file };
        if let Some(known) = self.by_function.get(&function) {
            return *known;
        }
        let at = self.functions.len() as u32;
        self.functions.push(function.clone());
        self.by_function.insert(function, at);
        at
    }

    pub fn finish(self) -> (Vec<Location>, Vec<Function>) {
        (self.locations, self.functions)
    }
}

fn shortened(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MOST_NAME) {
        text.truncate(end);
    }
    text
}
