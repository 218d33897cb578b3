#include <edgewise/io/npy.hpp>

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
  CHECK(shape_of("9223372036854775807, 9223372036854775807, 0", {}).size() == 3);
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
  CHECK(refusal(npy_bytes("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 2), }\n", bytes_of({1, 2, 3, 4}))) ==
        "Fortran order, must be C order");
  CHECK(refusal(good.substr(0, good.size() - 1)) == "cut off: 15 bytes of elements, the shape needs 16");
  CHECK(refusal(good + "x") == "17 bytes of elements, the shape needs 16");
  CHECK(refusal(npy_file("<i4", "4294967296, 4294967296", {1})) ==
        "cut off: 4 bytes of elements, the shape needs more");
  CHECK(refusal("PK\x03\x04 some archive") == "not an npy file");
  CHECK(refusal("") == "not an npy file");
  CHECK(refusal(good.substr(0, 9)) == "npy header is cut off");
  CHECK(refusal(good.substr(0, 30)) == "npy header is cut off");
  CHECK(refusal(npy_bytes("{}", "", 3)) == "npy format 3.0, must be 1.0 or 2.0");
  CHECK(refusal(npy_bytes("{'descr': '<i4', 'fortran_order': False}", "")) ==
        "npy header has no 'shape': {'descr': '<i4', 'fortran_order': False}");
  CHECK(refusal(npy_bytes("{'descr': '<i4', 'fortran_order': False, 'shape': (-1,)}", "")) ==
        "npy header has a bad extent in its shape: -1,");
  CHECK(refusal(npy_bytes("{'descr': [('x', '<i4')], 'fortran_order': False, 'shape': (1,)}", bytes_of({1})))
            .substr(0, 37) == "npy elements are not of one plain typ");
  CHECK(testing::message_of<io_error>([&] { read_npy<int>(folder.file("missing.npy")); }) ==
        folder.file("missing.npy") + ": cannot be opened");
}

}  // namespace
}  // namespace edgewise
