// Graphs from both kinds of files, searched for in several folders.
#include "../host_graph.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/core/error.hpp>

using namespace edgewise;
using namespace edgewise::bench;

namespace {

namespace fs = std::filesystem;

/// Format 1.0, as numpy writes it.
void write_npy(fs::path const& path, std::string const& shape, std::vector<std::int32_t> const& values) {
  std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 11, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file.write("\x93NUMPY\x01\x00", 8);
  file.put(static_cast<char>(header.size() & 255)).put(static_cast<char>(header.size() >> 8));
  file << header;
  file.write(reinterpret_cast<char const*>(values.data()), static_cast<std::streamsize>(4 * values.size()));
}

/// A folder of its own, removed with its owner.
struct folder {
  fs::path path = fs::temp_directory_path() / fs::path("edgewise_host_graph_test");
  folder() {
    fs::remove_all(path);
    fs::create_directories(path / "generated");
    fs::create_directories(path / "real" / "pair");
  }
  ~folder() { fs::remove_all(path); }
};

}  // namespace

TEST_CASE("host graph: of compressed rows and of pairs", "[bench]") {
  folder const at;
  write_npy(at.path / "generated" / "three.indptr.npy", "4,", {0, 2, 2, 3});
  write_npy(at.path / "generated" / "three.indices.npy", "3,", {1, 2, 0});
  write_npy(at.path / "real" / "pair" / "edge_index.npy", "2, 3", {0, 1, 2, 2, 0, 0});  // 0->2, 1->0, 2->0
  std::vector<std::string> const where{(at.path / "generated").string(), (at.path / "real").string()};

  host_graph const three = read_graph(where, "three");
  CHECK(three.name == "three");
  CHECK(three.by_destination.neighbors == std::vector<std::int32_t>{1, 2, 0});
  CHECK(three.by_source.offsets == std::vector<std::int32_t>{0, 1, 2, 3});
  CHECK(three.by_source.edge_ids == std::vector<std::int32_t>{2, 0, 1});

  host_graph const pair = read_graph(where, "pair");
  CHECK(pair.by_destination.offsets == std::vector<std::int32_t>{0, 2, 2, 3});
  CHECK(pair.by_destination.neighbors == std::vector<std::int32_t>{1, 2, 0});
  CHECK(pair.by_destination.edge_ids.empty());
  CHECK(pair.by_destination.num_neighbors == 3);

  host_graph const by_degree = read_graph(where, "pair@degree");  // 0, 2, 1: of three, two edges and one
  CHECK(by_degree.name == "pair@degree");
  CHECK(by_degree.by_destination.offsets == std::vector<std::int32_t>{0, 2, 3, 3});
  CHECK(by_degree.by_destination.neighbors == std::vector<std::int32_t>{2, 1, 0});
  CHECK_THROWS_AS(read_graph(where, "pair@random"), invalid_argument);

  write_npy(at.path / "generated" / "two_sided.indptr.npy", "2,", {0, 2});
  write_npy(at.path / "generated" / "two_sided.indices.npy", "2,", {3, 4});
  CHECK_THROWS_AS(read_graph(where, "two_sided"), invalid_argument);
  write_npy(at.path / "generated" / "two_sided.num_sources.npy", "1,", {5});
  CHECK(read_graph(where, "two_sided").by_source.offsets == std::vector<std::int32_t>{0, 0, 0, 0, 1, 2});

  CHECK_THROWS_AS(read_graph(where, "absent"), io_error);
  write_npy(at.path / "generated" / "broken.indptr.npy", "2,", {0, 2});
  write_npy(at.path / "generated" / "broken.indices.npy", "1,", {0});
  CHECK_THROWS_AS(read_graph(where, "broken"), invalid_argument);
}
