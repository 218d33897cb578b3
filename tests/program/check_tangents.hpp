// Judges tangents by differences of runs without them.
#pragma once

#include <algorithm>
#include <cmath>

#include "program/check_linear.hpp"
#include "support/catch.hpp"
#include "support/graphs.hpp"
#include "support/random.hpp"
#include "tangent_cases.hpp"

namespace edgewise::testing {

inline std::vector<test_graph> tangent_graphs() {
  return {no_vertices(), no_edges(3), self_loop(), multi_edges(), isolated_vertices(), one_hub(90, 12)};
}
inline tangent_inputs draw_tangents(test_graph const& graph) {
  random_stream random("tangents: " + graph.name);
  auto const rows = static_cast<std::size_t>(graph.num_sources * tangent_inputs::channels);
  std::size_t const sizes[3] = {rows, static_cast<std::size_t>(graph.num_edges()), 9};
  tangent_inputs in;
  for (int k = 0; k < 3; ++k) {
    in.value[k] = draw_rows(sizes[k], random);
    in.tangent[k] = draw_rows(sizes[k], random);
  }
  in.adjoint = draw_rows(rows, random);
  return in;
}

/// run(graph, inputs) with tangents and plain(graph, inputs) without, both in double.
template <class Case, class Run, class Plain>
void check_tangents(Run const& run, Plain const& plain) {
  for (auto const& graph : tangent_graphs()) {
    INFO(Case::name << " on " << graph.name);
    tangent_inputs const in = draw_tangents(graph);
    tangent_results const found = run(graph, in);
    CHECK(count_far(found.value, plain(graph, in).value, 1e-12) == 0);
    constexpr double step = 1e-6;
    auto const moved = [&](double by) {
      tangent_inputs at = in;
      for (int k = 0; k < 3; ++k) {
        for (std::size_t i = 0; i < at.value[k].size(); ++i) at.value[k][i] += by * in.tangent[k][i];
      }
      return plain(graph, at).value;
    };
    std::vector<double> differences = moved(step);
    std::vector<double> const below = moved(-step);
    for (std::size_t i = 0; i < below.size(); ++i) differences[i] = (differences[i] - below[i]) / (2 * step);
    CHECK(count_far(found.tangent, differences, 1e-7) == 0);
  }
}

}  // namespace edgewise::testing
