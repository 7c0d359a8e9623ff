//! Names of variables, and the wildcards that choose among them.

/// The form in which names are kept and shown: words in lower case, joined by `_`. An upper-case letter
/// begins a word unless it follows another upper-case letter; each run of other characters than letters and
/// digits becomes one `_`.
///
/// ```
/// # use polywire_metrics::normalised;
/// assert_eq!(normalised("foo.bar::BaNaNa"), "foo_bar_ba_na_na");
/// assert_eq!(normalised("foo-bar-RPCTest"), "foo_bar_rpctest");
/// ```
pub fn normalised(name: &str) -> String {
    let mut kept = String::with_capacity(name.len() + 8);
    let mut previous = None;
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            if previous.is_some_and(|p: char| !p.is_ascii_uppercase()) && !kept.ends_with('_') {
                kept.push('_');
            }
            kept.push(c.to_ascii_lowercase());
        } else if c.is_ascii_lowercase() || c.is_ascii_digit() {
            kept.push(c);
        } else if !kept.ends_with('_') {
            kept.push('_');
        }
        previous = Some(c);
    }
    kept
}

/// Joins two names: `rpc_server_8000` and `error` make `rpc_server_8000_error`. Both must be normalised.
pub(crate) fn joined(prefix: &str, name: &str) -> String {
    match (prefix.trim_end_matches('_'), name.trim_start_matches('_')) {
        ("", name) => name.into(),
        (prefix, "") => prefix.into(),
        (prefix, name) => format!("{prefix}_{name}"),
    }
}

/// Whether `filter` selects `name`: names and patterns separated by `,` or `;`, in which `*` stands for any
/// run of characters and `$` for exactly one (since `?` has a meaning in URLs). An empty filter selects
/// everything.
///
/// Takes time proportional to the product of the lengths at worst, however many stars there are.
///
/// ```
/// # use polywire_metrics::matches;
/// assert!(matches("pid;rpc_*_qps", "rpc_server_8000_echo_qps"));
/// assert!(matches("process_cp$_usage", "process_cpu_usage"));
/// assert!(!matches("pid", "ppid"));
/// ```
pub fn matches(filter: &str, name: &str) -> bool {
    let mut patterns = filter.split([',', ';']).map(str::trim).filter(|p| !p.is_empty()).peekable();
    patterns.peek().is_none() || patterns.any(|pattern| fits(pattern.as_bytes(), name.as_bytes()))
}

/// Backtracks to the last star only: the length of an earlier one need not change, since the later one can
/// match any rest.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    // Positions after the last star, and of the first character that it does not match yet.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                p += 1;
                star = Some((p, n));
            }
            Some(&c) if c == b'$' || c == name[n] => (p, n) = (p + 1, n + 1),
            _ => {
                let Some((behind, taken)) = &mut star else { return false };
                *taken += 1;
                (p, n) = (*behind, *taken);
            }
        }
    }
    pattern[p..].iter().all(|&c| c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Expected results from brpc's `bvar_variable_unittest.cpp`.
    #[test]
    fn names_are_brpcs() {
        for (name, expected) in [
            ("Var2 Again", "var2_again"),
            ("foo::bar::Apple", "foo_bar_apple"),
            ("foo.bar::BaNaNa", "foo_bar_ba_na_na"),
            ("foo::bar.Car_Rot", "foo_bar_car_rot"),
            ("foo-bar-RPCTest", "foo_bar_rpctest"),
            ("foo-bar-HELLO", "foo_bar_hello"),
            ("FooBar__latency", "foo_bar_latency"),
        ] {
            assert_eq!(normalised(name), expected);
        }
    }

    /// Filters from the same file.
    #[test]
    fn filters_are_brpcs() {
        let names = ["foo_bar_apple_var3", "foo_bar_ba_na_na_var4", "foo_bar_car_rot_var5", "var1", "var2"];
        let chosen = |filter| names.iter().filter(|n| matches(filter, n)).count();
        assert_eq!(chosen(""), 5);
        assert_eq!(chosen("foo_bar_*"), 3);
        assert_eq!(chosen("*$rot*"), 1);
        assert_eq!(chosen("var2;var1"), 2);
        assert_eq!(chosen("f$o_b$r_*;not_exist"), 3);
        assert_eq!(chosen("not_exist"), 0);
        assert_eq!(chosen("not_exist;f$$o_bar*"), 0);
        assert_eq!(chosen(" var1 , *var5,"), 2);
    }

    /// The definition: exponential time, but obviously right.
    fn slowly(pattern: &[u8], name: &[u8]) -> bool {
        match (pattern.split_first(), name.split_first()) {
            (None, _) => name.is_empty(),
            (Some((b'*', rest)), None) => slowly(rest, name),
            (Some((b'*', rest)), Some((_, tail))) => slowly(rest, name) || slowly(pattern, tail),
            (Some((&c, rest)), Some((&n, tail))) => (c == b'$' || c == n) && slowly(rest, tail),
            (Some(_), None) => false,
        }
    }

    proptest! {
        #[test]
        fn wildcards_mean_what_the_definition_says(pattern in "[ab*$]{0,8}", name in "[ab]{0,10}") {
            prop_assert_eq!(fits(pattern.as_bytes(), name.as_bytes()), slowly(pattern.as_bytes(), name.as_bytes()));
        }

        #[test]
        fn a_normalised_name_stays_as_it_is(name in ".{0,20}") {
            let once = normalised(&name);
            prop_assert_eq!(normalised(&once), once.clone());
            prop_assert!(once.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'_'));
        }
    }

    #[test]
    fn many_stars_take_no_time() {
        assert!(!matches(&format!("{}b", "*a".repeat(5_000)), &"a".repeat(10_000)));
    }

    #[test]
    fn joined_names_have_one_joint() {
        assert_eq!(
            (joined("a_", "_b"), joined("", "b"), joined("a", "")),
            ("a_b".into(), "b".into(), "a".into())
        );
    }
}
