//! Messages by schema, for `interop/flatbuffers/upstream.py`: `flatbuffers-schema tables FILE FOLDER...`,
//! `from-json|to-json FILE TABLE IN OUT FOLDER...`; files are included from the folders.

use polywire_fbs::{Kind, Schema};
use polywire_formats::flatbuffers::json;
use std::fs;

/// Longest text in bytes.
const LONGEST: usize = 1 << 26;

fn read(file: &str, folders: &[&str]) -> polywire::Result<Schema> {
    let folders: Vec<_> = folders.iter().map(|folder| folder.into()).collect();
    Ok(Schema::read(&[file.into()], &folders)?)
}

fn convert(schema: &Schema, table: &str, to: &str, input: &[u8]) -> polywire::Result<Vec<u8>> {
    let is = |item: &polywire_fbs::Item| item.full_name() == table && matches!(item.what, Kind::Table(_));
    let place = schema.items.iter().position(is).ok_or("no such table")?;
    Ok(match to {
        "to-json" => json::to_json(schema, place, input, LONGEST)?,
        _ => json::from_json(schema, place, input)?,
    })
}

pub fn main() -> polywire::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["tables", file, ref folders @ ..] => {
            let schema = read(file, folders)?;
            let tables = schema.items.iter().filter(|item| matches!(item.what, Kind::Table(_)));
            tables.for_each(|table| println!("{}", table.full_name()));
            Ok(())
        }
        [to @ ("from-json" | "to-json"), file, table, from, out, ref folders @ ..] => {
            let made = convert(&read(file, folders)?, table, to, &fs::read(from)?)?;
            Ok(fs::write(out, made)?)
        }
        _ => {
            Err("flatbuffers-schema tables FILE FOLDER..., from-json|to-json FILE TABLE IN OUT FOLDER..."
                .into())
        }
    }
}
