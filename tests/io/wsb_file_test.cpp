// Files of window-sorted blocks: what is saved is loaded, what is damaged is refused.
#include <edgewise/io/wsb_file.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <edgewise/format/convert.hpp>
#include <edgewise/format/to_wsb.hpp>

#include "support/catch.hpp"

#include "../format/message.hpp"
#include "../support/graphs.hpp"
#include "temporary_folder.hpp"

namespace edgewise {
namespace {

using testing::message_of;
using testing::temporary_folder;

template <class T>
bool are_same(host_buffer<T> const& left, host_buffer<T> const& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end());
}

template <class Rows>
void check_round_trip(temporary_folder const& folder, wsb<Rows> const& g) {
  auto const path = folder.path() / "a.wsb";
  save_wsb(path, g);
  auto const loaded = load_wsb<Rows>(path);
  CHECK(loaded.counts() == g.counts());
  CHECK(are_same(loaded.rows().neighbors(), g.rows().neighbors()));
  CHECK(are_same(loaded.rows().edge_ids(), g.rows().edge_ids()));
  CHECK(are_same(loaded.columns(), g.columns()));
  CHECK(are_same(loaded.masks(), g.masks()));
  if (!g.window_tiles().empty()) {
    CHECK(are_same(loaded.rows().offsets(), g.rows().offsets()));
    CHECK(are_same(loaded.window_tiles(), g.window_tiles()));
  }
  CHECK_FALSE(std::filesystem::exists(folder.path() / "a.wsb.part"));
}

TEST_CASE("wsb file: what is saved is loaded, on the battery") {
  temporary_folder const folder;
  for (auto const& graph : testing::battery()) {
    INFO(graph.name);
    check_round_trip(folder, to_wsb(cpu{}, graph.csr()));
    check_round_trip(folder, to_wsb(cpu{}, graph.csc(), {.least_reuse = 1.3}));
    auto const rows = graph.by_destination.with_offsets<long>();
    check_round_trip(folder, to_wsb(cpu{}, graph.csr_of(rows)));
  }
  check_round_trip(folder, wsb<csr<>>());
}

std::string bytes_in(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("wsb file: no byte can be changed, lost or added") {
  temporary_folder const folder;
  auto const path = folder.path() / "small.wsb";
  auto const graph = testing::make_test_graph("small", 20, 17, {{3, 0}, {5, 1}, {3, 1}, {5, 1}, {19, 16}});
  save_wsb(path, to_wsb(cpu{}, graph.csr()));
  std::string const bytes = bytes_in(path);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    auto const name = folder.write("damaged.wsb", damaged);
    INFO("byte " << i);
    CHECK_THROWS_AS(load_wsb<csr<>>(name), io_error);
    auto const cut = folder.write("cut.wsb", bytes.substr(0, i));
    CHECK_THROWS_AS(load_wsb<csr<>>(cut), io_error);
  }
  CHECK_THROWS_AS(load_wsb<csr<>>(folder.write("long.wsb", bytes + '\0')), io_error);
}

TEST_CASE("wsb file: what is wrong is named") {
  temporary_folder const folder;
  auto const path = folder.path() / "small.wsb";
  auto const graph = testing::make_test_graph("small", 20, 17, {{3, 0}, {19, 16}});
  save_wsb(path, to_wsb(cpu{}, graph.csr()));
  std::string const bytes = bytes_in(path);
  auto const message = [&](auto const& damage) {
    std::string damaged = bytes;
    damage(damaged);
    auto const name = folder.write("b.wsb", damaged);
    auto const text = message_of<io_error>([&] { load_wsb<csr<>>(name); });
    auto const prefix = name + ": ";
    return text.substr(0, prefix.size()) == prefix ? text.substr(prefix.size()) : text;
  };
  auto const put = [](std::string& to, std::size_t at, auto value) {
    std::memcpy(to.data() + at, &value, sizeof(value));
  };
  CHECK(message([](std::string&) {}) == "no error");
  CHECK(message([](std::string& b) { b[0] = 'E'; }) == "is no wsb file");
  CHECK(message([&](std::string& b) { put(b, 8, 2u); }) == "has version 2, must have 1");
  CHECK(message([](std::string& b) { b.resize(20); }) == "ends too early");
  CHECK(message([&](std::string& b) { put(b, 40, std::int64_t{1} << 60); }) ==
        "wsb: num_edges = 1152921504606846976, but its type holds at most 2147483647");
  CHECK(message([&](std::string& b) { put(b, 40, std::int64_t{2147483647}); }).substr(0, 4) == "has ");
  CHECK(message([&](std::string& b) { put(b, 48, std::int64_t{-1}); }) == "has a negative count");
  CHECK(message([](std::string& b) { b[60] ^= 1; }) == "is damaged: its checksum is not that of its bytes");
  CHECK(message_of<io_error>([&] { load_wsb<csc<>>(path); }) ==
        path.string() + ": is grouped by destination, must be by source");
  CHECK(message_of<io_error>([&] { load_wsb<csr<std::int32_t, std::int64_t>>(path); }) ==
        path.string() + ": has vertex ids of 4 and offsets of 4 bytes, must have 4 and 8");
  CHECK(message_of<io_error>([&] { load_wsb<csr<>>(folder.path() / "none.wsb"); }) ==
        (folder.path() / "none.wsb").string() + ": cannot be opened");
  CHECK(message_of<io_error>([&] { save_wsb(folder.path() / "no" / "folder.wsb", wsb<csr<>>()); }) ==
        (folder.path() / "no" / "folder.wsb").string() + ": cannot be written");

  // a checksum that fits proves nothing: the contents are checked, too
  auto g = to_wsb(cpu{}, graph.csr());
  const_cast<std::uint16_t&>(g.masks()[0]) = 3;
  save_wsb(path, g);
  CHECK(message_of<io_error>([&] { load_wsb<csr<>>(path); }) ==
        path.string() + ": wsb: masks[0] has bit 1, neighbor 3, but row 0 has no more edges next");
}

}  // namespace
}  // namespace edgewise
