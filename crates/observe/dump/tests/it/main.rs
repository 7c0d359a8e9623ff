//! Records and files as their readers find them.

mod files;
mod records;
