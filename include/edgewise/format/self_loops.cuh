// Self loops of device edges: the same results as format/self_loops.hpp. Behind its own include because of CUB's scan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <edgewise/core/launch.cuh>
#include <edgewise/format/copy.cuh>
#include <edgewise/format/counted_marks.cuh>
#include <edgewise/format/self_loops.hpp>

namespace edgewise::inline v0 {

namespace detail {

inline constexpr int loop_threads = 256;

/// Blocks of a grid with a thread for each of `size` numbers.
inline unsigned loop_blocks(std::int64_t size) {
  return static_cast<unsigned>((size + loop_threads - 1) / loop_threads);
}
EDGEWISE_DEVICE std::int64_t loop_thread() { return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; }

/// keeps[k] says whether position k is no self loop, and keeps_id, where it is not null, the same by id.
template <class Index, class Offset>
__global__ void mark_kept_edges(coo_view<Index, Offset> const edges, Offset* keeps, Offset* keeps_id) {
  std::int64_t const k = loop_thread();
  if (k >= static_cast<std::int64_t>(edges.num_edges)) return;
  bool const is_kept = edges.sources[k] != edges.destinations[k];
  keeps[k] = is_kept;
  if (keeps_id) keeps_id[edges.edge_ids[k]] = is_kept;
}

/// Moves the edges that are no self loops to where `places` puts them, with ids by `new_ids` where there are ids.
template <class Index, class Offset>
__global__ void move_kept_edges(coo_view<Index, Offset> const edges, Offset const* places, Offset const* new_ids,
                                Index* sources, Index* destinations, Offset* edge_ids) {
  std::int64_t const k = loop_thread();
  if (k >= static_cast<std::int64_t>(edges.num_edges) || edges.sources[k] == edges.destinations[k]) return;
  Offset const place = places[k];
  sources[place] = edges.sources[k];
  destinations[place] = edges.destinations[k];
  if (edge_ids) edge_ids[place] = new_ids[edges.edge_ids[k]];
}

template <class Offset>
__global__ void expect_a_loop(Offset* misses, std::int64_t num_vertices) {
  if (loop_thread() < num_vertices) misses[loop_thread()] = 1;
}
/// Several threads may write the same zero.
template <class Index, class Offset>
__global__ void mark_loops(coo_view<Index, Offset> const edges, Offset* misses) {
  std::int64_t const k = loop_thread();
  if (k < static_cast<std::int64_t>(edges.num_edges) && edges.sources[k] == edges.destinations[k]) {
    misses[edges.sources[k]] = 0;
  }
}

/// Writes the self loops behind `old_size` edges, of vertex v as number ranks[v], or v where `ranks` is null. A vertex
/// whose rank is the next one's has none to be written.
template <class Index, class Offset>
__global__ void write_loops(std::int64_t num_vertices, Offset const* ranks, Offset old_size, Index* sources,
                            Index* destinations, Offset* edge_ids) {
  std::int64_t const v = loop_thread();
  if (v >= num_vertices || (ranks && ranks[v] == ranks[v + 1])) return;
  Offset const place = old_size + (ranks ? ranks[v] : static_cast<Offset>(v));
  sources[place] = destinations[place] = static_cast<Index>(v);
  if (edge_ids) edge_ids[place] = place;
}

/// Arrays of a coo of `size` edges, ids where `edges` has some.
template <class Index, class Offset>
struct coo_arrays {
  device_buffer<Index> sources;
  device_buffer<Index> destinations;
  device_buffer<Offset> edge_ids;

