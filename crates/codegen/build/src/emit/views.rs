//! Views of messages: structs that borrow from the bytes of a message. Only those that [`Config::views`] asks
//! for, and those of their fields.
//!
//! buffa's generator writes views of all messages or of none, so the others are removed from its output; with
//! them goes what `polywire::View` does in its own way: owned handles, and the encoding of views.
//!
//! ```text
//! message shop.Order.Line         order::Line
//! its view                        __buffa::view::order::LineView, also as order::LineView
//! its oneof `price`               __buffa::view::oneof::order::line::Price
//! ```

use super::well_known;
use crate::{
    Config, Error,
    model::{Model, below, is_entry, join, options::has_views},
    parsed::Parsed,
};
use buffa_descriptor::generated::descriptor::{DescriptorProto, field_descriptor_proto::Type};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::{Attribute, Item, ItemMod, UseTree, parse_quote};

/// The full names of the messages that get a view.
///
/// # Errors
/// A message that cannot have one is needed.
pub(super) fn wanted(config: &Config, parsed: &Parsed, model: &Model) -> Result<HashSet<String>, Error> {
    let mut needed = Needed { config, parsed, messages: HashMap::new(), found: HashSet::new() };
    for file in parsed.files.iter().filter(|_| !config.views.is_empty()) {
        let package = file.package.as_deref().unwrap_or_default();
        file.message_type.iter().for_each(|message| needed.collect(package, message));
    }
    for package in model.packages.values() {
        for name in package.messages.iter().filter(|name| has_views(config, name)) {
            needed.add(name, name)?;
        }
        for service in &package.services {
            for method in service.methods.iter().filter(|method| method.views) {
                let name = join(&service.full_name, &method.name);
                needed.add(&method.input, &name)?;
                needed.add(&method.output, &name)?;
            }
        }
    }
    Ok(needed.found)
}

struct Needed<'n> {
    config: &'n Config,
    parsed: &'n Parsed,
    /// All messages that were read, entries of maps among them.
    messages: HashMap<String, &'n DescriptorProto>,
    found: HashSet<String>,
}

impl<'n> Needed<'n> {
    fn collect(&mut self, scope: &str, message: &'n DescriptorProto) {
        let name = join(scope, message.name.as_deref().unwrap_or_default());
        message.nested_type.iter().for_each(|nested| self.collect(&name, nested));
        self.messages.insert(name, message);
    }

