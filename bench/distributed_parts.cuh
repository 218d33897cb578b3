// A graph as the ranks of bench_distributed have it: this rank's parts on its GPU, and vertices whose rows are
// compared.
#pragma once

#include <edgewise/distributed.cuh>
#include <edgewise/io/npy.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "distributed.hpp"
#include "distributed_layers.cuh"
#include "distributed_messages.cuh"
#include "harness/device_array.cuh"
#include "harness/host_graph.hpp"
#include "harness/host_views.hpp"
#include "harness/spot_check.hpp"

namespace edgewise::bench {

/// Owners of the vertices of a graph: "ranges" of about as many edges each, or "owners", of a file of `folder`.
inline ownership read_owners(host_graph const& graph, std::string const& partition, std::string const& folder,
                             int num_ranks) {
  auto const edges = view_of<csr_view<>>(graph.by_destination);
  if (partition == "ranges") return edgewise::partition(edges, num_ranks, by_edges{});
  auto const owners = read_npy<std::int32_t>(folder + "/" + graph.name + ".owners.npy");
  return edgewise::partition(edges, num_ranks, by_owner{{owners.values.data(), owners.values.size()}});
}

/// Which rows of a part are those of the sampled vertices, -1 where another rank has them.
struct rows_of_sample {
  std::vector<std::int64_t> destinations, sources;
};

/// This rank's part of a graph.
class placed_part {
public:
  using graph_type = distributed_graph<switched_communicator>;

  placed_part(switched_communicator& comm, cudaStream_t stream, host_graph const& whole, std::string partition,
              ownership owners)
      : partition_(std::move(partition)),
        owners_(std::move(owners)),
        memory_(make_counted_memory()),
        graph_(comm, {.stream = stream, .memory = memory_.get()},
               make_part(cpu{}, view_of<csr_view<>>(whole.by_destination), owners_, comm.rank())),
        source_ids_(ids_on_device(part().source_ids(), stream)),
        destination_ids_(ids_on_device(part().destinations, stream)),
        edge_ids_(ids_on_device(part().edges, stream)) {}

  std::string const& partition() const { return partition_; }
  graph_type const& graph() const { return graph_; }
  graph_part<> const& part() const { return graph_.part(); }
  ownership const& owners() const { return owners_; }
  layer_rows rows() const { return {numbered(source_ids_), numbered(destination_ids_), numbered(edge_ids_)}; }
  /// Bytes of the graph's arrays on the device.
  std::size_t graph_bytes() const { return memory_->live_bytes(); }

  /// Vertices at the border: destinations that read sources of other ranks, and such sources; so many of each.
  sampled_vertices at_border(std::int64_t count) const {
    sampled_vertices found;
    std::int64_t const interior = part().interior.num_destinations();
    spread(part().num_destinations() - interior, count, [&](std::int64_t row) {
      found.destinations.push_back(part().destinations[static_cast<std::size_t>(interior + row)]);
    });
    for (int q = 0; q < part().num_ranks; ++q) {
      if (q == part().rank) continue;
      auto const r = static_cast<std::size_t>(q);
      auto const vertices = owners_.of_sources().vertices_of(q);
      spread(part().table_first[r + 1] - part().table_first[r], count, [&](std::int64_t k) {
        auto const position = part().table[static_cast<std::size_t>(part().table_first[r] + k)];
        found.sources.push_back(vertices[static_cast<std::size_t>(position)]);
      });
    }
    return found;
  }
  rows_of_sample find(sampled_vertices const& vertices) const {
    return {rows_of(part().destinations, vertices.destinations), rows_of(part().source_ids(), vertices.sources)};
  }

private:
  template <class Ids>
  static device_buffer<std::int64_t> ids_on_device(Ids const& ids, cudaStream_t stream) {
    return upload(std::vector<std::int64_t>(ids.begin(), ids.end()), stream);
  }
  static numbered_rows numbered(device_buffer<std::int64_t> const& ids) {
    return {static_cast<std::int64_t>(ids.size()), ids.data()};
  }
  /// Calls f for `count` numbers below `size`, or for all.
  template <class F>
  static void spread(std::int64_t size, std::int64_t count, F const& f) {
    count = std::min(size, count);
    for (std::int64_t i = 0; i < count; ++i) f(i * size / count);
  }
  template <class Ids>
  static std::vector<std::int64_t> rows_of(Ids const& ids, std::vector<std::int64_t> const& vertices) {
    std::unordered_map<std::int64_t, std::int64_t> row_of;
    for (auto const v : vertices) row_of[v] = -1;
    for (std::size_t row = 0; row < ids.size(); ++row) {
      if (auto const at = row_of.find(ids[row]); at != row_of.end()) at->second = static_cast<std::int64_t>(row);
    }
    std::vector<std::int64_t> rows;
    for (auto const v : vertices) rows.push_back(row_of[v]);
    return rows;
  }

  std::string partition_;
  ownership owners_;
  counted_memory memory_;
  graph_type graph_;
  device_buffer<std::int64_t> source_ids_, destination_ids_, edge_ids_;
};

/// Vertices of all ranks alike: of the whole graph those that every benchmark reads, and those at the borders of parts.
/// Collective.
template <class Parts>
sampled_vertices choose_vertices(nccl_communicator& comm, cuda const& exec, host_graph const& graph,
                                 Parts const& parts) {
  sampled_vertices chosen;
  auto const add = [](std::vector<std::int64_t>& to, auto const& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  add(chosen.destinations, sampled_rows(graph.by_destination, 120));
  add(chosen.sources, sampled_rows(graph.by_source, 120));
  for (auto const& part : parts) {
    auto const own = part->at_border(40);
    for (auto const& list : edgewise::detail::gather_lists(comm, exec, own.destinations))
      add(chosen.destinations, list);
    for (auto const& list : edgewise::detail::gather_lists(comm, exec, own.sources)) add(chosen.sources, list);
  }
  return chosen;
}

/// What a step wrote at these rows; zeros where other ranks have them. The stream must be done. Synchronises.
inline std::vector<sampled_values> values_at(std::vector<written_array> const& written, rows_of_sample const& rows,
                                             cudaStream_t stream) {
  std::vector<sampled_values> found;
  for (written_array const& array : written) {
    auto const& at = array.is_of_sources ? rows.sources : rows.destinations;
    auto const row_size = static_cast<std::size_t>(array.row_size);
    sampled_values values{array.name, array.row_size, std::vector<float>(at.size() * row_size, 0.0f)};
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (at[i] < 0) continue;
      check_cuda(cudaMemcpyAsync(values.values.data() + i * row_size,
                                 array.values->data() + static_cast<std::size_t>(at[i]) * row_size,
                                 row_size * sizeof(float), cudaMemcpyDeviceToHost, stream),
                 "values_at: copy");
    }
    check_cuda(cudaStreamSynchronize(stream), "values_at: synchronize");
    found.push_back(std::move(values));
  }
  return found;
}

/// The rows of all ranks: each vertex belongs to one, the others have zeros. Collective.
inline std::vector<sampled_values> join_ranks(nccl_communicator& comm, cuda const& exec,
                                              std::vector<sampled_values> own) {
  for (sampled_values& array : own) {
    auto const all = edgewise::detail::gather_lists(comm, exec, array.values);
    std::fill(array.values.begin(), array.values.end(), 0.0f);
    for (auto const& values : all) {
      for (std::size_t i = 0; i < array.values.size(); ++i) array.values[i] += values.at(i);
    }
  }
  return own;
}

}  // namespace edgewise::bench
