#include <edgewise/io/npy.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/catch.hpp"

#include "../format/message.hpp"
#include "temporary_folder.hpp"

namespace edgewise {
namespace {

using testing::bytes_of;
using testing::npy_bytes;
using testing::npy_file;

template <class T>
void check_round_trip(char const* type, std::initializer_list<T> values) {
  testing::temporary_folder const folder;
  auto const path = folder.write("a.npy", npy_file(type, std::to_string(values.size()) + ",", values));
  auto const array = read_npy<T>(path);
  CHECK(array.shape == std::vector<std::int64_t>{static_cast<std::int64_t>(values.size())});
  CHECK(std::vector<T>(array.values.begin(), array.values.end()) == std::vector<T>(values));
}

TEST_CASE("arrays of the five types are read") {
  check_round_trip<std::int32_t>("<i4", {1, -2, 2147483647});
  check_round_trip<std::int64_t>("<i8", {1, -2, std::int64_t{1} << 40});
  check_round_trip<float>("<f4", {1.5f, -0.25f});
  check_round_trip<double>("<f8", {1e300, -0.1});
  check_round_trip<std::uint8_t>("|u1", {0, 255});
}

TEST_CASE("shapes of any number of axes are read") {
  testing::temporary_folder const folder;
  auto const shape_of = [&](std::string const& shape, std::initializer_list<int> values) {
    return read_npy<int>(folder.write("a.npy", npy_file("<i4", shape, values))).shape;
  };
  using shape = std::vector<std::int64_t>;
  CHECK(shape_of("", {7}) == shape{});
  CHECK(shape_of("2, 3", {1, 2, 3, 4, 5, 6}) == shape{2, 3});
  CHECK(shape_of("1,2,1", {1, 2}) == shape{1, 2, 1});
  CHECK(shape_of("0,", {}) == shape{0});
  CHECK(shape_of("2, 0", {}) == shape{2, 0});
  CHECK(shape_of("1152921504606846976, 0", {}) == shape{1152921504606846976, 0});
}

TEST_CASE("format 2.0 and memory resources") {
  testing::temporary_folder const folder;
  auto const bytes = npy_bytes("{'shape': (1,), 'fortran_order': False, 'descr': '<i4'}\n", bytes_of({42}), 2);
  counting_resource memory(host_memory());
  auto const array = read_npy<int>(folder.write("a.npy", bytes), &memory);
  CHECK(array.values[0] == 42);
  CHECK(memory.live_bytes() == 4);
}

TEST_CASE("a one-dimensional array has no order to be wrong") {
  testing::temporary_folder const folder;
  auto const bytes = npy_bytes("{'descr': '<i4', 'fortran_order': True, 'shape': (2,), }\n", bytes_of({4, 2}));
  CHECK(read_npy<int>(folder.write("a.npy", bytes)).values[1] == 2);
}

TEST_CASE("files that are not what was asked for are refused") {
  testing::temporary_folder const folder;
  auto const refusal = [&](std::string const& bytes) {
    auto const path = folder.write("a.npy", bytes);
    auto const message = testing::message_of<io_error>([&] { read_npy<int>(path); });
    return message.substr(0, path.size() + 2) == path + ": " ? message.substr(path.size() + 2) : message;
  };
  std::string const good = npy_file("<i4", "2, 2", {1, 2, 3, 4});
  CHECK(refusal(good) == "no error");
  CHECK(refusal(npy_file<std::int64_t>("<i8", "1,", {1})) == "elements of type '<i8', must be '<i4'");
  CHECK(refusal(npy_file("> i4", "1,", {1})) == "elements of type '> i4', must be '<i4'");
  CHECK(refusal(good.substr(0, good.size() - 1)) == "cut off: 15 bytes of elements, the shape needs 16");
  CHECK(refusal(good + "x") == "17 bytes of elements, the shape needs 16");
  CHECK(refusal(npy_file("<i4", "4294967296, 4294967296", {1})) ==
        "cut off: 4 bytes of elements, the shape needs more");
  CHECK(refusal(npy_bytes("{'descr': '<i4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", "")) ==
        "cut off: 0 bytes of elements, the shape needs more");
  CHECK(refusal(npy_file("<i4", "1000000000, 1000000000", {1})) ==
        "cut off: 4 bytes of elements, the shape needs 4000000000000000000");
  CHECK(refusal(npy_bytes("{'descr': '<i4', 'fortran_order': False, 'shape': (0, 4294967296, 4294967296), }", "")) ==
        "npy header has a shape of 2^63 bytes or more beside its empty axis");
  CHECK(refusal("PK\x03\x04 some archive") == "not an npy file");
  CHECK(refusal("") == "not an npy file");
  CHECK(refusal(good.substr(0, 9)) == "npy header is cut off");
  CHECK(refusal(good.substr(0, 30)) == "npy header is cut off");
  CHECK(refusal(npy_bytes("{'descr': [('x', '<i4')], 'fortran_order': False, 'shape': (1,)}", bytes_of({1})))
            .substr(0, 37) == "npy elements are not of one plain typ");
  CHECK(testing::message_of<io_error>([&] { read_npy<int>(folder.file("missing.npy")); }) ==
        folder.file("missing.npy") + ": cannot be opened");
  CHECK(testing::message_of<io_error>([&] { read_npy<int>(folder.path()); }) ==
        folder.path().string() + ": is a folder, must be a file");
}

/// The elements of six ints stored in this order and type, as Ts in C order.
template <class T = std::int32_t>
std::vector<T> elements(std::string const& type, bool fortran_order, std::string const& shape, std::string const& bytes,
                        int version = 1) {
  testing::temporary_folder const folder;
  auto const array = read_npy_as<T>(folder.write(
      "a.npy", npy_bytes("{'descr': '" + type + "', 'fortran_order': " + (fortran_order ? "True" : "False") +
                             ", 'shape': (" + shape + "), }\n",
                         bytes, version)));
  return {array.values.begin(), array.values.end()};
}

TEST_CASE("Fortran order becomes C order") {
  using ints = std::vector<std::int32_t>;
  CHECK(elements("<i4", true, "2, 3", bytes_of({0, 3, 1, 4, 2, 5})) == ints{0, 1, 2, 3, 4, 5});
  CHECK(elements("<i4", true, "6,", bytes_of({0, 1, 2, 3, 4, 5})) == ints{0, 1, 2, 3, 4, 5});
  CHECK(elements("<i4", true, "1, 2, 3", bytes_of({0, 3, 1, 4, 2, 5})) == ints{0, 1, 2, 3, 4, 5});
  CHECK(elements("<i4", true, "2, 2, 2", bytes_of({0, 4, 2, 6, 1, 5, 3, 7})) == ints{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(elements("<i4", true, "3, 0", "").empty());
  CHECK(elements("<i4", true, "", bytes_of({7})) == ints{7});
  // More elements than are read at once.
  constexpr int rows = 300, columns = 100;
  std::string bytes;
  for (int column = 0; column < columns; ++column) {
    for (int row = 0; row < rows; ++row) bytes += bytes_of({row * columns + column});
  }
  auto const large = elements("<i4", true, "300, 100", bytes);
  REQUIRE(large.size() == rows * columns);
  for (int k = 0; k < rows * columns; ++k) REQUIRE(large[static_cast<std::size_t>(k)] == k);
}

TEST_CASE("either byte order") {
  auto const big = std::string("\0\0\0\1\xff\xff\xff\xfe", 8);
  CHECK(elements(">i4", false, "2,", big) == std::vector<std::int32_t>{1, -2});
  CHECK(elements(">i4", true, "1, 2", big) == std::vector<std::int32_t>{1, -2});
  testing::temporary_folder const folder;
  auto const path = folder.write("a.npy", npy_bytes("{'descr': '>i4', 'fortran_order': False, 'shape': (2,)}", big, 3));
  CHECK(read_npy<std::int32_t>(path).values[1] == -2);
  CHECK(elements<double>(">f8", false, "1,", std::string("\x3f\xf8\0\0\0\0\0\0", 8)) == std::vector<double>{1.5});
}

TEST_CASE("other types are converted where that is exact, or to the nearest float") {
  CHECK(elements("<i8", false, "2,", bytes_of<std::int64_t>({5, -2147483648})) ==
        std::vector<std::int32_t>{5, -2147483648});
  CHECK(elements("<u2", false, "1,", bytes_of<std::uint16_t>({65535})) == std::vector<std::int32_t>{65535});
  CHECK(elements("|b1", false, "3,", std::string("\0\1\2", 3)) == std::vector<std::int32_t>{0, 1, 1});
  CHECK(elements<float>("|b1", false, "2,", std::string("\0\1", 2)) == std::vector<float>{0, 1});
  CHECK(elements<float>("<f8", false, "2,", bytes_of<double>({0.1, -1e-300})) == std::vector<float>{0.1f, -0.0f});
  CHECK(elements<float>("<f2", false, "2,", bytes_of<std::uint16_t>({0x3e00, 0xfc00}))[0] == 1.5f);
  CHECK(elements<double>("<i8", false, "1,", bytes_of<std::int64_t>({9007199254740993})) ==
        std::vector<double>{9007199254740992.0});
  auto const refusal = [](std::string const& type, std::string const& bytes) {
    auto const message = testing::message_of<io_error>([&] { elements(type, false, "1,", bytes); });
    return message.substr(std::min(message.find("a.npy: "), message.size() - 7) + 7);
  };
  CHECK(refusal("<i8", bytes_of<std::int64_t>({std::int64_t{1} << 32})) ==
        "element 0 is 4294967296, which '<i4' cannot hold");
  CHECK(refusal("<u8", bytes_of<std::uint64_t>({~std::uint64_t{0}})) ==
        "element 0 is 18446744073709551615, which '<i4' cannot hold");
  CHECK(refusal("<f4", bytes_of({1.0f})) == "elements of type '<f4', must be integers or bools");
  CHECK(refusal("<U1", bytes_of({1})) == "elements of type '<U1', must be bools, integers or floats");
  CHECK(refusal("<c8", bytes_of<std::int64_t>({1})) == "elements of type '<c8', must be bools, integers or floats");
  CHECK(testing::message_of<io_error>([&] {
          elements<float>("<f8", false, "1,", bytes_of({1e300}));
        }).find("element 0 is 1e+300, which '<f4' cannot hold") != std::string::npos);
  CHECK(testing::message_of<io_error>([&] {
          elements<std::uint8_t>("|i1", false, "1,", "\xff");
        }).find("element 0 is -1, which '|u1' cannot hold") != std::string::npos);
}

}  // namespace
}  // namespace edgewise
