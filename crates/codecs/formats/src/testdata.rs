//! Schemas for tests, from `.proto` source.

use crate::schema::Pool;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};

struct One(&'static str);

impl FileResolver for One {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match name {
            "test.proto" => File::from_source(name, self.0),
            _ => Err(protox::Error::file_not_found(name)),
        }
    }
}

/// The descriptor set of one file, with its imports from Google.
pub(crate) fn descriptor_set(source: &'static str) -> Vec<u8> {
    let mut resolver = ChainFileResolver::new();
    resolver.add(One(source));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).open_file("test.proto").unwrap_or_else(|e| panic!("{e:?}"));
    compiler.encode_file_descriptor_set()
}

/// Bytes from hex text. (The test kit has a fuller version; it depends on this crate.)
pub(crate) fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> =
        text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16).unwrap()).collect();
    assert!(digits.len().is_multiple_of(2), "odd number of digits in {text}");
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}

/// A pool of one file.
pub(crate) fn pool(source: &'static str) -> Pool {
    Pool::from_descriptor_set(&descriptor_set(source)).unwrap()
}

/// All kinds of fields, with the presence of proto2.
pub(crate) const KINDS2: &str = r#"
syntax = "proto2";
package t;
enum Colour { RED = 0; GREEN = 1; BLUE = -3; }
message All {
  optional double f_double = 1;
  optional float f_float = 2;
  optional int64 f_int64 = 3;
  optional uint64 f_uint64 = 4;
  optional int32 f_int32 = 5;
  optional fixed64 f_fixed64 = 6;
  optional fixed32 f_fixed32 = 7;
  optional bool f_bool = 8;
  optional string f_string = 9;
  optional bytes f_bytes = 12;
  optional uint32 f_uint32 = 13;
  optional Colour f_enum = 14;
  optional sfixed32 f_sfixed32 = 15;
  optional sfixed64 f_sfixed64 = 16;
  optional sint32 f_sint32 = 17;
  optional sint64 f_sint64 = 18;
  optional All f_message = 200;
  repeated int32 r_int32 = 21;
  repeated string r_string = 22;
  repeated Colour r_enum = 24;
  repeated All r_message = 25;
  repeated sint64 r_packed = 26 [packed = true];
  repeated fixed32 r_fixed = 27 [packed = true];
  map<string, int32> m_string = 30;
  map<int32, string> m_int32 = 31;
  map<bool, All> m_bool = 32;
  map<string, Colour> m_enum = 35;
  optional group Group = 40 { optional int32 inside = 1; }
  oneof choice { int32 c_int32 = 50; string c_string = 51; All c_message = 52; }
  optional string a_Z045_b = 60;
  optional int32 with_default = 61 [default = 7];
  extensions 100 to 110;
}
extend All { optional int32 extra = 100; }
message Needs { required int32 id = 1; optional Needs below = 2; repeated Needs more = 3; required string text = 4; }
message Holds { optional Needs needs = 1; map<string, Needs> by_name = 2; }
message Pair { optional string key = 1; optional int32 value = 2; }
message Pairs { repeated Pair pairs = 1; optional int32 after = 2; }
message List { repeated int32 items = 1; }
message MessageList { repeated Pair items = 1; }
message Nothing {}
"#;

/// proto3 and the well-known types.
pub(crate) const KINDS3: &str = r#"
syntax = "proto3";
package t;
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
enum Mood { MOOD_UNSPECIFIED = 0; MOOD_GOOD = 1; }
message Third {
  int32 number = 1;
  string display_name = 2;
  optional int32 maybe = 3;
  Mood mood = 4;
  bytes raw = 5;
  double ratio = 6;
  int64 wide = 7;
  uint64 wider = 8;
  bool flag = 9;
  repeated int32 packed = 10;
  Third child = 11;
  map<int64, string> names = 12;
  map<string, Third> children = 13;
  map<bool, Mood> moods = 14;
  repeated Mood mood_list = 15;
  float small = 16;
  string odd = 17 [json_name = "strange"];
  google.protobuf.Timestamp when = 20;
  google.protobuf.Duration took = 21;
  google.protobuf.FieldMask mask = 22;
  google.protobuf.Struct structure = 23;
  google.protobuf.Value value = 24;
  google.protobuf.ListValue list = 25;
  google.protobuf.Any any = 26;
  google.protobuf.Empty empty = 27;
  google.protobuf.Int64Value boxed = 28;
  google.protobuf.StringValue boxed_text = 29;
  google.protobuf.BytesValue boxed_bytes = 30;
  google.protobuf.DoubleValue boxed_double = 31;
  google.protobuf.BoolValue boxed_bool = 32;
  google.protobuf.NullValue null = 33;
  repeated google.protobuf.Value values = 34;
  repeated google.protobuf.Timestamp times = 35;
  oneof choice { int32 one = 40; string other = 41; google.protobuf.NullValue nothing = 42; }
}
"#;
