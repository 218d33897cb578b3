// Cases run with a mapping of one's choice, and a program that shows every edge that is missed or taken twice.
#pragma once

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include <edgewise/expression/gather_node.hpp>
#include <edgewise/gather/sum.hpp>
#include <edgewise/mapping/degree_aware.hpp>
#include <edgewise/mapping/edge_balanced.hpp>
#include <edgewise/mapping/feature_adaptive_group.hpp>
#include <edgewise/mapping/vertex_balanced.hpp>
#include <edgewise/mapping/work_queue.hpp>

#include "plan/program_case.hpp"
#include "support/graphs.hpp"

namespace edgewise::testing {

struct w;
struct h;

struct uncut {
  static constexpr vertex_balanced mapping{};
};
struct uncut_by_degree {
  static constexpr vertex_balanced mapping{.order = row_order::degree};
};
struct rows_by_degree {
  static constexpr feature_adaptive_group mapping{.order = row_order::degree};
};
struct as_stored {
  static constexpr feature_adaptive_group mapping{};
};
struct rows_in_windows {
  static constexpr feature_adaptive_group mapping{.order = row_order::windows};
};
struct pieces_in_place {
  static constexpr feature_adaptive_group mapping{.pieces = piece_order::in_place};
};
struct pieces_in_windows {
  static constexpr feature_adaptive_group mapping{.order = row_order::short_windows, .pieces = piece_order::in_place};
};
/// Pieces in place beside partitions, in which they have no other place, tiles, and half the threads.
struct pieces_in_place_of_tiles {
  static constexpr feature_adaptive_group mapping{.order = row_order::windows,
                                                  .partitions = 3,
                                                  .tile = 64,
                                                  .threads = group_threads::half,
                                                  .pieces = piece_order::in_place};
};
struct partitioned {
  static constexpr feature_adaptive_group mapping{.order = row_order::windows, .partitions = 3};
};
struct partitioned_by_degree {
  static constexpr feature_adaptive_group mapping{.order = row_order::degree, .partitions = 2};
};
struct tiled {
  static constexpr feature_adaptive_group mapping{.tile = 64};
};
struct tiled_and_partitioned {
  static constexpr feature_adaptive_group mapping{.order = row_order::windows, .partitions = 3, .tile = 64};
};
struct small_blocks {
  static constexpr feature_adaptive_group mapping{.block = block_size::threads_32};
};
struct large_blocks {
  static constexpr feature_adaptive_group mapping{.order = row_order::windows, .block = block_size::threads_128};
};
struct half_groups {
  static constexpr feature_adaptive_group mapping{.threads = group_threads::half};
};
/// Half groups in tiles, each of which is taken by as few threads.
struct half_groups_in_tiles {
  static constexpr feature_adaptive_group mapping{
      .order = row_order::windows, .partitions = 3, .tile = 128, .threads = group_threads::half};
};
/// Half groups where no row is cut.
struct half_groups_of_whole_rows {
  struct half_the_threads {
    static constexpr char const* name = "half_the_threads";
    row_split split(workload) const { return {.threads = group_threads::half}; }
  };
  static constexpr half_the_threads mapping{};
};
struct by_quantile {
  static constexpr degree_aware mapping{.quantile = 0.75};
};
struct above_five {
  static constexpr degree_aware mapping{.threshold = 5, .order = row_order::degree};
};
struct pieces_of_sixty_four {
  static constexpr degree_aware mapping{.threshold = 64};
};
struct pieces_of_three_hundred {
  static constexpr degree_aware mapping{.threshold = 300, .order = row_order::degree};
};
struct queued {
  static constexpr work_queue mapping{};
};
struct queued_as_stored {
  static constexpr work_queue mapping{.order = row_order::stored};
};
struct by_edges {
  static constexpr edge_balanced mapping{};
};

/// `Case` with the mapping of `With`.
template <class Case, class With>
struct mapped : Case {
  static constexpr auto mapping = With::mapping;
};

/// Sums and gradients of small multiples of 1/16: exact, so that an edge that is missed or taken twice changes bits,
/// and gradients that are added to (the last set) show edges and rows that are stored twice.
struct exact_sum {
  static constexpr char const* name = "exact gather<sum>(edge<w> * src<h>)";
  static constexpr auto program = gather<sum>(edge<w> * src<h>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<added<0>, added<1>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge(0) * edge(1); });
  }
};

/// Rows that share a warp: 40 edges per row and more.
inline test_graph many_edges() {
  random_stream random("graph: many edges");
  edge_list edges;
  for (int v = 0; v < 50; ++v) {
    for (int k = 0; k < 30 + v; ++k) edges.push_back({random.below(50), v});
  }
  detail::shuffle(edges, random);
  return make_test_graph("many edges", 50, 50, edges);
}

/// Rows that partitions cut, of sources that ascend but for those of every seventh row: of 100 to 200 edges, of
/// all sources or of few, so that launches share slots and partitions are empty.
inline test_graph ascending_rows(int num_vertices = 700) {
  random_stream random("graph: ascending rows");
  edge_list edges;
  for (int v = 0; v < num_vertices; ++v) {
    std::vector<int> sources;
    int const reach = v % 3 == 0 ? num_vertices / 4 : num_vertices;
    for (int k = 0; k < 100 + v % 101; ++k) sources.push_back((v + random.below(reach)) % num_vertices);
    if (v % 7 != 0) std::sort(sources.begin(), sources.end());
    for (int const u : sources) edges.push_back({u, v});
  }
  return make_test_graph("ascending rows", num_vertices, num_vertices, edges);
}

/// One destination with every edge, after and before many without.
inline test_graph hub_alone() {
  random_stream random("graph: hub alone");
  edge_list edges;
  for (int k = 0; k < 3000; ++k) edges.push_back({random.below(400), 250});
  return make_test_graph("hub alone", 400, 400, edges);
}

/// Two long rows among many of an edge or none: a thread has each of these, and several share a piece of those.
inline test_graph hubs_of_sparse_rows() {
  random_stream random("graph: hubs of sparse rows");
  constexpr int vertices = 3000;
  edge_list edges;
  for (int k = 0; k < 1900; ++k) edges.push_back({random.below(vertices), 1234});
  for (int k = 0; k < 333; ++k) edges.push_back({random.below(vertices), 2999});
  for (int k = 0; k < 2000; ++k) edges.push_back({random.below(vertices), random.below(vertices)});
  detail::shuffle(edges, random);
  return make_test_graph("hubs of sparse rows", vertices, vertices, edges);
}

/// Rows of one block of places and one edge more, so that rows begin and end at the borders of shares.
inline test_graph border_rows() {
  edge_list edges;
  int const degrees[] = {63, 64, 65, 1, 127, 128, 0, 0, 62, 256, 1, 1, 320, 2};
  for (int v = 0; v < 14; ++v) {
    for (int k = 0; k < degrees[v]; ++k) edges.push_back({(k * 7 + v) % 14, v});
  }
  return make_test_graph("border rows", 14, 14, edges);
}

/// What mappings split differently, besides the battery.
inline std::vector<test_graph> mapping_graphs() {
  return {no_vertices(),   no_edges(1), no_edges(300),    self_loop(),   multi_edges(), isolated_vertices(),
          one_hub(),       hub_alone(), border_degrees(), border_rows(), chain(),       bipartite(1, 200, 0.7),
          random_skewed(), many_edges()};
}
/// What rows are cut in by partitions.
inline std::vector<test_graph> partitioned_graphs() {
  return {ascending_rows(), no_vertices(), no_edges(300), one_hub(), hub_alone(), many_edges()};
}

}  // namespace edgewise::testing
