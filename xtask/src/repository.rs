//! Addresses of the repository's own pages, for readers who do not have the tree before them.

/// Where the repository is shown: from the workspace's manifest.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// The page of a file, by its path from the root.
pub fn address(path: &str) -> String {
    format!("{REPOSITORY}/blob/main/{path}")
}

/// The same of a folder.
pub fn folder(path: &str) -> String {
    format!("{REPOSITORY}/tree/main/{path}")
}

/// What file or folder an address is the page of, as a path from the root; `None`: it leads elsewhere.
pub fn path(address: &str) -> Option<&str> {
    let below = address.strip_prefix(REPOSITORY)?;
    below.strip_prefix("/blob/main/").or_else(|| below.strip_prefix("/tree/main/"))
}
