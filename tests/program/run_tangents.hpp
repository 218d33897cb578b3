// Runs a case of tangent_cases.hpp on a machine (plan/run_program.hpp), both passes.
#pragma once

#include <memory>
#include <type_traits>

#include <edgewise/edgewise.hpp>

#include "support/number_format.hpp"
#include "tangent_cases.hpp"

namespace edgewise::testing {

/// Number: a plain scalar, which has no tangents, or with_tangent of one.
template <class Case, class Number, class Machine>
tangent_results run_tangents(Machine const& machine, test_graph const& graph, tangent_inputs const& in) {
  constexpr bool has_tangent = edgewise::detail::has_tangent<Number>;
  using scalar = typename edgewise::detail::plain_number<Number>::type;
  auto const numbers = [](std::vector<double> const& value, std::vector<double> const& tangent) {
    std::vector<Number> result;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if constexpr (has_tangent) {
        result.push_back({static_cast<scalar>(value[i]), static_cast<scalar>(tangent[i])});
      } else {
        result.push_back(static_cast<scalar>(value[i]));
      }
    }
    return result;
  };
  constexpr int channels = tangent_inputs::channels;
  auto const exec = machine.execution(0, machine.memory());
  typename Machine::template graph_arrays<int> const arrays(graph);
  auto features = machine.upload(numbers(in.value[0], in.tangent[0]));
  auto weights = machine.upload(numbers(in.value[1], in.tangent[1]));
  auto matrix = machine.upload(numbers(in.value[2], in.tangent[2]));
  auto const no_tangent = std::vector<double>(in.adjoint.size());
  auto adjoint = machine.upload(numbers(in.adjoint, no_tangent));
  using output = typename Machine::template output<Number>;
  auto const make = [](std::size_t size) { return std::make_unique<output>(size); };
  auto const y = make(in.adjoint.size()), dh = make(in.value[0].size()), dw = make(in.value[1].size()),
             dm = make(in.value[2].size());
  auto const rows = [&](Number* data) { return wide(data, graph.num_sources, channels); };
  auto const of_edges = [&](Number* data) { return per_row(data, graph.num_edges()); };
  auto const of_matrix = [&](Number* data) { return wide(data, channels, channels); };
  constexpr bool has_matrix = std::is_same_v<Case, dense_tangents>;
  edgewise::graph const g{arrays.csr(), arrays.csc()};
  auto const run = [&](auto const& bound, auto const&... more) {
    auto const plan = fuse(g, automatic{}, Case::program).plan(exec, bound);
    auto saved = plan.make_saved(exec);
    plan.forward(exec, bound, out(rows(y->data())), saved);
    plan.backward(exec, bound, saved, grad_out(rows(adjoint.data())), grad<h>(rows(dh->data())),
                  grad<w>(of_edges(dw->data())), more...);
  };
  if constexpr (has_matrix) {
    run(bindings(bind<h>(rows(features.data())), bind<w>(of_edges(weights.data())), bind<W>(of_matrix(matrix.data()))),
        grad<W>(of_matrix(dm->data())));
  } else {
    run(bindings(bind<h>(rows(features.data())), bind<w>(of_edges(weights.data()))));
  }
  machine.synchronize();
  tangent_results result;
  for (auto const* array : {&y, &dh, &dw, &dm}) {
    if (!has_matrix && array == &dm) continue;
    for (Number const x : (*array)->values()) {
      if constexpr (has_tangent) {
        result.value.push_back(x.value);
        result.tangent.push_back(x.tangent);
      } else {
        result.value.push_back(x);
      }
    }
  }
  return result;
}

}  // namespace edgewise::testing
