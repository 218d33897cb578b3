// Judges which graphs plans refuse because their groupings hold different edges.
#pragma once

#include <string>
#include <utility>

#include "support/catch.hpp"
#include "support/graphs.hpp"

namespace edgewise::testing {

/// A graph with something changed in its grouping by source.
template <class Change>
test_graph changed(test_graph graph, Change const& change) {
  change(graph.by_source);
  return graph;
}

/// Weighted, Plain, Argument: the message with which a plan refuses the graph, or "no error", of a program that reads
/// weights of edges, of one that reads nothing of edges, and of one that gathers a maximum.
template <class Weighted, class Plain, class Argument>
void check_refusals(Weighted const& weighted, Plain const& plain, Argument const& picked) {
  std::string const different = "graph: csr and csc hold different edges";
  for (auto const& graph : battery()) {
    INFO(graph.name);
    CHECK(weighted(graph) == "no error");
    CHECK(plain(graph) == "no error");
  }

  auto const large = random_skewed(3000, 40000);  // several threads, several blocks
  CHECK(weighted(large) == "no error");
  CHECK(plain(large) == "no error");
  CHECK(picked(large) == "no error");
  auto const ids_swapped = changed(large, [](auto& rows) { std::swap(rows.edge_ids[17], rows.edge_ids[31000]); });
  CHECK_THAT(weighted(ids_swapped), Catch::StartsWith(different));
  CHECK_THAT(picked(ids_swapped), Catch::StartsWith(different));
  CHECK(plain(ids_swapped) == "no error");
  auto const neighbors_swapped = changed(large, [](auto& rows) {
    std::size_t other = 31000;
    while (rows.neighbors[other] == rows.neighbors[17]) ++other;
    std::swap(rows.neighbors[17], rows.neighbors[other]);  // all degrees stay
  });
  CHECK_THAT(weighted(neighbors_swapped), Catch::StartsWith(different));
  CHECK_THAT(plain(neighbors_swapped), Catch::StartsWith(different + " (pairs of source and destination)"));

  // A grouping by destination lent as one by source, whose positions are ids of other edges.
  auto lent = symmetric();
  lent.by_source = lent.by_destination;
  for (std::size_t k = 0; k < lent.by_source.edge_ids.size(); ++k) {
    lent.by_source.edge_ids[k] = lent.by_destination.edge_ids[k] = static_cast<int>(k);
  }
  CHECK(plain(lent) == "no error");
  CHECK_THAT(weighted(lent), Catch::StartsWith(different));
  CHECK_THAT(picked(lent), Catch::StartsWith(different));
  auto one_way = directed();
  one_way.by_source = one_way.by_destination;
  CHECK_THAT(plain(one_way), Catch::StartsWith(different));
}

}  // namespace edgewise::testing
