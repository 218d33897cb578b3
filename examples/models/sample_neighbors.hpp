// Neighbor sampling on the host: the part of a graph that the results of some vertices are computed from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <unordered_map>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/format/csr.hpp>

#include "models/random_bits.hpp"

namespace edgewise::models {

/// A part of a graph. Its vertices have numbers of their own, in the order of `vertices`, which has their numbers in
/// the graph; the seeds come first. Edges are grouped by destination: row v owns [offsets[v], offsets[v + 1]) of
/// `neighbors`, numbers in the part, and of `edge_ids`, those in the graph.
struct sampled_part {
  std::vector<std::int32_t> vertices;
  std::vector<std::int32_t> offsets{0};
  std::vector<std::int32_t> neighbors;
  std::vector<std::int32_t> edge_ids;
};

namespace detail {

// Streams of random numbers that no tensor of a model has.
inline constexpr std::uint32_t shuffling_stream = 0xFFFFFFFE;
inline constexpr std::uint32_t sampling_stream = 0xFFFFFFFF;

/// Numbers that are drawn one after the other.
class drawn_numbers {
public:
  drawn_numbers(random_state state, std::uint32_t stream) : state_(state), stream_(stream) {}
  /// A number in [0, end).
  std::int64_t below(std::int64_t end) {
    return static_cast<std::int64_t>(
        (std::uint64_t{random_bits(state_, stream_, next_++)} * static_cast<std::uint64_t>(end)) >> 32);
  }

private:
  random_state state_;
  std::uint32_t stream_;
  std::int64_t next_ = 0;
};

/// `count` different positions of [0, end), ascending: all of them where there are no more.
/// Source: Floyd's algorithm, Bentley 1987, Communications of the ACM 30(9).
inline std::vector<std::int64_t> draw_positions(std::int64_t end, std::int64_t count, drawn_numbers& numbers) {
  std::vector<std::int64_t> drawn;
  if (end <= count) {
    drawn.resize(static_cast<std::size_t>(end));
    std::iota(drawn.begin(), drawn.end(), std::int64_t{0});
    return drawn;
  }
  for (std::int64_t last = end - count; last < end; ++last) {
    std::int64_t const position = numbers.below(last + 1);
    bool const is_new = std::find(drawn.begin(), drawn.end(), position) == drawn.end();
    drawn.push_back(is_new ? position : last);
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

}  // namespace detail

/// `rows` shuffled: the same for the same state. Source: Fisher and Yates, as Knuth, The Art of Computer Programming
/// 2, 3.4.2, algorithm P.
inline std::vector<std::int32_t> shuffled(std::span<std::int32_t const> rows, random_state state) {
  std::vector<std::int32_t> result(rows.begin(), rows.end());
  detail::drawn_numbers numbers(state, detail::shuffling_stream);
  for (auto last = static_cast<std::int64_t>(result.size()) - 1; last > 0; --last) {
    std::swap(result[static_cast<std::size_t>(last)], result[static_cast<std::size_t>(numbers.below(last + 1))]);
  }
  return result;
}

/// The part of a graph that layers of messages to `seeds` read: of each seed at most `fanouts[0]` incoming edges, of
/// the vertices met so at most `fanouts[1]`, and so on, drawn without replacement, the same for the same state. Of
/// vertices met last there are no edges. Source: Hamilton et al. 2017, arXiv:1706.02216, algorithm 2; like
/// torch_geometric's NeighborLoader, all layers are given the whole part. Throws `invalid_argument` naming the first
/// seed that is out of range or repeated.
inline sampled_part sample_neighbors(csr_view<> const& edges, std::span<std::int32_t const> seeds,
                                     std::span<std::int64_t const> fanouts, random_state state) {
  sampled_part part;
  std::unordered_map<std::int32_t, std::int32_t> number_of;
  auto const number = [&](std::int32_t v) {
    auto const [found, is_new] = number_of.try_emplace(v, static_cast<std::int32_t>(part.vertices.size()));
    if (is_new) part.vertices.push_back(v);
    return found->second;
  };
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    if (seeds[i] < 0 || seeds[i] >= edges.num_rows) {
      throw invalid_argument(edgewise::detail::text("sample_neighbors: seeds[", i, "] = ", seeds[i],
                                                    ", but the graph has ", edges.num_rows, " vertices"));
    }
    if (number(seeds[i]) != static_cast<std::int32_t>(i)) {
      throw invalid_argument(edgewise::detail::text("sample_neighbors: seeds[", i, "] = ", seeds[i], " is repeated"));
    }
  }
  detail::drawn_numbers numbers(state, detail::sampling_stream);
  std::size_t begin = 0;
  for (std::int64_t const fanout : fanouts) {
    std::size_t const end = part.vertices.size();
    for (; begin < end; ++begin) {
      auto const row = static_cast<std::size_t>(part.vertices[begin]);
      std::int64_t const first = edges.offsets[row], degree = edges.offsets[row + 1] - first;
      for (std::int64_t const position : detail::draw_positions(degree, fanout, numbers)) {
        part.neighbors.push_back(number(edges.neighbors[first + position]));
        part.edge_ids.push_back(edges.edge_id(static_cast<std::int32_t>(first + position)));
      }
      part.offsets.push_back(static_cast<std::int32_t>(part.neighbors.size()));
    }
  }
  part.offsets.resize(part.vertices.size() + 1, static_cast<std::int32_t>(part.neighbors.size()));
  return part;
}

/// At least the vertices and edges of any part of at most `num_seeds` seeds.
struct part_sizes {
  std::int64_t vertices;
  std::int64_t edges;
};
inline part_sizes largest_part(csr_view<> const& edges, std::int64_t num_seeds, std::span<std::int64_t const> fanouts) {
  part_sizes most{std::min<std::int64_t>(num_seeds, edges.num_rows), 0};
  std::int64_t frontier = most.vertices;
  for (std::size_t hop = 0; hop < fanouts.size(); ++hop) {
    // Vertices that are met early leave fewer to be met late. Where a later fanout is larger, they could have had that
    // one, so that it counts here: a bound then, else a size that a part can have.
    std::int64_t const fanout =
        std::min<std::int64_t>(edges.num_edges, *std::max_element(fanouts.begin() + hop, fanouts.end()));
    // A row gives at most all of its edges, and at most every other vertex.
    std::int64_t const drawn = std::min<std::int64_t>(edges.num_edges - most.edges, frontier * fanout);
    frontier = std::min<std::int64_t>(drawn, edges.num_rows - most.vertices);
    most.edges += drawn;
    most.vertices += frontier;
  }
  return most;
}

}  // namespace edgewise::models
