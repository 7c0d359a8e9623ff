//! Tables: a view to read, `Args` and `create` to build, a `Buf` to send.

use super::Emit;
use crate::{emit::Text, model::names};
use polywire_fbs::{Field, Item, Table, Type, Value};

pub(super) const OPTION: &str = "::std::option::Option";

impl Emit<'_> {
    pub(super) fn table(&self, text: &mut Text, item: &Item, table: &Table) {
        let name = names::type_name(&item.name);
        let fields: Vec<&Field> = table.fields.iter().filter(|field| !field.deprecated).collect();
        text.line("");
        text.doc(&item.comment);
        text.line("#[derive(Clone, Copy)]");
        text.line(format!("pub struct {name}<'a>({}::Table<'a>);", self.flatbuffers()));
        text.line("");
        text.doc(&format!("A message that begins with a [`{name}`]."));
        text.line(format!("pub type {name}Buf = {}::Flat<{name}<'static>>;", self.flatbuffers()));
        text.line("");
        text.block(format!("impl<'a> {name}<'a>"), |text| {
            fields.iter().for_each(|field| self.accessors(text, field));
        });
        self.args(text, &name, &fields);
        self.create(text, &name, &fields);
        self.traits(text, &name, table, &fields);
        if self.config.object_api {
            self.object(text, &name, &fields);
        }
        if let Some(key) = table.key() {
            self.keyed(text, &format!("{name}<'_>"), &key.name, &key.kind, "()");
        }
    }

    fn accessors(&self, text: &mut Text, field: &Field) {
        let (slot, name) = (field.slot, names::field(&field.name));
        text.doc(&field.comment);
        text.line("#[inline]");
        if let Some(place) = field.kind.union() {
            self.union_accessors(text, field, place);
            return;
        }
        let kind = self.read_type(&field.kind);
        let get = format!("self.0.field({slot})");
        let (returns, get) = match (&field.kind, &field.default) {
            (Type::Scalar(_) | Type::Enum(_), Value::Null) => (format!("{OPTION}<{kind}>"), get),
            (Type::Scalar(_) | Type::Enum(_), default) => {
                (kind.clone(), format!("{get}.unwrap_or({})", self.value(&field.kind, default)))
            }
            (_, Value::Text(text)) => (kind, format!("{get}.unwrap_or({text:?})")),
            (_, Value::Empty) => (kind, format!("{get}.unwrap_or_default()")),
            _ if field.required => (kind, format!("self.0.required({slot})")),
            _ => (format!("{OPTION}<{kind}>"), get),
        };
        text.block(format!("pub fn {name}(&self) -> {returns}"), |text| text.line(get));
        if let Some(root) = field.nested {
            self.nested_accessor(text, field, root);
        }
    }

    /// Writes the function for the root of a nested message, which is verified with the message that it is
    /// in.
    fn nested_accessor(&self, text: &mut Text, field: &Field, root: usize) {
        let (name, slot) = (names::field(&format!("{}_nested", field.name)), field.slot);
        let (root, vector) = (self.path(root), format!("{}::Vector<'a, u8>", self.flatbuffers()));
        text.doc(&format!("The message in `{}`.", field.name));
        let wrap = |get: String| format!("{root}({}::Table::root({get}.bytes()))", self.flatbuffers());
        let (returns, get) = match field.required {
            true => (format!("{root}<'a>"), wrap(format!("self.0.required::<{vector}>({slot})"))),
            false => {
                let get =
                    format!("self.0.field::<{vector}>({slot}).map(|bytes| {})", wrap("bytes".to_owned()));
                (format!("{OPTION}<{root}<'a>>"), get)
            }
        };
        text.block(format!("pub fn {name}(&self) -> {returns}"), |text| text.line(get));
    }

    /// The return type of an accessor.
    pub(super) fn read_type(&self, kind: &Type) -> String {
        match kind {
            Type::Scalar(scalar) => scalar.rust.to_owned(),
            Type::String => "&'a str".to_owned(),
            Type::Enum(place) | Type::Struct(place) => self.path(*place),
            Type::Table(place) => format!("{}<'a>", self.path(*place)),
            Type::Vector(of) => format!("{}::Vector<'a, {}>", self.flatbuffers(), self.read_type(of)),
            Type::Union(_) | Type::Array(..) => unreachable!("read otherwise, or refused"),
        }
    }

    /// A default value in Rust.
    pub(super) fn value(&self, kind: &Type, value: &Value) -> String {
        let number = self.literal(kind, value);
        match kind {
            Type::Enum(place) => format!("{}({number})", self.path(*place)),
            _ => number,
        }
    }

    /// Writes the type with the values of a table's fields.
    fn args(&self, text: &mut Text, name: &str, fields: &[&Field]) {
        text.line("");
        text.doc(&format!("What [`{name}::create`] builds a table from."));
        text.line("#[derive(Clone, Copy)]");
        text.block(format!("pub struct {name}Args"), |text| {
            for field in fields {
                let own = names::field(&field.name);
                if let Some(place) = field.kind.union() {
                    let kind = names::field(&format!("{}_type", field.name));
                    text.line(format!("pub {kind}: {},", self.tag_arg(field, place)));
                }
                text.line(format!("pub {own}: {},", self.arg_type(field)));
            }
        });
        text.block(format!("impl ::std::default::Default for {name}Args"), |text| {
            text.block("fn default() -> Self", |text| {
                text.block("Self", |text| {
                    for field in fields {
                        let own = names::field(&field.name);
                        if field.kind.union().is_some() {
                            let kind = names::field(&format!("{}_type", field.name));
                            text.line(format!("{kind}: ::std::default::Default::default(),"));
                        }
                        let value = match (&field.kind, &field.default) {
                            (Type::Scalar(_) | Type::Enum(_), default) if *default != Value::Null => {
                                self.value(&field.kind, default)
                            }
                            _ => format!("{OPTION}::None"),
                        };
                        text.line(format!("{own}: {value},"));
                    }
                });
            });
        });
    }

    fn arg_type(&self, field: &Field) -> String {
        let flatbuffers = self.flatbuffers();
        let kind = match &field.kind {
            Type::Scalar(_) | Type::Enum(_) if field.default != Value::Null => {
                return self.read_type(&field.kind);
            }
            Type::Scalar(_) | Type::Enum(_) | Type::Struct(_) => self.read_type(&field.kind),
            other => format!("{flatbuffers}::Offset<{}>", self.built(other)),
        };
        format!("{OPTION}<{kind}>")
    }

    /// The type that an offset refers to.
    fn built(&self, kind: &Type) -> String {
        let flatbuffers = self.flatbuffers();
        match kind {
            Type::Scalar(scalar) => scalar.rust.to_owned(),
            Type::String => "&'static str".to_owned(),
            Type::Enum(place) | Type::Struct(place) => self.path(*place),
            Type::Table(place) => format!("{}<'static>", self.path(*place)),
            Type::Vector(of) => {
                let of = match &**of {
                    of @ (Type::String | Type::Table(_) | Type::Union(_)) => {
                        format!("{flatbuffers}::Indirect<{}>", self.built(of))
                    }
                    of => self.built(of),
                };
                format!("{flatbuffers}::Items<{of}>")
            }
            Type::Union(_) => format!("{flatbuffers}::UnionValue"),
            Type::Array(..) => unreachable!("refused"),
        }
    }

    fn create(&self, text: &mut Text, name: &str, fields: &[&Field]) {
        let flatbuffers = self.flatbuffers();
        text.line("");
        text.block(format!("impl {name}<'static>"), |text| {
            text.doc("Builds a table.");
            if fields.iter().any(|field| field.required) {
                text.doc("\n# Panics\nIf a required field is missing.");
            }
            text.line("pub fn create(");
            text.line(format!("    builder: &mut {flatbuffers}::Builder,"));
            text.line(format!("    args: &{name}Args,"));
            text.block(format!(") -> {flatbuffers}::Offset<{name}<'static>>"), |text| {
                let mutable = if fields.is_empty() { "" } else { "mut " };
                let (count, bytes) = self.most(fields);
                text.line(format!("let {mutable}table = builder.start_table::<{count}, {bytes}>();"));
                // From the end, the largest first: this needs the least padding.
                for size in [32, 16, 8, 4, 2, 1] {
                    for field in fields.iter().rev() {
                        self.push(text, field, size);
                    }
                }
                for field in fields.iter().filter(|field| field.required) {
                    text.line(format!("table.required({}, \"{}\");", field.slot, field.name));
                }
                text.line("table.end()");
            });
        });
    }

    /// The largest number of fields in a vtable, and their size in bytes with the padding before the largest.
    fn most(&self, fields: &[&Field]) -> (usize, usize) {
        let count = fields.iter().map(|field| usize::from(field.slot) / 2 - 1).max().unwrap_or(0);
        let bytes: usize = fields.iter().map(|field| self.schema.layout(&field.kind).0).sum();
        let tags = || fields.iter().filter_map(|field| self.tag_size(field));
        let align = fields.iter().map(|field| self.schema.layout(&field.kind).1).chain(tags()).max();
        (count, bytes + tags().sum::<usize>() + align.unwrap_or(1) - 1)
    }

    /// Writes a field, if its value in the table has this alignment.
    fn push(&self, text: &mut Text, field: &Field, align: usize) {
        let (name, slot) = (names::field(&field.name), field.slot);
        if self.schema.layout(&field.kind).1 == align {
            self.push_value(text, field, &name, slot);
        }
        if self.tag_size(field) == Some(align) {
            self.push_tag(text, field);
        }
    }

    fn push_value(&self, text: &mut Text, field: &Field, name: &str, slot: u16) {
        let number = if matches!(field.kind, Type::Enum(_)) { ".0" } else { "" };
        text.line(match (&field.kind, &field.default) {
            (Type::Scalar(_) | Type::Enum(_), default) if *default != Value::Null => {
                format!("table.push_slot({slot}, args.{name}{number}, {});", self.literal(&field.kind, default))
            }
            (Type::Struct(_), _) => {
                format!("if let {OPTION}::Some(value) = &args.{name} {{ table.push_struct({slot}, value); }}")
            }
            _ => format!(
                "if let {OPTION}::Some(value) = args.{name} {{ table.push_slot_always({slot}, value{number}); }}"
            ),
        });
    }

    fn traits(&self, text: &mut Text, name: &str, table: &Table, fields: &[&Field]) {
        let flatbuffers = self.flatbuffers();
        text.line("");
        text.block(format!("impl<'a> {flatbuffers}::Read<'a> for {name}<'a>"), |text| {
            text.line("const SIZE: usize = 4;");
            text.line("#[inline]");
            text.block("fn read(buffer: &'a [u8], at: usize) -> Self", |text| {
                text.line(format!("Self({flatbuffers}::Read::read(buffer, at))"));
            });
        });
        text.block(format!("impl {flatbuffers}::Root for {name}<'static>"), |text| {
            text.line(format!("type View<'a> = {name}<'a>;"));
            if let Some(identifier) = &table.identifier {
                text.line(format!(
                    "const IDENTIFIER: {OPTION}<&'static str> = {OPTION}::Some({identifier:?});"
                ));
            }
            let align = self.schema.largest_align();
            if align > size_of::<u64>() {
                text.line(format!("const ALIGN: usize = {align};"));
            }
            text.line("#[inline]");
            text.block(format!("fn view(table: {flatbuffers}::Table<'_>) -> {name}<'_>"), |text| {
                text.line(format!("{name}(table)"));
            });
        });
        text.block(format!("impl ::std::fmt::Debug for {name}<'_>"), |text| {
            text.block("fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result", |text| {
                text.line(format!("let mut table = f.debug_struct({name:?});"));
                for field in fields {
                    let shown = match field.kind.union() {
                        Some(_) => format!("{}_type", field.name),
                        None => field.name.clone(),
                    };
                    text.line(format!("table.field({shown:?}, &self.{}());", names::field(&shown)));
                }
                text.line("table.finish()");
            });
        });
        text.block(format!("impl {flatbuffers}::Verifiable for {name}<'_>"), |text| {
            self.run_verifier(text, |text| {
                text.line("verifier");
                text.line("    .visit_table(at)?");
                for field in fields {
                    text.line(format!("    {}", self.visit(field)));
                }
                text.line("    .finish();");
                text.line("::std::result::Result::Ok(())");
            });
        });
    }

    /// Writes the function of `Verifiable`.
    pub(super) fn run_verifier(&self, text: &mut Text, body: impl FnOnce(&mut Text)) {
        let flatbuffers = self.flatbuffers();
        let verifier = format!("verifier: &mut {flatbuffers}::Verifier<'_>");
        text.block(format!("fn run_verifier({verifier}, at: usize) -> {flatbuffers}::Verified"), body);
    }

    fn visit(&self, field: &Field) -> String {
        let (name, slot, required) = (&field.name, field.slot, field.required);
        match field.kind.union() {
            Some(place) => self.visit_union(field, place),
            None => {
                let verified = match field.nested {
                    Some(root) => {
                        let (flatbuffers, root) = (self.flatbuffers(), self.path(root));
                        format!("{flatbuffers}::Indirect<{flatbuffers}::Nested<{root}<'_>>>")
                    }
                    None => self.verified(&field.kind),
                };
                format!(".visit_field::<{verified}>({name:?}, {slot}, {required})?")
            }
        }
    }

    /// The type that verifies the value of a field.
    pub(super) fn verified(&self, kind: &Type) -> String {
        let flatbuffers = self.flatbuffers();
        match kind {
            Type::Scalar(_) | Type::Enum(_) => self.number(kind).to_owned(),
            Type::Struct(place) => self.path(*place),
            Type::String => format!("{flatbuffers}::Indirect<&str>"),
            Type::Table(place) => format!("{flatbuffers}::Indirect<{}<'_>>", self.path(*place)),
            Type::Vector(of) => {
                let vector = match &**of {
                    Type::String => format!("{flatbuffers}::Indirects<&str>"),
                    Type::Table(place) => format!("{flatbuffers}::Indirects<{}<'_>>", self.path(*place)),
                    of => format!("{flatbuffers}::Items<{}>", self.verified(of)),
                };
                format!("{flatbuffers}::Indirect<{vector}>")
            }
            Type::Union(_) | Type::Array(..) => unreachable!("verified otherwise, or refused"),
        }
    }

    fn literal(&self, kind: &Type, value: &Value) -> String {
        match *value {
            Value::Null | Value::Text(_) | Value::Empty => unreachable!("no number"),
            Value::Integer(number) => number.to_string(),
            Value::Bool(value) => value.to_string(),
            Value::Float(number) => {
                let rust = self.number(kind);
                match number {
                    f64::INFINITY => format!("{rust}::INFINITY"),
                    f64::NEG_INFINITY => format!("{rust}::NEG_INFINITY"),
                    number if number.is_nan() => format!("{rust}::NAN"),
                    number if rust == "f32" => format!("{:?}_f32", number as f32),
                    number => format!("{number:?}_{rust}"),
                }
            }
        }
    }
}
