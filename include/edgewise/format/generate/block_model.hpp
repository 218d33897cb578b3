// Graphs with communities.
#pragma once

#include <cmath>

#include <edgewise/format/generate/edge_set.hpp>
#include <edgewise/format/generate/labelled_graph.hpp>

namespace edgewise::inline v0 {

/// Shares of all pairs that are linked: inside a block, and between two blocks.
struct block_model_options {
  std::vector<std::int64_t> block_sizes;
  double inside = 0;
  double between = 0;
  std::uint64_t seed = 0;
};

namespace detail {

/// Pair number `code` of the n * (n - 1) / 2 pairs u < v, in whole numbers alone: rows i and 2 * (n / 2) - 1 - i of the
/// triangle fill one row of a rectangle.
inline endpoint_pair triangle_pair(std::int64_t n, std::int64_t code) {
  std::int64_t const width = n % 2 == 0 ? n - 1 : n;
  std::int64_t const row = code / width;
  std::int64_t const column = code % width;
  std::int64_t const row_size = n - 1 - row;
  if (column < row_size) return {row, row + 1 + column};
  std::int64_t const partner = n / 2 * 2 - 1 - row;
  return {partner, partner + 1 + column - row_size};
}

}  // namespace detail

/// A stochastic block model; label = block, blocks lie one after the other. Of the pairs inside a block, and between
/// two blocks, the nearest whole number to that share of them is linked, every choice being equally likely. Links are
/// listed in both directions, sorted by (source, destination); no self loops. Throws `invalid_argument` for wrong sizes
/// or shares. Source: Holland, Laskey & Leinhardt 1983, doi:10.1016/0378-8733(83)90021-7, with fixed edge counts
/// (microcanonical).
template <class Index = std::int32_t, class Offset = std::int32_t>
labelled_graph<Index, Offset> generate_block_model(block_model_options const& options) {
  detail::require_probability("generate_block_model", "inside", options.inside);
  detail::require_probability("generate_block_model", "between", options.between);
  std::vector<std::int64_t> starts{0};
  for (auto const size : options.block_sizes) {
    detail::require_vertex_count("generate_block_model", "block size", size);
    starts.push_back(starts.back() + size);
  }
  detail::require_vertex_count("generate_block_model", "vertices", starts.back());

  splitmix64 random(options.seed);
  auto const draw = [&](std::int64_t num_pairs, double share) {
    auto const count = std::llround(share * static_cast<double>(num_pairs));
    return detail::draw_distinct(static_cast<std::uint64_t>(num_pairs), static_cast<std::uint64_t>(count), random);
  };
  std::vector<detail::endpoint_pair> links;
  for (std::size_t first = 0; first < options.block_sizes.size(); ++first) {
    auto const size = options.block_sizes[first];
    for (auto const code : draw(size * (size - 1) / 2, options.inside)) {
      auto const [u, v] = detail::triangle_pair(size, static_cast<std::int64_t>(code));
      links.emplace_back(starts[first] + u, starts[first] + v);
    }
    for (std::size_t second = first + 1; second < options.block_sizes.size(); ++second) {
      auto const other = options.block_sizes[second];
      for (auto const code : draw(size * other, options.between)) {
        links.emplace_back(starts[first] + static_cast<std::int64_t>(code) / other,
                           starts[second] + static_cast<std::int64_t>(code) % other);
      }
    }
  }

  host_buffer<std::int32_t> labels(static_cast<std::size_t>(starts.back()), host_memory());
  for (std::size_t block = 0; block < options.block_sizes.size(); ++block) {
    std::fill(labels.begin() + starts[block], labels.begin() + starts[block + 1], static_cast<std::int32_t>(block));
  }
  return {.edges = detail::coo_of_undirected_pairs<Index, Offset>(starts.back(), std::move(links)),
          .labels = std::move(labels),
          .num_classes = static_cast<std::int32_t>(options.block_sizes.size())};
}

}  // namespace edgewise::inline v0