  coo_arrays(cuda const& exec, coo_view<Index, Offset> const& edges, std::size_t size)
      : sources(size, memory_of(exec), exec.stream),
        destinations(size, memory_of(exec), exec.stream),
        edge_ids(edges.edge_ids ? size : 0, memory_of(exec), exec.stream) {}
  coo<Index, Offset, device_space> give(coo_view<Index, Offset> const& edges) && {
    return {{.sources = edges.source_count, .destinations = edges.destination_count},
            std::move(sources),
            std::move(destinations),
            std::move(edge_ids)};
  }
};

template <class T>
void copy_front(cuda const& exec, T const* from, std::size_t size, device_buffer<T>& to) {
  if (size == 0 || to.empty()) return;
  check_cuda(cudaMemcpyAsync(to.data(), from, size * sizeof(T), cudaMemcpyDeviceToDevice, exec.stream),
             "with_self_loops: copy the edges");
}

template <class Index, class Offset>
coo<Index, Offset, device_space> drop_self_loops(cuda const& exec, coo_view<Index, Offset> const& edges) {
  std::int64_t const num_edges = edges.num_edges;
  auto places = make_passing([&] { return counted_marks<Offset>(exec, "with_self_loops", num_edges); });
  auto new_ids =
      make_passing([&] { return counted_marks<Offset>(exec, "with_self_loops", edges.edge_ids ? num_edges : 0); });
  if (num_edges > 0) {
    launch_kernel("with_self_loops: mark_kept_edges", mark_kept_edges<Index, Offset>, loop_blocks(num_edges),
                  loop_threads, exec.stream, edges, places.data(), edges.edge_ids ? new_ids.data() : nullptr);
  }
  places.count(exec);
  if (edges.edge_ids) new_ids.count(exec);
  coo_arrays<Index, Offset> to(exec, edges, places.read_total(exec));
  if (num_edges > 0) {
    launch_kernel("with_self_loops: move_kept_edges", move_kept_edges<Index, Offset>, loop_blocks(num_edges),
                  loop_threads, exec.stream, edges, places.data(), new_ids.data(), to.sources.data(),
                  to.destinations.data(), to.edge_ids.data());
  }
  return std::move(to).give(edges);
}

/// `ranks`: null where every vertex gets a loop, else by vertex, and behind them how many loops there are.
template <class Index, class Offset>
coo<Index, Offset, device_space> append_self_loops(cuda const& exec, coo_view<Index, Offset> const& edges,
                                                   Offset const* ranks, std::size_t num_loops) {
  auto const old_size = static_cast<std::size_t>(edges.num_edges);
  checked_count<Offset>("with_self_loops", "num_edges", static_cast<std::int64_t>(old_size + num_loops));
  coo_arrays<Index, Offset> to(exec, edges, old_size + num_loops);
  copy_front(exec, edges.sources, old_size, to.sources);
  copy_front(exec, edges.destinations, old_size, to.destinations);
  copy_front(exec, edges.edge_ids, old_size, to.edge_ids);
  if (num_loops > 0) {
    launch_kernel("with_self_loops: write_loops", write_loops<Index, Offset>, loop_blocks(edges.source_count),
                  loop_threads, exec.stream, edges.source_count, ranks, edges.num_edges, to.sources.data(),
                  to.destinations.data(), to.edge_ids.data());
  }
  return std::move(to).give(edges);
}

}  // namespace detail

/// A copy of device edges with self loops added or dropped: the bits that the host's gives. Launches on `exec.stream`;
/// result and temporary arrays (one offset per vertex, or two per edge, and what the scan asks for) come from
/// `exec.memory`. `add_to_all` is asynchronous; the others wait for the stream once, to learn how many edges there are.
/// Throws `invalid_argument` where sources and destinations differ in number, `cuda_error`.
template <class Index, class Offset>
coo<Index, Offset, device_space> with_self_loops(cuda const& exec, coo_view<Index, Offset> const& edges,
                                                 self_loops policy) {
  detail::require_same_vertices(edges);
  if (policy != self_loops::add_to_all) detail::refuse_capture(exec.stream, "with_self_loops");
  detail::device_call const call(exec, "with_self_loops");
  detail::check_device_edges(call, edges);
  if (policy == self_loops::drop) return detail::drop_self_loops(exec, edges);
  std::int64_t const num_vertices = edges.source_count;
  if (policy == self_loops::add_to_all || num_vertices == 0) {
    return detail::append_self_loops<Index, Offset>(exec, edges, nullptr, static_cast<std::size_t>(num_vertices));
  }
  detail::checked_count<Offset>("with_self_loops", "num_vertices", num_vertices);  // there may be as many loops
  auto ranks =
      detail::make_passing([&] { return detail::counted_marks<Offset>(exec, "with_self_loops", num_vertices); });
  detail::launch_kernel("with_self_loops: expect_a_loop", detail::expect_a_loop<Offset>,
                        detail::loop_blocks(num_vertices), detail::loop_threads, exec.stream, ranks.data(),
                        num_vertices);
  if (edges.num_edges > 0) {
    detail::launch_kernel("with_self_loops: mark_loops", detail::mark_loops<Index, Offset>,
                          detail::loop_blocks(edges.num_edges), detail::loop_threads, exec.stream, edges, ranks.data());
  }
  ranks.count(exec);
  return detail::append_self_loops<Index, Offset>(exec, edges, ranks.data(), ranks.read_total(exec));
}
template <class Index, class Offset>
coo<Index, Offset, device_space> with_self_loops(cuda const& exec, coo<Index, Offset, device_space> const& edges,
                                                 self_loops policy) {
  return with_self_loops(exec, edges.view(), policy);
}

}  // namespace edgewise::inline v0
