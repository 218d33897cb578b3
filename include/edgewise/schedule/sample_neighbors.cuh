// Do rows that lie side by side share neighbors? Answered from a sample of a grouping in device memory.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/launch.cuh>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/grouping.hpp>
#include <edgewise/mapping/work_split.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

inline constexpr int spread_threads = 512;
inline constexpr int neighbor_samples = 32;
inline constexpr int spread_slots = 8192;
inline constexpr int spread_edges_ahead = 4;  ///< of a thread: a launch waits for its reads

/// Edges of sampled rows, and how many different neighbors they have.
struct neighbor_counts {
  std::uint32_t edges = 0;
  std::uint32_t distinct = 0;

  double ratio() const { return edges > 0 ? static_cast<double>(distinct) / static_cast<double>(edges) : 1; }
};

/// What a sample reads: about 4096 edges, those to a part of the vertices where rows are long, so that rows that share
/// neighbors share them in the sample, too.
struct neighbor_sample {
  std::int64_t rows = 0;          ///< a multiple of the warps of a block
  std::uint32_t among = 1;        ///< one vertex of so many counts; a power of two
  std::int64_t max_edges = 4096;  ///< of a row no more edges than this are read
  std::uint32_t enough = 6144u;   ///< edges at which a block stops, each warp at its part: they fill three quarters

  /// The sample of a grouping: of no rows where there are too few to tell.
  static neighbor_sample of(workload work) {
    neighbor_sample sample;
    if (work.num_rows <= 2 * window_rows) return sample;
    std::int64_t const mean = work.mean_degree() > 1 ? work.mean_degree() : 1;
    while (mean / sample.among >= 64) sample.among *= 2;
    constexpr std::int64_t warps = spread_threads / 32;
    std::int64_t const wanted = 4096 * static_cast<std::int64_t>(sample.among) / mean;
    std::int64_t const most = work.num_rows / 64 < 2048 ? work.num_rows / 64 : 2048;
    sample.rows = (wanted < most ? wanted : most) / warps * warps;
    return sample;
  }
};

EDGEWISE_DEVICE std::uint32_t spread_hash(std::uint64_t x) {
  return static_cast<std::uint32_t>((x * 0x9e3779b97f4a7c15ull) >> 32);
}

/// Groupings whose neighbors are counted in one launch, and the sample of each.
template <std::size_t N, class Index, class Offset>
struct sampled_groupings {
  grouping_view<Index, Offset> groupings[N];
  neighbor_sample samples[N];
};

