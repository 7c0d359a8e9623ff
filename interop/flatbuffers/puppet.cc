// FlatBuffers' runtime for C++: write|check full|least FILE. Includes the code that flatc makes of full.fbs.

#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "full_generated.h"

namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using namespace full;

const Point kLow(-1, 2.5, 3), kHigh(4, -0.125, -300);
const Box kBox(kLow, kHigh, 4000000000u, Colour_Red);
const std::string kName = "Grüße, 你好";
const std::vector<uint8_t> kBytes = {0, 1, 255};
const std::vector<int64_t> kNumbers = {std::numeric_limits<int64_t>::min(), 0, std::numeric_limits<int64_t>::max()};
const std::vector<uint8_t> kFlags = {1, 0, 1};
const std::vector<int8_t> kColours = {Colour_Red, Colour_Blue};
const std::vector<double> kRatios = {0.1, -1e300};
const std::vector<std::string> kNames = {"a", "", "ccc"};
const std::vector<Point> kPoints = {kLow, kHigh};

Offset<Full> build(FlatBufferBuilder& b, bool everything) {
  const auto name = b.CreateString(everything ? kName : "");
  if (!everything) {
    FullBuilder table(b);
    table.add_name(name);
    return table.Finish();
  }
  const auto lion = CreateLion(b, 28, b.CreateString("Leo"));
  const auto house = CreateMouse(b, b.CreateString("house"), false);
  const auto bytes = b.CreateVector(kBytes);
  const auto numbers = b.CreateVector(kNumbers);
  const auto flags = b.CreateVector(kFlags);
  const auto colours = b.CreateVector(kColours);
  const auto ratios = b.CreateVector(kRatios);
  const auto names = b.CreateVectorOfStrings(kNames);
  const auto mice = b.CreateVector(std::vector<Offset<Mouse>>{house, CreateMouse(b)});
  const auto points = b.CreateVectorOfStructs(kPoints);
  FullBuilder table(b);
  table.add_open(true);
  table.add_tiny(1);
  table.add_low(127);
  table.add_near(-32768);
  table.add_port(65535);
  table.add_number(std::numeric_limits<int32_t>::min());
  table.add_count(std::numeric_limits<uint32_t>::max());
  table.add_far(std::numeric_limits<int64_t>::min());
  table.add_wide(1);
  table.add_ratio(-0.25f);
  table.add_exact(1.0 / 3);
  table.add_maybe(0);
  table.add_colour(Colour_Green);
  table.add_foods(Food(Food_Grass | Food_Meat));
  table.add_name(name);
  table.add_box(&kBox);
  table.add_animal_type(Animal_Lion);
  table.add_animal(lion.Union());
  table.add_best(house);
  table.add_bytes(bytes);
  table.add_numbers(numbers);
  table.add_flags(flags);
  table.add_colours(colours);
  table.add_ratios(ratios);
  table.add_names(names);
  table.add_mice(mice);
  table.add_points(points);
  return table.Finish();
}

// The field that differs, or nothing.
#define SAME(holds) \
  if (!(holds)) return #holds
#define SAME_VECTOR(field, values)                                                          \
  SAME(field != nullptr && field->size() == values.size());                                 \
  for (flatbuffers::uoffset_t i = 0; i < field->size(); i++) SAME(field->Get(i) == values[i])

bool same(const Point& a, const Point& b) { return a.x() == b.x() && a.at() == b.at() && a.z() == b.z(); }

const char* check_least(const Full& f) {
  SAME(!f.open() && f.tiny() == 200 && f.low() == -128 && f.near() == 16 && f.port() == 8000 && f.number() == -5);
  SAME(f.count() == 0 && f.far() == 0 && f.wide() == std::numeric_limits<uint64_t>::max());
  SAME(f.ratio() == 1.5f && f.exact() == 0 && !f.maybe());
  SAME(f.colour() == Colour_Blue && f.foods() == Food_Fish && f.name()->size() == 0);
  SAME(f.animal_type() == Animal_NONE && !f.animal() && !f.box() && !f.best());
  SAME(!f.bytes() && !f.numbers() && !f.names() && !f.mice() && !f.points());
  return nullptr;
}

const char* check_full(const Full& f) {
  SAME(f.open() && f.tiny() == 1 && f.low() == 127 && f.near() == -32768 && f.port() == 65535);
  SAME(f.number() == std::numeric_limits<int32_t>::min() && f.count() == std::numeric_limits<uint32_t>::max());
  SAME(f.far() == std::numeric_limits<int64_t>::min() && f.wide() == 1);
  SAME(f.ratio() == -0.25f && f.exact() == 1.0 / 3 && f.maybe() && *f.maybe() == 0);
  SAME(f.colour() == Colour_Green && f.foods() == Food(3) && f.name()->str() == kName);
  SAME(f.box() && std::memcmp(f.box(), &kBox, sizeof kBox) == 0);
  SAME(f.animal_as_Lion() && f.animal_as_Lion()->teeth() == 28 && f.animal_as_Lion()->name()->str() == "Leo");
  SAME(f.best() && f.best()->kind()->str() == "house" && !f.best()->tame());
  SAME_VECTOR(f.bytes(), kBytes);
  SAME_VECTOR(f.numbers(), kNumbers);
  SAME_VECTOR(f.flags(), kFlags);
  SAME_VECTOR(f.colours(), kColours);
  SAME_VECTOR(f.ratios(), kRatios);
  SAME(f.names() && f.names()->size() == 3);
  for (flatbuffers::uoffset_t i = 0; i < 3; i++) SAME(f.names()->Get(i)->str() == kNames[i]);
  SAME(f.mice() && f.mice()->size() == 2 && f.mice()->Get(0)->kind()->str() == "house" && !f.mice()->Get(0)->tame());
  SAME(!f.mice()->Get(1)->kind() && f.mice()->Get(1)->tame());
  SAME(f.points() && f.points()->size() == 2 && same(*f.points()->Get(0), kLow) && same(*f.points()->Get(1), kHigh));
  return nullptr;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  const std::string verb = words[1], file = words[3];
  const bool everything = std::string(words[2]) == "full";
  if (verb == "write") {
    FlatBufferBuilder b;
    FinishFullBuffer(b, build(b, everything));
    std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(b.GetBufferPointer()), b.GetSize());
    return 0;
  }
  std::ifstream input(file, std::ios::binary);
  const std::string message((std::istreambuf_iterator<char>(input)), {});
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t*>(message.data()), message.size());
  if (!VerifyFullBuffer(verifier)) {
    std::cerr << "the verifier refuses it\n";
    return 1;
  }
  const auto& table = *GetFull(message.data());
  const char* wrong = everything ? check_full(table) : check_least(table);
  if (wrong) std::cerr << "does not hold: " << wrong << '\n';
  return wrong ? 1 : 0;
}
