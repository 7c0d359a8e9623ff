//! Generates one package: messages, their trait implementations, services.

use super::{
    messages::Messages,
    service::{self, Prelude},
    text::Text,
    views,
};
use crate::{Config, Error, model::Package};

pub(super) fn source(
    config: &Config,
    name: &str,
    package: &Package,
    messages: &Messages,
    strings_as_bytes: &[&str],
) -> Result<String, Error> {
    let mut text = Text::default();
    text.line(format!("// Made by polywire-build from {}; changes are lost.", package.files.join(", ")));
    let mut source = text.finish();
    source.push_str(messages.source(name));

    let mut text = Text::default();
    text.line("");
    embed(&mut text, config, name, strings_as_bytes);
    for message in &package.messages {
        let path = known(messages, message, name)?;
        let runtime = &config.runtime;
        let packed = messages.packed.contains(message);
        let head = format!("{runtime}::generated::{}!({path}, \"{message}\", POOL", messages.implement);
        let head = if packed { format!("{head}, packed") } else { head };
        let head = match messages.buffers.lines(message) {
            [] => head,
            lines => format!("{head}, buffers {{ {} }}", lines.join(" ")),
        };
        let head = if messages.buffers.shares(message) { format!("{head}, shared") } else { head };
        text.line(format!("{head});"));
        if messages.views.contains(message) {
            if config.well_known_types {
                text.line("#[cfg(feature = \"views\")]");
            }
            text.line(format!("{runtime}::generated::viewed!({path}, {});", views::path(path)));
        }
        if packed {
            messages.packed.message(&mut text, &config.runtime, path, message);
        }
    }
    messages.packed.enums(&mut text, &config.runtime, name);
    let prelude = Prelude { taken: &package.types };
    for each in &package.services {
        text.line("");
        service::emit(&mut text, config, each, &prelude, &|message| {
            known(messages, message, name).map(str::to_owned)
        })?;
    }
    source.push_str(&text.finish());
    Ok(source)
}

fn known<'m>(messages: &'m Messages, message: &str, package: &str) -> Result<&'m str, Error> {
    let unknown = || Error::Messages(format!("{message} has no type in Rust"));
    messages.type_path(message, package).ok_or_else(unknown)
}

fn embed(text: &mut Text, config: &Config, name: &str, strings_as_bytes: &[&str]) {
    text.doc("The `FileDescriptorSet` of this package and all it imports.");
    text.line(format!(
        "pub const DESCRIPTOR_SET: &[u8] = include_bytes!(\"{}.binpb\");",
        super::file_name(name)
    ));
    text.line("");
    text.doc("The schemas in [`DESCRIPTOR_SET`], read when first asked for.");
    text.line(format!("pub static POOL: ::std::sync::LazyLock<{0}::generated::Pool> =", config.runtime));
    let lazy = format!("    ::std::sync::LazyLock::new(|| {}::generated::", config.runtime);
    if strings_as_bytes.is_empty() {
        text.line(format!("{lazy}pool(DESCRIPTOR_SET));"));
    } else {
        text.line(format!("{lazy}pool_with_bytes(DESCRIPTOR_SET, &["));
        strings_as_bytes.iter().for_each(|field| text.line(format!("        {field:?},")));
        text.line("    ]));");
    }
    text.line("");
}