/// Block (s, 0, i) of grouping i: rows side by side from s / neighbor_samples of all rows on; block (s, 1, i): as many,
/// each somewhere in its part of all rows; block (s, 2, i): as many of the `window_rows` that begin there, or of the
/// last. Sets of hashed ids in shared memory, so that counts are the same every time. Shapes: counts [N].
template <std::size_t N, class Index, class Offset, class Counts>
__global__ void __launch_bounds__(spread_threads)
    count_distinct_neighbors(sampled_groupings<N, Index, Offset> const sampled, Counts* all_counts) {
  constexpr std::uint32_t empty = 0xffffffffu;
  constexpr std::uint32_t warps = spread_threads / 32;
  __shared__ std::uint32_t known[spread_slots];
  grouping_view<Index, Offset> const& g = sampled.groupings[blockIdx.z];
  neighbor_sample const& sample = sampled.samples[blockIdx.z];
  if (sample.rows == 0) return;  // the whole block
  for (int i = static_cast<int>(threadIdx.x); i < spread_slots; i += spread_threads) known[i] = empty;
  __syncthreads();

  std::int64_t const num_rows = g.num_rows;
  std::int64_t const begin_of_sample = blockIdx.x * num_rows / neighbor_samples;
  std::int64_t const last_window = num_rows - window_rows;
  std::int64_t const first = blockIdx.y == 2 && begin_of_sample > last_window ? last_window : begin_of_sample;
  std::int64_t const apart = (blockIdx.y == 1 ? num_rows : std::int64_t{window_rows}) / sample.rows;
  std::int64_t const rows_of_warp = sample.rows / warps;
  int const lane = static_cast<int>(threadIdx.x) % 32;
  std::uint32_t edges = 0;     // of the warp
  std::uint32_t distinct = 0;  // of the thread
  for (std::int64_t begin = 0; begin < rows_of_warp; begin += 32) {
    std::int64_t const k = threadIdx.x / 32 * rows_of_warp + begin + lane;
    std::int64_t const jitter = spread_hash(static_cast<std::uint64_t>(k)) % static_cast<std::uint64_t>(apart);
    std::int64_t row = first + (blockIdx.y == 0 ? k : k * apart + jitter);
    if (row >= num_rows) row -= num_rows;
    bool const is_sampled = begin + lane < rows_of_warp;
    if (!is_sampled) row = 0;  // may lie beyond all rows
    Offset const row_begin = g.offsets[row];
    std::int64_t length = is_sampled ? g.offsets[row + 1] - row_begin : 0;
    if (length > sample.max_edges) length = sample.max_edges;
    // The edges of 32 rows one after another, 32 at a time; those of several times are on their way together.
    auto ends = static_cast<int>(length);
    for (int reach = 1; reach < 32; reach *= 2) {
      int const before = __shfl_up_sync(0xffffffffu, ends, reach);
      if (lane >= reach) ends += before;
    }
    int const begins = ends - static_cast<int>(length);
    int const total = __shfl_sync(0xffffffffu, ends, 31);
    for (int e0 = 0; e0 < total && edges < sample.enough / warps; e0 += 32 * spread_edges_ahead) {
      Index neighbors[spread_edges_ahead];
      EDGEWISE_UNROLL
      for (int i = 0; i < spread_edges_ahead; ++i) {
        int const e = e0 + 32 * i + lane;
        int owner = 0;
        for (int step = 16; step > 0; step /= 2) {
          if (__shfl_sync(0xffffffffu, begins, owner + step) <= e) owner += step;
        }
        auto const owner_begin = static_cast<Offset>(__shfl_sync(0xffffffffu, row_begin, owner));
        int const within = e - __shfl_sync(0xffffffffu, begins, owner);
        neighbors[i] = e < total ? g.neighbors[owner_begin + static_cast<Offset>(within)] : Index(0);
      }
      EDGEWISE_UNROLL
      for (int i = 0; i < spread_edges_ahead; ++i) {
        if (edges >= sample.enough / warps) break;
        std::uint32_t id = spread_hash(static_cast<std::uint64_t>(neighbors[i]));
        bool const counts_here = e0 + 32 * i + lane < total && (id & (sample.among - 1)) == 0;
        edges += static_cast<std::uint32_t>(__popc(__ballot_sync(0xffffffffu, counts_here)));
        if (!counts_here) continue;
        if (id == empty) id = 0;
        for (std::uint32_t slot = (id >> 15) % spread_slots;; slot = (slot + 1) % spread_slots) {
          std::uint32_t const found = atomicCAS(known + slot, empty, id);
          if (found == empty) ++distinct;
          if (found == empty || found == id) break;
        }
      }
    }
  }
  neighbor_counts& counts = all_counts[blockIdx.z].spread[blockIdx.y];
  atomicAdd(&counts.distinct, distinct);
  if (lane == 0) atomicAdd(&counts.edges, edges);
}

/// Starts the counts of the groupings that have rows enough to tell. Shapes: counts [N], device memory, whose `spread`
/// is of zeros.
template <std::size_t N, class Index, class Offset, class Counts>
void sample_neighbors_of(stream_handle stream, std::array<described_grouping<Index, Offset>, N> const& groupings,
                         Counts* counts) {
  sampled_groupings<N, Index, Offset> sampled;
  bool has_samples = false;
  for (std::size_t i = 0; i < N; ++i) {
    sampled.groupings[i] = groupings[i].grouping;
    sampled.samples[i] = neighbor_sample::of(workload_of(groupings[i].grouping));
    has_samples = has_samples || sampled.samples[i].rows > 0;
  }
  if (!has_samples) return;
  launch_kernel("spread: count neighbors", count_distinct_neighbors<N, Index, Offset, Counts>,
                dim3(neighbor_samples, 3, static_cast<unsigned>(N)), spread_threads, stream, sampled, counts);
}

/// Different neighbors of rows side by side over those of others, from counts on the host.
inline double spread_of(neighbor_counts const& side_by_side, neighbor_counts const& others) {
  return side_by_side.edges > 0 && others.distinct > 0 ? side_by_side.ratio() / others.ratio() : 1;
}

}  // namespace edgewise::inline v0::detail
