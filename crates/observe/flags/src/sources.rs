//! Values from files and from the environment.

use crate::{audit::Origin, error::FlagError, set::Flags};
use polywire_base::Sort;
use std::{fs::File, io::Read, path::Path};

/// Bytes that a flag file may have.
const LONGEST_FILE: u64 = 1 << 20;
/// The flag after which no other can be set.
const IMMUTABLE: &str = "immutable_flags";

impl Flags {
    /// Sets the flags of a flag file: one flag per line, `name=value` or gflags' `--name=value`, where a name
    /// alone means true and later lines win; empty lines and those that begin with `#` are ignored. All lines
    /// are read and checked before the first is applied.
    ///
    /// # Errors
    /// The file cannot be read, has more than 1 MiB, or one of its lines is wrong; no flag is changed then.
    pub fn load_file(&self, path: impl AsRef<Path>) -> Result<usize, FlagError> {
        let path = path.as_ref();
        let shown = path.display().to_string();
        let wrong = |why: String| FlagError::File { path: shown.clone(), line: 0, why };
        let mut text = String::new();
        let file = File::open(path).map_err(|error| wrong(error.to_string()))?;
        let read = file
            .take(LONGEST_FILE + 1)
            .read_to_string(&mut text)
            .map_err(|error| wrong(error.to_string()))?;
        if read as u64 > LONGEST_FILE {
            return Err(wrong(format!("it has more than {LONGEST_FILE} bytes")));
        }
        self.load_text(&text, &shown)
    }

    /// Like [`Flags::load_file`], for a text. `from` is its name.
    ///
    /// # Errors
    /// The errors of [`Flags::load_file`].
    pub fn load_text(&self, text: &str, from: &str) -> Result<usize, FlagError> {
        let mut values = Vec::new();
        for (line, text) in text.lines().enumerate() {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let (name, value) = text
                .trim_start_matches('-')
                .split_once('=')
                .unwrap_or((text.trim_start_matches('-'), "true"));
            let (name, value) = (name.trim_end(), value.trim_start());
            let wrong = |why: FlagError| FlagError::File {
                path: from.to_owned(),
                line: line + 1,
                why: why.to_string(),
            };
            self.check(name, value).map_err(wrong)?;
            values.push((line, name, value));
        }
        values.order_by_key(|(_, name, _)| *name == IMMUTABLE); // nothing can be set after it
        let origin = Origin::new("file", from);
        let mut changed = 0;
        for (line, name, value) in values {
            let wrong = |why: FlagError| FlagError::File {
                path: from.to_owned(),
                line: line + 1,
                why: why.to_string(),
            };
            changed += usize::from(self.set(name, value, &origin).map_err(wrong)?.is_some());
        }
        Ok(changed)
    }

    /// Sets flags from the environment: the flag `idle_timeout` by `PREFIX_IDLE_TIMEOUT`, with `_` for each
    /// other character that variable names do not allow. Variables without a flag are ignored.
    ///
    /// # Errors
    /// A value is refused, or is not UTF-8; no flag is changed then.
    pub fn load_environment(&self, prefix: &str) -> Result<usize, FlagError> {
        self.load_variables(prefix, |name| std::env::var_os(name))
    }

    fn load_variables(
        &self,
        prefix: &str,
        variable: impl Fn(&str) -> Option<std::ffi::OsString>,
    ) -> Result<usize, FlagError> {
        let mut values = Vec::new();
        for flag in self.all() {
            let upper = flag.name().to_ascii_uppercase().replace(['.', '/', '-'], "_");
            let name = format!("{prefix}_{upper}");
            let Some(value) = variable(&name) else { continue };
            let Some(value) = value.to_str() else {
                let why = format!("{name} is not UTF-8");
                return Err(FlagError::Value { name: flag.name().to_owned(), value: String::new(), why });
            };
            self.check(flag.name(), value)?;
            values.push((flag.name().to_owned(), value.to_owned(), name));
        }
        values.order_by_key(|(flag, ..)| flag == IMMUTABLE);
        let mut changed = 0;
        for (flag, value, name) in values {
            changed += usize::from(self.set(&flag, &value, &Origin::new("environment", &name))?.is_some());
        }
        Ok(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flag::Flag;

    #[test]
    fn the_environment_sets_flags_by_their_names_in_capitals() {
        let (flags, a) = (Flags::new(), Flag::new("a.b-c", 1u32, ""));
        flags.register(&a).unwrap();
        let variable = |name: &str| (name == "SHOP_A_B_C").then(|| "7".into());
        assert_eq!(flags.load_variables("SHOP", variable), Ok(1));
        assert_eq!(a.get(), 7);
        // One that is wrong keeps all from being set, and the one that ends all changes is the last.
        let z = Flag::new("z", 1u32, "");
        flags.register(&z).unwrap();
        let variable = |name: &str| match name {
            "SHOP_A_B_C" => Some("8".into()),
            "SHOP_Z" => Some("x".into()),
            _ => None,
        };
        assert!(flags.load_variables("SHOP", variable).is_err() && a.get() == 7);
        let whole = Flags::new();
        let (first, last) = (Flag::new("a", 1u32, ""), Flag::new("z", 1u32, ""));
        whole.register(&first).unwrap();
        whole.register(&last).unwrap();
        assert_eq!(whole.load_text("a=2\nimmutable_flags=true\nz=3\n", "text"), Ok(3));
        assert_eq!((first.get(), last.get()), (2, 3));
        assert!(whole.load_text("a=4\n", "text").is_err());
        let variable = |name: &str| (name == "SHOP_A_B_C").then(|| "x".into());
        assert!(flags.load_variables("SHOP", variable).is_err());
        assert_eq!(
            (a.get(), flags.last_change("a.b-c").unwrap().origin),
            (7, Origin::new("environment", "SHOP_A_B_C"))
        );
    }
}
