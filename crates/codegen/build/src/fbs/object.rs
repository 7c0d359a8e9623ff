//! The object API: tables and unions as owned values, `OrderT` for `Order`.
//!
//! | `.fbs` | in `OrderT` |
//! | --- | --- |
//! | scalar, enum | as in the arguments of `create` |
//! | string, vector | `String`, `Vec`; an `Option` unless required or with a default |
//! | struct, table | `Option<Box<…>>`, `Option<Box<…T>>` |
//! | union | an enum, with structs and tables in boxes; `NONE` for one of a newer schema |
//!
//! Absent fields take a few bytes with this representation, however large their types are: otherwise an empty
//! table that many places of a message refer to would cost each of them all the absent structs.

use super::{Emit, table::OPTION};
use crate::{emit::Text, model::names};
use polywire_fbs::{Field, Item, Place, Type, Union, Value};

const STRING: &str = "::std::string::String";
const VEC: &str = "::std::vec::Vec";
const BOX: &str = "::std::boxed::Box";

impl Emit<'_> {
    /// Writes the owned form of a table.
    pub(super) fn object(&self, text: &mut Text, name: &str, fields: &[&Field]) {
        text.line("");
        text.doc(&format!("The contents of a [`{name}`], owned."));
        text.line("#[derive(Clone, Debug, PartialEq)]");
        text.block(format!("pub struct {name}T"), |text| {
            for field in fields {
                text.doc(&field.comment);
                text.line(format!("pub {}: {},", names::field(&field.name), self.object_field(field)));
            }
        });
        text.block(format!("impl ::std::default::Default for {name}T"), |text| {
            text.block("fn default() -> Self", |text| {
                text.block("Self", |text| {
                    for field in fields {
                        text.line(format!("{}: {},", names::field(&field.name), self.object_default(field)));
                    }
                });
            });
        });
        self.unpack(text, name, fields);
        self.pack(text, name, fields);
    }

    /// Whether a field is an `Option` there.
    fn is_option(field: &Field) -> bool {
        match &field.kind {
            Type::Union(_) => false,
            Type::Struct(_) | Type::Table(_) => true,
            Type::Scalar(_) | Type::Enum(_) => field.default == Value::Null,
            _ => !field.required && field.default == Value::Null,
        }
    }

    /// Whether a single value is stored in a box.
    fn is_boxed(kind: &Type) -> bool {
        matches!(kind, Type::Struct(_) | Type::Table(_))
    }

    fn object_field(&self, field: &Field) -> String {
        let kind = self.object_type(&field.kind);
        let kind = if Self::is_boxed(&field.kind) { format!("{BOX}<{kind}>") } else { kind };
        if Self::is_option(field) { format!("{OPTION}<{kind}>") } else { kind }
    }

    fn object_type(&self, kind: &Type) -> String {
        match kind {
            Type::String => STRING.to_owned(),
            Type::Table(place) | Type::Union(place) => format!("{}T", self.path(*place)),
            Type::Vector(of) => format!("{VEC}<{}>", self.object_type(of)),
            kind => self.read_type(kind),
        }
    }

    fn object_default(&self, field: &Field) -> String {
        match (&field.kind, &field.default) {
            _ if Self::is_option(field) => format!("{OPTION}::None"),
            (Type::Scalar(_) | Type::Enum(_), default) => self.value(&field.kind, default),
            (_, Value::Text(text)) => format!("{STRING}::from({text:?})"),
            _ => "::std::default::Default::default()".to_owned(),
        }
    }

    fn unpack(&self, text: &mut Text, name: &str, fields: &[&Field]) {
        text.block(format!("impl {name}<'_>"), |text| {
            text.doc("Copies everything into an owned value.");
            text.block(format!("pub fn unpack(&self) -> {name}T"), |text| {
                text.block(format!("{name}T"), |text| {
                    for field in fields {
                        let own = names::field(&field.name);
                        text.line(format!("{own}: {},", self.unpacked_field(field)));
                    }
                });
            });
        });
    }

    fn unpacked_field(&self, field: &Field) -> String {
        let own = names::field(&field.name);
        match (&field.kind, field.kind.union()) {
            (Type::Union(place), _) => self.unpacked_union(field, *place, ""),
            (_, Some(place)) => {
                let types = names::field(&format!("{}_type", field.name));
                let each = self.unpacked_union(field, place, "index");
                let all = |types: &str| format!("(0..{types}.len()).map(|index| {each}).collect()");
                match Self::is_option(field) {
                    true => format!("self.{types}().map(|types| {})", all("types")),
                    false => all(&format!("self.{types}()")),
                }
            }
            (kind, None) => match (Self::is_option(field), field.required) {
                (true, true) => format!("{OPTION}::Some({})", self.boxed(kind, &format!("self.{own}()"))),
                (true, false) if self.is_copied(kind) && !Self::is_boxed(kind) => format!("self.{own}()"),
                (true, false) => format!("self.{own}().map(|value| {})", self.boxed(kind, "value")),
                (false, _) => self.unpacked(kind, &format!("self.{own}()")),
            },
        }
    }

    /// An unpacked union. `argument`: its index, in a vector.
    fn unpacked_union(&self, field: &Field, place: Place, argument: &str) -> String {
        let kind = format!("{}T", self.path(place));
        let tries = self.schema.union(place).variants.iter().map(|variant| {
            let function = names::field(&format!("{}_as_{}", field.name, variant.name));
            let (constant, value) = (names::constant(&variant.name), self.boxed(&variant.kind, "value"));
            format!("if let {OPTION}::Some(value) = self.{function}({argument}) {{ {kind}::{constant}({value}) }} else ")
        });
        format!("{}{{ {kind}::NONE }}", tries.collect::<String>())
    }

    /// Like `unpacked`, in a box if the value is a struct or a table.
    fn boxed(&self, kind: &Type, value: &str) -> String {
        let unpacked = self.unpacked(kind, value);
        if Self::is_boxed(kind) { format!("{BOX}::new({unpacked})") } else { unpacked }
    }

    fn is_copied(&self, kind: &Type) -> bool {
        matches!(kind, Type::Scalar(_) | Type::Enum(_) | Type::Struct(_))
    }

    fn unpacked(&self, kind: &Type, value: &str) -> String {
        match kind {
            Type::String => format!("{STRING}::from({value})"),
            Type::Table(_) => format!("{value}.unpack()"),
            Type::Vector(of) if self.is_copied(of) => format!("{value}.iter().collect()"),
            Type::Vector(of) => {
                format!("{value}.iter().map(|value| {}).collect()", self.unpacked(of, "value"))
            }
            _ => value.to_owned(),
        }
    }

    fn pack(&self, text: &mut Text, name: &str, fields: &[&Field]) {
        let flatbuffers = self.flatbuffers();
        text.block(format!("impl {name}T"), |text| {
            text.doc("Writes it into a message. Vectors stay in their order, also those of tables with a key.");
            if fields.iter().any(|field| field.required && Self::is_option(field)) {
                text.doc("\n# Panics\nIf a required field is missing.");
            }
            let signature = format!(
                "pub fn pack(&self, builder: &mut {flatbuffers}::Builder) -> {flatbuffers}::Offset<{name}<'static>>"
            );
            text.block(signature, |text| {
                for field in fields {
                    self.pack_field(text, field);
                }
                text.line(format!("let args = {name}Args {{"));
                for field in fields {
                    let own = names::field(&field.name);
                    if field.kind.union().is_some() {
                        let tag = names::field(&format!("{}_type", field.name));
                        text.line(format!("    {tag}: {tag}_,"));
                    }
                    text.line(match self.is_copied(&field.kind) {
                        true if Self::is_boxed(&field.kind) => format!("    {own}: self.{own}.as_deref().copied(),"),
                        true => format!("    {own}: self.{own},"),
                        false => format!("    {own}: {own}_,"),
                    });
                }
                text.line("};");
                text.line(format!("{name}::create(builder, &args)"));
            });
        });
    }

    /// Builds the target of a field, into a variable with the field's name and `_`.
    fn pack_field(&self, text: &mut Text, field: &Field) {
        let own = names::field(&field.name);
        match (&field.kind, field.kind.union()) {
            (kind, None) if self.is_copied(kind) => {}
            (Type::Union(_), _) => {
                let tag = names::field(&format!("{}_type", field.name));
                text.line(format!("let ({tag}_, {own}_) = self.{own}.pack(builder);"));
            }
            (_, Some(_)) => {
                let tag = names::field(&format!("{}_type", field.name));
                let flatbuffers = self.flatbuffers();
                let align = field.align.unwrap_or(1);
                let pack = |values: &str| {
                    format!(
                        "{{ let packed: {VEC}<_> = {values}.iter().map(|value| value.pack(builder)).collect(); {flatbuffers}::aligned_unions(builder, &packed, {align}) }}"
                    )
                };
                text.line(match Self::is_option(field) {
                    true => format!(
                        "let ({tag}_, {own}_) = self.{own}.as_ref().map(|values| {}).unzip();",
                        pack("values")
                    ),
                    false => format!(
                        "let ({tag}_, {own}_) = {{ let (types, values) = {}; ({OPTION}::Some(types), {OPTION}::Some(values)) }};",
                        pack(&format!("self.{own}"))
                    ),
                });
            }
            (kind, None) => {
                let nested = field.nested.map_or(1, |_| self.schema.largest_align());
                let pack = |value: &str| self.packed(kind, value, field.align.unwrap_or(1).max(nested));
                text.line(match Self::is_option(field) {
                    true => format!("let {own}_ = self.{own}.as_ref().map(|value| {});", pack("value")),
                    false => format!("let {own}_ = {OPTION}::Some({});", pack(&format!("self.{own}"))),
                });
            }
        }
    }

    fn packed(&self, kind: &Type, value: &str, align: usize) -> String {
        let flatbuffers = self.flatbuffers();
        match kind {
            Type::String => format!("builder.create_string(&{value})"),
            Type::Table(_) => format!("{value}.pack(builder)"),
            Type::Vector(of) => match &**of {
                Type::Scalar(_) => format!("builder.create_aligned_vector(&{value}, {align})"),
                Type::Enum(_) | Type::Struct(_) => {
                    format!("{flatbuffers}::aligned_structs(builder, &{value}, {align})")
                }
                of => format!(
                    "{{ let items: {VEC}<_> = {value}.iter().map(|value| {}).collect(); builder.create_aligned_vector(&items, {align}) }}",
                    self.packed(of, "value", 1)
                ),
            },
            _ => unreachable!("copied, or packed otherwise"),
        }
    }

    /// Writes the owned form of a union.
    pub(super) fn union_object(&self, text: &mut Text, item: &Item, union: &Union) {
        let (name, flatbuffers) = (names::type_name(&item.name), self.flatbuffers());
        text.line("");
        text.doc(&format!("A union of type [`{name}`] with its value, owned."));
        text.line("#[derive(Clone, Debug, PartialEq, Default)]");
        text.line("#[allow(non_camel_case_types)]");
        text.block(format!("pub enum {name}T"), |text| {
            text.doc("Nothing, or a variant of a newer schema.");
            text.line("#[default]");
            text.line("NONE,");
            for variant in &union.variants {
                let kind = self.object_type(&variant.kind);
                let kind = if Self::is_boxed(&variant.kind) { format!("{BOX}<{kind}>") } else { kind };
                text.line(format!("{}({kind}),", names::constant(&variant.name)));
            }
        });
        text.block(format!("impl {name}T"), |text| {
            text.doc("Writes the value into a message.");
            let value = format!("{OPTION}<{flatbuffers}::Offset<{flatbuffers}::UnionValue>>");
            let signature = format!("pub fn pack(&self, builder: &mut {flatbuffers}::Builder) -> ({name}, {value})");
            text.block(signature, |text| {
                if union.variants.is_empty() {
                    text.line("let _ = builder;");
                }
                text.block("match self", |text| {
                    text.line(format!("Self::NONE => ({name}::NONE, {OPTION}::None),"));
                    for variant in &union.variants {
                        let constant = names::constant(&variant.name);
                        let packed = match &variant.kind {
                            Type::Struct(_) => "builder.create_struct(&**value)".to_owned(),
                            kind => self.packed(kind, "value", 1),
                        };
                        text.line(format!(
                            "Self::{constant}(value) => ({name}::{constant}, {OPTION}::Some({packed}.as_union_value())),"
                        ));
                    }
                });
            });
        });
    }
}
