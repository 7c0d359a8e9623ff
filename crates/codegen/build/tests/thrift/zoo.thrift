/** All that a file can declare. */
namespace rs zoo
namespace cpp other.name

include "shared.thrift"
cpp_include "header.h"

typedef shared.Number Number
typedef map<string, list<double>> Series (cpp.type = "x")

/** Numbers with names. */
enum Kind {
  /** The first. */
  ONE = 1,
  TWO,
  type = 0x20 (a = "b");
  ALIAS = 2
  NEGATIVE = -1
}

const Kind FAVOURITE = Kind.TWO
const i32 maxSize = shared.SIZE
const i64 LEAST = -9223372036854775808
const double HALF = 5e-1
const double whole = 2
const bool YES = true
const string TEXT = 'say "hi"\n'
const binary BYTES = "a\tb"
const uuid ID = "{00112233-4455-6677-8899-aaBBccDDeeFF}"
const list<Kind> KINDS = [Kind.ONE, 2; Kind.type]
const set<double> HALVES = [0.5, 1, 0.5]
const map<string, set<i32>> SETS = {"a": [1, 2], "b": {}, "c": []}
const Animal LION = {"name": "Leo", "kind": FAVOURITE, "tail": {"length": 0.8}}
const Choice CHOSEN = {"animal": LION}
const i16 LEVEL = shared.Level.HIGH

/** Has an order, since it is part of a key. */
struct Tail {
  1: double length
  2: list<double> rings
}

struct Animal {
  1: required string name
  2: Kind kind = Kind.ONE
  3: optional i32 legs = 4
  4: optional Tail tail
  5: list<string> tags = ["wild"]
  6: binary picture
  /** A word of Rust. */
  7: bool match
  8: optional uuid id
  16: shared.Level level = shared.Level.LOW
}

struct Everything {
  1: bool a
  2: byte b
  3: i8 c
  4: i16 d
  5: i32 e
  6: i64 f
  7: double g
  8: string h
  9: binary i
  10: uuid j
  11: list<Animal> k
  12: set<string> l
  13: map<Tail, Animal> m
  14: map<set<double>, list<map<i32, Kind>>> n
  15: Number o
  16: Series p
  17: Choice choice
  18: Animal animal
  19: Only only
  1000: optional string far
  20: required bool from
}

/** Has no default: its field has none. */
struct Only {
  1: required Choice choice
}

union Choice {
  1: i32 number
  2: Animal animal
  3: list<Choice> several
  4: Choice again
}

union Never {}

struct Empty {}

struct Numberless {
  i8 first
  string second
}

/** Names that are one in Rust. */
struct Twins {
  1: i32 myId
  2: i32 my_id
}

/** Contains itself. */
struct Tree {
  1: list<Tree> children
  2: Tree next
  3: optional Branch branch
  4: i16 item
}

struct Branch {
  1: required i32 length
  2: optional Tree tree
}

exception Sick {
  1: string message
  2: Animal animal
}

/** Keeps animals. */
service Keeper extends shared.Base {
  /** Feeds one. */
  Animal feed(1: Animal animal, 2: i32 cx = 3, 3: Choice type) throws (1: Sick sick, 2: shared.Refused status, 3: Sick again),
  void clean(1: optional string what) throws (1: Sick sick);
  oneway void call(1: Number times)
  map<string, Series> count()
  void new()
}

service nothing {}
