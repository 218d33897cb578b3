#include <edgewise/io/pickle.hpp>

#include <array>
#include <string>
#include <string_view>

#include "support/catch.hpp"

#include "../format/message.hpp"
#include "temporary_folder.hpp"

namespace edgewise {
namespace {

using namespace std::string_literals;
using detail::pickle;
using detail::pickle_kind;
using detail::pickle_value;

constexpr std::array<std::string_view, 4> globals = {"collections defaultdict", "__builtin__ list", "_codecs encode",
                                                     "__builtin__ bytes"};

/// Much as Python prints it.
std::string shown(pickle const& file, pickle_value const& value) {
  std::string items;
  for (auto const item : value.items) items += (items.empty() ? "" : " ") + shown(file, file[item]);
  switch (value.kind) {
    case pickle_kind::none:
      return "None";
    case pickle_kind::boolean:
      return value.number != 0 ? "True" : "False";
    case pickle_kind::integer:
      return std::to_string(value.number);
    case pickle_kind::string:
      return "'" + value.bytes + "'";
    case pickle_kind::tuple:
      return "(" + items + ")";
    case pickle_kind::list:
      return "[" + items + "]";
    case pickle_kind::dictionary:
      return "{" + items + "}";
    case pickle_kind::global:
      return value.bytes;
    case pickle_kind::object:
      return shown(file, file[value.callable]) + shown(file, file[value.arguments]) + "{" + items + "}" +
             (value.state == detail::no_pickle_id ? "" : " in state " + shown(file, file[value.state]));
  }
  return "";
}

std::string read(std::string const& bytes) {
  testing::temporary_folder const folder;
  pickle const file(folder.write("x", bytes), globals);
  return shown(file, file.root());
}

/// The message without the name of the file.
std::string refusal(std::string const& bytes) {
  auto const message = testing::message_of<io_error>([&] { read(bytes); });
  auto const end = message.find("x: ");
  return end == message.npos ? message : message.substr(end + 3);
}

/// Written by Python's pickler with the strings of Python 2; protocols 0, 1 and 2 of the same value.
std::string const written[] = {
    "(dp0\nS'k'\np1\n(lp2\nI1\naI300\naI70000\naI-5\naL1099511627776L\naI01\naNa(I1\ntp3\na(I1\nI2\ntp4\na(I1\nI2\n"
    "I3\ntp5\na(I1\nI2\nI3\nI4\ntp6\na(ta(lp7\naS\"it's\\\\\\n\\xff\"\np8\nasS'd'\np9\n(dp10\nsS'n'\np11\n"
    "L-1099511627776L\nsS's'\np12\n(lp13\n(lp14\nI7\naag14\na(lp15\nI0\naas."s,
    "}q\000(U\001kq\001]q\002(K\001M,\001Jp\021\001\000J\373\377\377\377L1099511627776L\nI01\nN(K\001tq\003("
    "K\001K\002tq"
    "\004(K\001K\002K\003tq\005(K\001K\002K\003K\004tq\006)]q\007U\007it's\\\n\377q\010eU\001dq\011}q\nU\001nq\013"
    "L-1099511627776L\nU\001sq\014]q\015(]q\016K\007ah\016]q\017K\000aeu."s,
    "\200\002}q\000(U\001kq\001]q\002(K\001M,\001Jp\021\001\000J\373\377\377\377\212\006\000\000\000\000\000\001\210NK"
    "\001\205q\003K\001K\002\206q\004K\001K\002K\003\207q\005(K\001K\002K\003K\004tq\006)]q\007U\007it's\\\n\377q\010eU"
    "\001dq\011}q\nU\001nq\013\212\006\000\000\000\000\000\377U\001sq\014]q\015(]q\016K\007ah\016]q\017K\000aeu."s};

TEST_CASE("a value in protocols 0, 1 and 2") {
  for (auto const& bytes : written) {
    CHECK(read(bytes) ==
          "{'k' [1 300 70000 -5 1099511627776 True None (1) (1 2) (1 2 3) (1 2 3 4) () [] 'it's\\\n\xff'] 'd' {} "
          "'n' -1099511627776 's' [[7] [7] [0]]}");
  }
}

TEST_CASE("objects are what makes them, not made") {
  CHECK(
      read(
          "ccollections\ndefaultdict\np0\n(c__builtin__\nlist\np1\ntp2\nRp3\nI0\n(lp4\nI1\nasI1\n(lp5\nI0\naI1\nas."s) ==
      "collections defaultdict(__builtin__ list){0 [1] 1 [0 1]}");
  CHECK(read("\200\002ccollections\ndefaultdict\nq\000c__builtin__\nlist\nq\001\205q\002Rq\003(K\000]q\004K\001aK\001]"
             "q\005(K\000K\001eu."s) == "collections defaultdict(__builtin__ list){0 [1] 1 [0 1]}");
  CHECK(read("c__builtin__\nlist\n)\201K\003b."s) == "__builtin__ list(){} in state 3");
  CHECK(read("T\003\000\000\000abc."s) == "'abc'");
  CHECK(read("(I1\nI2\nl."s) == "[1 2]");
  CHECK(read("(I1\nI2\nd."s) == "{1 2}");
  CHECK(read("K\005r\001\001\000\000j\001\001\000\000\206."s) == "(5 5)");
}

TEST_CASE("strings, bytes and globals of Python 3") {
  CHECK(read("\x8c\003abc."s) == "'abc'");
  CHECK(read("X\003\000\000\000abc."s) == "'abc'");
  CHECK(read("\x8d\003\000\000\000\000\000\000\000abc."s) == "'abc'");
  CHECK(read("C\003abc."s) == "'abc'");
  CHECK(read("B\003\000\000\000abc."s) == "'abc'");
  CHECK(read("\x8e\003\000\000\000\000\000\000\000abc."s) == "'abc'");
  CHECK(read("\x96\003\000\000\000\000\000\000\000abc."s) == "'abc'");
  CHECK(read("Va\\u000ab\xe4\\u20ac\\U0001f600\n."s) == "'a\nb\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80'");
  CHECK(read("\200\004\225\001\000\000\000\000\000\000\000N."s) == "None");
  CHECK(read("K\005\x94K\006\x94h\000h\001\x86\x94h\002\x86\x86\x86."s) == "(5 (6 ((5 6) (5 6))))");
  CHECK(read("\x8c\010builtins\x8c\004list\x93."s) == "__builtin__ list");
}

TEST_CASE("bytes that protocols 0 to 2 write as text") {
  std::string const encode = "c_codecs\nencode\n";
  CHECK(read(encode + "X\004\000\000\000a\xc2\x80z\x8c\006latin1\x86R."s) == "'a\x80z'");
  CHECK(read(encode + "X\002\000\000\000\xc3\xbf\x8c\006latin1\x86R."s) == "'\xff'");
  CHECK(read("c__builtin__\nbytes\n)R."s) == "''");
  CHECK(refusal(encode + "X\002\000\000\000\xc4\x80\x8c\006latin1\x86R."s).find("latin1 that has other letters") !=
        std::string::npos);
  CHECK(refusal(encode + "X\001\000\000\000\xc3\x8c\006latin1\x86R."s).find("latin1 that has other letters") !=
        std::string::npos);
  CHECK(refusal(encode + "\x8c\001a\x8c\005utf-8\x86R."s).find("something else than text as latin1") !=
        std::string::npos);
  // A text of 100 letters that is named 100 times in a file of 600 bytes.
  std::string many = encode + "q\000\x8c\006latin1q\001X\144\000\000\000"s + std::string(100, 'x') + "q\002";
  for (int k = 0; k < 100; ++k) many += "h\000h\002h\001\x86R"s;
  CHECK(refusal(many + "t.").find("encodes more text than the file has") != std::string::npos);
}

TEST_CASE("a file cut off anywhere is refused") {
  for (auto const& bytes : written) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      CAPTURE(size);
      CHECK(refusal(bytes.substr(0, size)).find("cut off: ") != std::string::npos);
    }
  }
}

