namespace rs calculator

exception InvalidOperation { 1: i32 what, 2: string why }

service Calculator {
  i32 divide(1: i32 a, 2: i32 b) throws (1: InvalidOperation invalid)
}