    /// Adds a message and those of its fields; `asks` is what needs them.
    fn add(&mut self, name: &str, asks: &str) -> Result<(), Error> {
        if well_known::lacks_view(self.config, self.parsed, name) {
            return Err(Error::Options(format!("views: {asks} needs a view of {name}, which has none")));
        }
        // What exists elsewhere has its views there.
        let elsewhere = self.config.extern_paths.iter().any(|(path, _)| below(name, path))
            || well_known::has_view(self.config, name);
        let Some(message) = self.messages.get(name).copied().filter(|_| !elsewhere) else { return Ok(()) };
        if !is_entry(message) && !self.found.insert(name.to_owned()) {
            return Ok(());
        }
        let is_message = |kind| matches!(kind, Some(Type::TYPE_MESSAGE | Type::TYPE_GROUP));
        let fields = message.field.iter().filter(|field| is_message(field.r#type));
        fields
            .flat_map(|field| &field.type_name)
            .try_for_each(|inner| self.add(inner.trim_start_matches('.'), asks))
    }
}

/// The path of a message's view, given that of the message within its package.
pub(super) fn path(message: &str) -> String {
    format!("__buffa::view::{message}View")
}

/// Removes the views of all messages but these, which are paths within the package.
///
/// # Errors
/// The source is not Rust.
pub(super) fn keep(source: &str, messages: HashSet<&str>, gate: Option<&Attribute>) -> Result<String, Error> {
    let mut file = syn::parse_file(source).map_err(|error| Error::Messages(error.to_string()))?;
    let mut kept = Kept { messages, oneofs: HashSet::new(), gate };
    kept.package(&mut file.items);
    Ok(prettyplease::unparse(&file))
}

/// The attribute of views that are only compiled with a feature of the runtime.
pub(super) fn gate(config: &Config) -> Option<Attribute> {
    config.well_known_types.then(|| parse_quote!(#[cfg(feature = "views")]))
}

struct Kept<'k> {
    messages: HashSet<&'k str>,
    /// Paths of the oneofs of these messages, below `__buffa::view::oneof`.
    oneofs: HashSet<String>,
    gate: Option<&'k Attribute>,
}

impl Kept<'_> {
    /// Whether this is the path of a view, below `__buffa::view`.
    fn has(&self, path: &str) -> bool {
        path.strip_suffix("View").is_some_and(|message| self.messages.contains(message))
    }

    /// A package, or the module of a message's nested types.
    fn package(&mut self, items: &mut Vec<Item>) {
        items.retain_mut(|item| match item {
            Item::Use(each) => match view_used(&each.tree) {
                Some(path) if self.has(&path) => {
                    each.attrs.extend(self.gate.cloned());
                    true
                }
                used => used.is_none(),
            },
            Item::Mod(ItemMod { ident, content: Some((_, items)), .. }) if ident == "__buffa" => {
                self.ancillary(items);
                has_something(items)
            }
            Item::Mod(ItemMod { content: Some((_, items)), .. }) => {
                self.package(items);
                has_something(items)
            }
            _ => true,
        });
    }

    /// The module `__buffa`.
    fn ancillary(&mut self, items: &mut Vec<Item>) {
        items.retain_mut(|item| match item {
            Item::Mod(ItemMod { attrs, ident, content: Some((_, items)), .. }) if ident == "view" => {
                self.views(items, "");
                // Now it is known which belong to them.
                items.retain_mut(|item| match item {
                    Item::Mod(ItemMod { ident, content: Some((_, items)), .. }) if ident == "oneof" => {
                        self.oneofs(items, "");
                        has_something(items)
                    }
                    _ => true,
                });
                attrs.extend(self.gate.cloned());
                has_something(items)
            }
            _ => true,
        });
    }

    fn views(&mut self, items: &mut Vec<Item>, within: &str) {
        items.retain_mut(|item| match item {
            Item::Mod(module) if within.is_empty() && module.ident == "oneof" => true,
            Item::Mod(ItemMod { ident, content: Some((_, items)), .. }) => {
                self.views(items, &format!("{within}{}::", plain(ident)));
                has_something(items)
            }
            Item::Struct(item) => {
                let is_kept = self.has(&format!("{within}{}", item.ident));
                if is_kept {
                    self.oneofs.extend(oneofs_in(&item.fields));
                }
                is_kept
            }
            Item::Impl(item) => {
                let of = item.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
                let is_ours = of.is_some_and(|of| OURS.iter().any(|ours| of.ident == ours));
                !is_ours && self.has(&format!("{within}{}", last(&item.self_ty)))
            }
            Item::Macro(item) => self.has(&format!("{within}{}", item.mac.tokens)),
            _ => true,
        });
    }

    fn oneofs(&self, items: &mut Vec<Item>, within: &str) {
        items.retain_mut(|item| match item {
            Item::Mod(ItemMod { ident, content: Some((_, items)), .. }) => {
                self.oneofs(items, &format!("{within}{}::", plain(ident)));
                has_something(items)
            }
            Item::Enum(item) => self.oneofs.contains(&format!("{within}{}", item.ident)),
            Item::Impl(item) => self.oneofs.contains(&format!("{within}{}", last(&item.self_ty))),
            _ => true,
        });
    }
}

/// Traits of buffa's that views do not need here.
const OURS: [&str; 3] = ["HasMessageView", "MessageName", "ViewEncode"];

/// Whether a module has more than the imports of the module around it.
fn has_something(items: &[Item]) -> bool {
    let is_import = |item: &Item| matches!(item, Item::Use(each) if spelled(&each.tree) == "super::*");
    !items.iter().all(is_import)
}

fn plain(ident: &syn::Ident) -> String {
    ident.to_string().trim_start_matches("r#").to_owned()
}

/// The last name in the path of a type.
fn last(of: &syn::Type) -> String {
    match of {
        syn::Type::Path(of) => of.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    }
    .unwrap_or_default()
}

/// The path below `__buffa::view` that is used here.
fn view_used(tree: &UseTree) -> Option<String> {
    let path = spelled(tree);
    path.split_once("__buffa::view::").map(|(_, path)| path.to_owned())
}

/// The paths below `__buffa::view::oneof` in the types of fields.
fn oneofs_in(fields: &syn::Fields) -> Vec<String> {
    let of_field = |field: &syn::Field| {
        let kind = spelled(&field.ty);
        let (_, path) = kind.split_once("__buffa::view::oneof::")?;
        let end = path.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(path.len());
        Some(path[..end].to_owned())
    };
    fields.iter().filter_map(of_field).collect()
}

/// Tokens without the spaces between them and without the mark of raw names.
fn spelled(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "").replace("r#", "")
}
