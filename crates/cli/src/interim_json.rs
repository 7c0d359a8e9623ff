//! Flat messages from JSON, until the transcoder of `polywire_formats` is there.

use polywire_formats::schema::{Cardinality, Kind, MessageSchema};

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub fn to_wire(schema: MessageSchema<'_>, text: &str) -> Result<Vec<u8>, String> {
    let value: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(text).map_err(|e| e.to_string())?;
    let mut out = Vec::new();
    for field in schema.fields() {
        let Some(value) = value.get(&*field.name) else {
            if field.cardinality == Cardinality::Required {
                return Err(format!("missing required field {}.{}", schema.full_name(), field.name));
            }
            continue;
        };
        match field.kind {
            Kind::String => {
                let text = value.as_str().ok_or_else(|| format!("{}: not a string", field.name))?;
                varint(&mut out, u64::from(field.number) << 3 | 2);
                varint(&mut out, text.len() as u64);
                out.extend_from_slice(text.as_bytes());
            }
            Kind::Int32 | Kind::Int64 => {
                let n = value.as_i64().ok_or_else(|| format!("{}: not an integer", field.name))?;
                varint(&mut out, u64::from(field.number) << 3);
                varint(&mut out, n as u64);
            }
            _ => return Err(format!("{}: not supported yet", field.name)),
        }
    }
    Ok(out)
}
