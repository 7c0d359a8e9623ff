//! Facts about structs that are needed before their Rust types are written: which contain themselves, which
//! are keys of maps, which have a default.

use polywire_thrift_idl::{Field, Id, Kind, Requiredness, Schema, StructKind, Type};
use std::collections::HashSet;

/// Facts about the structs of a schema.
pub(super) struct Facts {
    /// Structs that are part of a set's element or a map's key: they have an order.
    pub keys: HashSet<Id>,
    /// Structs with doubles, whose values are neither equal to themselves nor ordered.
    pub doubles: HashSet<Id>,
    /// Structs that have a default.
    pub defaults: HashSet<Id>,
    /// Pairs of structs of which the first has a field of the second, and the second contains the first.
    cycles: HashSet<(Id, Id)>,
}

impl Facts {
    pub fn of(schema: &Schema) -> Facts {
        let mut facts = Facts {
            keys: HashSet::new(),
            doubles: HashSet::new(),
            defaults: HashSet::new(),
            cycles: HashSet::new(),
        };
        facts.find_keys(schema);
        facts.find_cycles(schema);
        let structs = || {
            schema.items.iter().enumerate().filter_map(|(id, item)| match &item.what {
                Kind::Struct(of) => Some((id, of)),
                _ => None,
            })
        };
        // Both grow until nothing changes.
        loop {
            let before = facts.doubles.len() + facts.defaults.len();
            for (id, of) in structs() {
                let is_key = facts.keys.contains(&id);
                if !is_key && of.fields.iter().any(|field| facts.has_double(schema, &field.kind)) {
                    facts.doubles.insert(id);
                }
                let required = of.fields.iter().filter(|f| f.requiredness == Requiredness::Required);
                let has = |field: &Field| field.default.is_some() || facts.has_default(schema, &field.kind);
                if of.kind != StructKind::Union && required.clone().all(has) {
                    facts.defaults.insert(id);
                }
            }
            if before == facts.doubles.len() + facts.defaults.len() {
                return facts;
            }
        }
    }

    /// Whether a type of a field contains a plain double.
    pub fn has_double(&self, schema: &Schema, kind: &Type) -> bool {
        match schema.follow(kind) {
            Type::Double => true,
            Type::List(of) => self.has_double(schema, of),
            // Keys have a double that is ordered.
            Type::Map(_, value) => self.has_double(schema, value),
            Type::Struct(id) => self.doubles.contains(id),
            _ => false,
        }
    }

    /// Whether a type has a default.
    pub fn has_default(&self, schema: &Schema, kind: &Type) -> bool {
        match schema.follow(kind) {
            Type::Struct(id) => self.defaults.contains(id),
            _ => true,
        }
    }

    /// Whether a field of this struct contains the struct again, so that it needs a box.
    pub fn is_recursive(&self, schema: &Schema, owner: Option<Id>, kind: &Type) -> bool {
        match (schema.follow(kind), owner) {
            (Type::Struct(id), Some(owner)) => self.cycles.contains(&(owner, *id)),
            _ => false,
        }
    }

    fn find_keys(&mut self, schema: &Schema) {
        // Types that stand in a key, with everything in them, and types that do not.
        let (mut keys, mut others) = (Vec::new(), Vec::new());
        for item in &schema.items {
            match &item.what {
                Kind::Typedef(kind) | Kind::Const(kind, _) => others.push(kind),
                Kind::Struct(of) => others.extend(of.fields.iter().map(|field| &field.kind)),
                Kind::Service(service) => {
                    for method in &service.methods {
                        others.extend(method.arguments.iter().map(|field| &field.kind));
                        others.extend(&method.returns);
                    }
                }
                Kind::Enum(_) => {}
            }
        }
        while let Some(kind) = others.pop() {
            match kind {
                Type::Set(of) => keys.push(&**of),
                Type::Map(key, value) => {
                    keys.push(key);
                    others.push(value);
                }
                Type::List(of) => others.push(of),
                _ => {}
            }
        }
        while let Some(kind) = keys.pop() {
            match schema.follow(kind) {
                Type::Set(of) | Type::List(of) => keys.push(of),
                Type::Map(key, value) => keys.extend([&**key, &**value]),
                Type::Struct(id) if self.keys.insert(*id) => {
                    keys.extend(schema.structure(*id).fields.iter().map(|field| &field.kind));
                }
                _ => {}
            }
        }
    }

    fn find_cycles(&mut self, schema: &Schema) {
        let fields = |id: Id| -> Vec<Id> {
            let Kind::Struct(of) = &schema.items[id].what else { return Vec::new() };
            let direct = of.fields.iter().filter_map(|field| match schema.follow(&field.kind) {
                Type::Struct(id) => Some(*id),
                _ => None,
            });
            direct.collect()
        };
        for owner in 0..schema.items.len() {
            for direct in fields(owner) {
                let (mut seen, mut open) = (HashSet::from([direct]), vec![direct]);
                while let Some(next) = open.pop() {
                    if next == owner {
                        self.cycles.insert((owner, direct));
                        break;
                    }
                    open.extend(fields(next).into_iter().filter(|id| seen.insert(*id)));
                }
            }
        }
    }
}
