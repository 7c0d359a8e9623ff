namespace rs warehouse
namespace py warehouse

enum Speed { SLOW = 1, FAST = 2 }

struct Item {
  1: required string name
  2: i32 count = 1
  3: optional double weight_kg
}

/** There is less of it than was ordered. */
exception OutOfStock { 1: string name, 2: i32 left }

service Shelf {
  i32 count(1: string name)
}

service Warehouse extends Shelf {
  /** Adds to what is there, and returns how much there is then. */
  map<string, i32> store(1: list<Item> items)
  string order(1: Item item, 2: Speed speed) throws (1: OutOfStock missing)
  oneway void note(1: string text)
}
