// What zoo.thrift includes.
namespace rs zoo.shared
namespace * not.this.one

typedef i64 Number
const i32 SIZE = 0x10

enum Level { LOW = 1, HIGH = 2 }

/** What goes wrong everywhere. */
exception Refused {
  1: string why
  2: optional i32 code
}

service Base {
  /** Is it alive? */
  void ping()
  Level level(1: i32 key) throws (1: Refused refused)
}
