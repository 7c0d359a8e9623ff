//! Addresses of the repository's web pages, for readers who do not have the tree.

/// The address of the repository, from the workspace's manifest.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// The page of a file, by its path from the root.
pub fn address(path: &str) -> String {
    format!("{REPOSITORY}/blob/main/{path}")
}

/// The page of a folder, by its path from the root.
pub fn folder(path: &str) -> String {
    format!("{REPOSITORY}/tree/main/{path}")
}

/// The file or folder whose page an address is, as a path from the root; `None` if it is another address.
pub fn path(address: &str) -> Option<&str> {
    let below = address.strip_prefix(REPOSITORY)?;
    below.strip_prefix("/blob/main/").or_else(|| below.strip_prefix("/tree/main/"))
}