TEST_CASE("what such a file does not need is refused by byte and opcode") {
  CHECK(refusal("cos\nsystem\n(S'true'\ntR."s) ==
        "byte 0: opcode 0x63 ('c'): global \"os system\" is not one that such a file needs; nothing of it was run");
  CHECK(refusal("\200\004\214\005posix\214\006system\x93\214\004true\205R."s) ==
        "byte 17: opcode 0x93: global \"posix system\" is not one that such a file needs; nothing of it was run");
  CHECK(refusal("\200\002K\001\x8f."s) == "byte 4: opcode 0x8f: is not read here");
  CHECK(refusal("\200\006N."s) == "byte 0: opcode 0x80: protocol 6, must be 0 to 5");
  CHECK(refusal("K\001K\002\x93."s) == "byte 4: opcode 0x93: names a global by an int and an int, must be two strings");
  CHECK(refusal("\x95\377\377\377\377\377\377\377\377N."s).find("cut off: 18446744073709551615 bytes") !=
        std::string::npos);
  CHECK(refusal("\x8e\377\377\377\377\377\377\377\377N."s).find("cut off: 18446744073709551615 bytes") !=
        std::string::npos);
  CHECK(refusal("V\\u12\n."s) == "byte 0: opcode 0x56 ('V'): the text has an escape that Python does not write");
  CHECK(refusal("F1.5\n."s) == "byte 0: opcode 0x46 ('F'): is not read here");
  CHECK(refusal("NN."s) == "byte 2: opcode 0x2e ('.'): more than one value is left at the end");
  CHECK(refusal("(N."s) == "byte 2: opcode 0x2e ('.'): more than one value is left at the end");
  CHECK(refusal("N.N"s) == "byte 2: the file goes on after the pickle");
  CHECK(refusal("."s) == "byte 0: opcode 0x2e ('.'): takes 1 values, there are 0");
  CHECK(refusal("t."s) == "byte 0: opcode 0x74 ('t'): there is no mark");
  CHECK(refusal("N(\205."s) == "byte 2: opcode 0x85: takes 1 values, there are 0");
  CHECK(refusal("g3\n."s) == "byte 0: opcode 0x67 ('g'): memo 3 has not been written");
  CHECK(refusal("Ix\n."s) == "byte 0: opcode 0x49 ('I'): \"x\" must be a 64-bit integer");
  CHECK(refusal("I9223372036854775808\n."s) ==
        "byte 0: opcode 0x49 ('I'): \"9223372036854775808\" must be a 64-bit integer");
  CHECK(refusal("\212\011123456789."s) == "byte 0: opcode 0x8a: an integer of 9 bytes, must have at most 8");
  CHECK(refusal("Sabc\n."s) == "byte 0: opcode 0x53 ('S'): the string must stand in quotes");
  CHECK(refusal("S'\\xg0'\n."s) == "byte 0: opcode 0x53 ('S'): the string has an escape that Python 2 does not print");
  CHECK(refusal("S'\\'\n."s) == "byte 0: opcode 0x53 ('S'): the string has an escape that Python 2 does not print");
  CHECK(refusal("T\377\377\377\377ab."s) ==
        "byte 0: opcode 0x54 ('T'): cut off: 4294967295 bytes must follow, the file has 3 more");
  CHECK(refusal("NNa."s) == "byte 2: opcode 0x61 ('a'): appends to None, must be a list");
  CHECK(refusal("NNNs."s) == "byte 3: opcode 0x73 ('s'): sets items of None, must be a dict or an object");
  CHECK(refusal("}(Nu."s) == "byte 3: opcode 0x75 ('u'): a key has no value");
  CHECK(refusal("(Nd."s) == "byte 2: opcode 0x64 ('d'): a key has no value");
  CHECK(refusal("N)R."s) ==
        "byte 2: opcode 0x52 ('R'): makes an object from None and a tuple, must be a global and a tuple");
  CHECK(refusal("NNb."s) == "byte 2: opcode 0x62 ('b'): sets the state of None");
  CHECK(refusal("c__builtin__\nlist\n)RNbNb."s) ==
        "byte 23: opcode 0x62 ('b'): sets the state of an object that has one");
}

TEST_CASE("a list within itself") {
  testing::temporary_folder const folder;
  pickle const file(folder.write("x", "]q\001h\001a."s), globals);
  CHECK(&file[file.root().items.front()] == &file.root());
}

TEST_CASE("no such pickle") {
  testing::temporary_folder const folder;
  CHECK(testing::message_of<io_error>([&] { pickle(folder.file("none"), globals); }) ==
        folder.file("none") + ": cannot be opened");
}

}  // namespace
}  // namespace edgewise
