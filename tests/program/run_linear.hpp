// Runs a case of linear_cases.hpp on a machine (plan/run_program.hpp), both passes, into poisoned outputs.
#pragma once

#include <memory>
#include <utility>

#include <edgewise/edgewise.hpp>

#include "linear_cases.hpp"
#include "support/number_format.hpp"

namespace edgewise::testing {

/// Where the rows of each type begin; nothing for an operand that has no types.
template <class Operand>
std::vector<int> offsets_of([[maybe_unused]] test_graph const& graph) {
  if constexpr (requires { Operand::has_types; }) {
    return Operand::offsets(graph);
  } else {
    return {};
  }
}
template <class Operand, class View>
auto with_types_of(View const& view, [[maybe_unused]] int const* offsets, [[maybe_unused]] test_graph const& graph) {
  if constexpr (requires { Operand::has_types; }) {
    return by_type(view, row_types_view<int>{offsets, 5, Operand::typed_rows(graph)});
  } else {
    return view;
  }
}

/// Type T of all operands; options: those of fuse.
template <class Case, class T, class Machine, class... Option>
linear_result run_linear(Machine const& machine, test_graph const& graph, linear_inputs const& in,
                         std::vector<double> const& adjoint, Option const&... option) {
  using operands = typename Case::operands;
  constexpr std::size_t count = std::tuple_size_v<operands>;
  auto const rounded = [](std::vector<double> const& values) {
    std::vector<T> result;
    for (double const x : values) result.push_back(from_double<T>(x));
    return result;
  };
  auto const exec = machine.execution(0, machine.memory());
  typename Machine::template graph_arrays<int> const arrays(graph);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    auto uploaded = std::tuple{machine.upload(rounded(in[I]))...};
    auto gradients = std::tuple{std::make_unique<typename Machine::template output<T>>(in[I].size())...};
    auto const view = []<class Operand>(type_tag<Operand>, T* data, test_graph const& of) {
      return operand_view<T, Operand::kind>{data, Operand::rows(of), Operand::heads, Operand::channels,
                                            Operand::heads * Operand::channels};
    };
    auto const offsets = std::tuple{machine.upload(offsets_of<std::tuple_element_t<I, operands>>(graph))...};
    auto const bound = bindings(
        bind<typename std::tuple_element_t<I, operands>::name>(with_types_of<std::tuple_element_t<I, operands>>(
            view(type_tag<std::tuple_element_t<I, operands>>{}, std::get<I>(uploaded).data(), graph),
            std::get<I>(offsets).data(), graph))...);
    auto out_array = std::make_unique<typename Machine::template output<T>>(linear_out_size<Case>(graph));
    operand_view<T, linear_out_kind<Case>()> const y{out_array->data(), linear_out_rows<Case>(graph), Case::out_heads,
                                                     Case::out_channels, Case::out_heads * Case::out_channels};
    auto const plan =
        fuse(edgewise::graph{arrays.csr(), arrays.csc()}, automatic{}, Case::program, option...).plan(exec, bound);
    auto saved = plan.make_saved(exec);
    plan.forward(exec, bound, out(y), saved);
    auto const given = machine.upload(rounded(adjoint));
    auto dy = y;
    dy.data = const_cast<T*>(given.data());
    plan.backward(exec, bound, saved, grad_out(dy),
                  grad<typename std::tuple_element_t<I, operands>::name>(
                      view(type_tag<std::tuple_element_t<I, operands>>{}, std::get<I>(gradients)->data(), graph))...);
    machine.synchronize();
    auto const widened = [](auto const& values) {
      std::vector<double> result;
      for (T const x : values) result.push_back(to_double(x));
      return result;
    };
    linear_result result;
    result.out = widened(out_array->values());
    result.gradients = {widened(std::get<I>(gradients)->values())...};
    result.text = plan.explain();
    return result;
  }
  (std::make_index_sequence<count>{});
}

}  // namespace edgewise::testing
