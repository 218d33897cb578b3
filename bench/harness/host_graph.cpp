#include "host_graph.hpp"

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <edgewise/core/error.hpp>
#include <edgewise/format/convert.hpp>
#include <edgewise/format/vertex_orders.hpp>
#include <edgewise/io/npy_folder.hpp>
#ifdef EDGEWISE_BENCH_WITH_METIS
#include <edgewise/vendor/metis.hpp>
#endif

namespace edgewise::bench {

namespace {

using edgewise::detail::text;

// Reads what generate.py writes and nothing else: format version 1.0, one dimension, little-endian int32.
std::vector<std::int32_t> read_int32_npy(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw io_error(text(path, ": cannot be opened; bench/graphs/generate.py writes it"));
  char magic[10];
  if (!file.read(magic, sizeof(magic)) || std::memcmp(magic, "\x93NUMPY\x01\x00", 8) != 0) {
    throw io_error(text(path, ": not a version 1.0 .npy file"));
  }
  std::string header(static_cast<unsigned char>(magic[8]) + 256u * static_cast<unsigned char>(magic[9]), '\0');
  file.read(header.data(), static_cast<std::streamsize>(header.size()));
  std::size_t const shape = header.find("'shape': (");
  if (!file || header.find("'descr': '<i4'") == std::string::npos || shape == std::string::npos) {
    throw io_error(text(path, ": expected a one-dimensional int32 array, the header is ", header));
  }
  std::size_t count_chars = 0;
  std::size_t const size = std::stoull(header.substr(shape + 10), &count_chars);
  if (header.compare(shape + 10 + count_chars, 2, ",)") != 0) {
    throw io_error(text(path, ": expected one dimension, the header is ", header));
  }
  std::vector<std::int32_t> values(size);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(size * sizeof(std::int32_t)));
  if (!file) throw io_error(text(path, ": ends before its ", size, " elements"));
  return values;
}

host_grouping read_csr(std::string const& path) {
  host_grouping grouping;
  grouping.offsets = read_int32_npy(path + ".indptr.npy");
  grouping.neighbors = read_int32_npy(path + ".indices.npy");
  std::string const sources = path + ".num_sources.npy";
  grouping.num_neighbors = std::filesystem::exists(sources) ? read_int32_npy(sources).at(0) : grouping.num_rows();
  return grouping;
}

/// Edges are renumbered: ids are positions.
host_grouping grouping_of(csr<> const& rows) {
  host_grouping grouping;
  auto const copy = [](auto const& from, std::vector<std::int32_t>& to) { to.assign(from.begin(), from.end()); };
  copy(rows.offsets(), grouping.offsets);
  copy(rows.neighbors(), grouping.neighbors);
  grouping.num_neighbors = rows.view().num_neighbors;
  return grouping;
}

host_grouping read_folder(std::string const& path) { return grouping_of(to_csr(cpu{}, read_npy_folder(path).edges)); }

host_grouping reordered(host_grouping const& rows, std::string const& order) {
  csr_view<> const edges{{.offsets = rows.offsets.data(),
                          .neighbors = rows.neighbors.data(),
                          .edge_ids = nullptr,
                          .num_rows = rows.num_rows(),
                          .num_neighbors = rows.num_neighbors,
                          .num_edges = static_cast<std::int32_t>(rows.num_edges())}};
  auto const by = [&](auto const& policy) {
    return grouping_of(reorder(cpu{}, edges, find_order(cpu{}, edges, policy)));
  };
  if (order == "degree") return by(by_degree{});
  if (order == "rcm") return by(reverse_cuthill_mckee{});
#ifdef EDGEWISE_BENCH_WITH_METIS
  if (order == "metis") return by(metis{});
  if (order.rfind("metis", 0) == 0 && order.find_first_not_of("0123456789", 5) == std::string::npos &&
      order.size() < 12) {
    return by(metis{.parts = std::stoi(order.substr(5))});
  }
#endif
  throw invalid_argument(
      text("graph: there is no order '", order, "'; there are degree, rcm and, with METIS, metis and metisPARTS"));
}

void require_graph(host_grouping const& grouping, std::string const& name) {
  auto const& offsets = grouping.offsets;
  if (offsets.empty() || offsets.front() != 0) throw invalid_argument(text(name, ": indptr must begin with 0"));
  for (std::size_t r = 1; r < offsets.size(); ++r) {
    if (offsets[r] < offsets[r - 1]) {
      throw invalid_argument(
          text(name, ": indptr[", r, "] = ", offsets[r], " is below its predecessor ", offsets[r - 1]));
    }
  }
  if (offsets.back() != grouping.num_edges()) {
    throw invalid_argument(text(name, ": indptr ends with ", offsets.back(), ", indices has ", grouping.num_edges()));
  }
  for (std::size_t k = 0; k < grouping.neighbors.size(); ++k) {
    if (grouping.neighbors[k] < 0 || grouping.neighbors[k] >= grouping.num_neighbors) {
      throw invalid_argument(text(name, ": indices[", k, "] = ", grouping.neighbors[k], ", the graph has ",
                                  grouping.num_neighbors, " vertices"));
    }
  }
}

}  // namespace

host_grouping transposed(host_grouping const& grouping) {
  host_grouping result;
  result.num_neighbors = grouping.num_rows();
  result.offsets.assign(static_cast<std::size_t>(grouping.num_neighbors) + 1, 0);
  result.neighbors.resize(grouping.neighbors.size());
  result.edge_ids.resize(grouping.neighbors.size());
  for (std::int32_t neighbor : grouping.neighbors) ++result.offsets[static_cast<std::size_t>(neighbor) + 1];
  for (std::size_t r = 1; r < result.offsets.size(); ++r) result.offsets[r] += result.offsets[r - 1];
  std::vector<std::int32_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::int32_t row = 0; row < grouping.num_rows(); ++row) {
    for (std::int32_t k = grouping.offsets[row]; k < grouping.offsets[row + 1]; ++k) {
      std::int32_t const position = next[grouping.neighbors[k]]++;
      result.neighbors[position] = row;
      result.edge_ids[position] = grouping.edge_id(k);
    }
  }
  return result;
}

host_graph read_graph(std::vector<std::string> const& directories, std::string const& name) {
  host_graph graph{.name = name, .by_destination = {}, .by_source = {}};
  std::size_t const at = name.find('@');
  std::string const stored = name.substr(0, at);
  std::string searched;
  for (std::string const& directory : directories) {
    std::string const path = directory + "/" + stored;
    searched += (searched.empty() ? "" : ", ") + path;
    if (std::filesystem::exists(path + ".indptr.npy")) {
      graph.by_destination = read_csr(path);
    } else if (std::filesystem::exists(path + "/edge_index.npy")) {
      graph.by_destination = read_folder(path);
    } else {
      continue;
    }
    require_graph(graph.by_destination, path);
    if (at != std::string::npos) graph.by_destination = reordered(graph.by_destination, name.substr(at + 1));
    graph.by_source = transposed(graph.by_destination);
    return graph;
  }
  throw io_error(text(searched,
                      ": there is neither .indptr.npy, which bench/graphs/generate.py writes, nor a folder with "
                      "edge_index.npy"));
}

}  // namespace edgewise::bench
