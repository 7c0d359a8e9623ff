//! The command line as others may see it: without values that are secrets by their names.

/// The text shown in place of a secret value.
const HIDDEN: &str = "•••";

/// Parts of names whose values are not shown. The list hides rather too many than too few: `--monkey` is
/// hidden for its `key`.
const SECRET: [&str; 10] =
    ["auth", "cookie", "token", "secret", "pass", "key", "cred", "sess", "jwt", "sign"];

/// The arguments, the program's path first, with `between` between them.
///
/// The values of `--name=value`, `-name=value`, `name=value` and `--name value` are hidden if the name is a
/// secret's. The argument after a name without `=` is taken for its value even if it looks like an option: a
/// secret may begin with `-`.
///
/// Not recognized: secrets with other names, and secrets within a value, such as a password in a url.
pub(super) fn shown(arguments: impl Iterator<Item = String>, between: char) -> String {
    let (mut line, mut value_follows) = (String::new(), false);
    for (at, argument) in arguments.enumerate() {
        if at > 0 {
            line.push(between);
        }
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (&*argument, None),
        };
        let is_secret = at > 0 && is_secret(name);
        let hidden = std::mem::replace(&mut value_follows, false);
        if is_secret && value.is_none() && argument.starts_with('-') {
            value_follows = true;
        }
        match value {
            _ if hidden => line.push_str(HIDDEN),
            Some(_) if is_secret => line.extend([name, "=", HIDDEN]),
            _ => line.push_str(&argument),
        }
    }
    line
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET.iter().any(|secret| name.contains(secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_secrets_are_hidden_and_all_else_is_as_it_was_given() {
        for (given, expected) in [
            ("/opt/token=1/shop --port=80 -p v --name ada", "/opt/token=1/shop --port=80 -p v --name ada"),
            ("shop --api-token=t0p --port 80", "shop --api-token=••• --port 80"),
            ("shop --API_KEY t0p --port 80", "shop --API_KEY ••• --port 80"),
            (
                "shop -password t0p DB_PASSWORD=t0p=t0p -DauthHeader=t0p",
                "shop -password ••• DB_PASSWORD=••• -DauthHeader=•••",
            ),
            ("shop --cookie -t0p x", "shop --cookie ••• x"),
            ("shop --sign --password t0p x", "shop --sign ••• ••• x"),
            ("shop --cred --session=t0p --jwt", "shop --cred ••• --jwt"),
            ("shop monkey passes --secret=", "shop monkey passes --secret=•••"),
            ("", ""),
        ] {
            let line = shown(given.split(' ').map(str::to_owned), ' ');
            assert_eq!(line, expected);
            assert!(!line.contains("t0p"), "{line}");
        }
        for word in SECRET {
            assert_eq!(
                shown([String::new(), format!("--x-{word}-y=z")].into_iter(), '\n'),
                format!("\n--x-{word}-y=•••")
            );
        }
    }
}
