// Runs a case over graph{coo}: the same request and result as run_program, with edges in an order of choice.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "run_program.hpp"
#include "support/random.hpp"

namespace edgewise::testing {

/// How edges lie in the coo's arrays: by id (without an id array), row by row, or in no order.
enum class edge_order { by_id, by_destination, shuffled };

inline std::vector<int> edges_in_order(test_graph const& graph, edge_order order) {
  if (order == edge_order::by_destination) return graph.by_destination.edge_ids;
  std::vector<int> ids(static_cast<std::size_t>(graph.num_edges()));
  std::iota(ids.begin(), ids.end(), 0);
  if (order == edge_order::shuffled) {
    random_stream random("scatter: order of edges");
    for (int k = graph.num_edges(); k > 1; --k) std::swap(ids[k - 1], ids[random.below(k)]);
  }
  return ids;
}

/// The arrays of a coo where a machine reads them.
template <class Machine, class Offset>
class coo_arrays {
  template <class T>
  using array = decltype(std::declval<Machine const&>().upload(std::vector<T>{}));

public:
  coo_arrays(Machine const& machine, test_graph const& graph, edge_order order)
      : graph_(graph),
        has_ids_(order != edge_order::by_id),
        sources_(machine.upload(picked<int>(graph.sources, edges_in_order(graph, order)))),
        destinations_(machine.upload(picked<int>(graph.destinations, edges_in_order(graph, order)))),
        ids_(machine.upload(offsets(edges_in_order(graph, order)))) {}

  coo_view<int, Offset> view() const {
    return {sources_.data(),    destinations_.data(),    has_ids_ ? ids_.data() : nullptr,
            graph_.num_sources, graph_.num_destinations, static_cast<Offset>(graph_.num_edges())};
  }

private:
  template <class T>
  static std::vector<T> picked(std::vector<T> const& values, std::vector<int> const& positions) {
    std::vector<T> result;
    for (int k : positions) result.push_back(values.at(static_cast<std::size_t>(k)));
    return result;
  }
  static std::vector<Offset> offsets(std::vector<int> const& ids) { return {ids.begin(), ids.end()}; }

  test_graph const& graph_;
  bool has_ids_;
  array<int> sources_;
  array<int> destinations_;
  array<Offset> ids_;
};

template <class Case, class Machine, class T>
class scatter_run {
  template <int I>
  using operand_at = std::tuple_element_t<I, typename Case::operands>;
  using output_type = typename Machine::template output<T>;

public:
  scatter_run(Machine const& machine, run_request<T> const& request, edge_order order)
      : machine_(machine), request_(request), order_(order), memory_(machine.memory()) {}

  run_result<T> run() { return request_.wide_offsets ? run_offsets<long long>() : run_offsets<int>(); }

private:
  strided_rows rows(int count, operand_kind kind) const {
    return {static_cast<std::size_t>(count), request_.extents.elements(kind), request_.layout};
  }
  template <int I>
  strided_rows operand_rows() const {
    return rows(num_rows(operand_at<I>::rows, *request_.graph), operand_at<I>::kind);
  }
  strided_rows out_rows() const { return rows(request_.graph->num_destinations, Case::out_kind); }

  template <class Offset>
  run_result<T> run_offsets() {
    coo_arrays<Machine, Offset> const arrays(machine_, *request_.graph, order_);
    return run_on(graph{arrays.view()}, std::make_integer_sequence<int, num_operands<Case>>{});
  }

  template <class Graph, int... I>
  run_result<T> run_on(Graph const& g, std::integer_sequence<int, I...>) {
    auto const uploaded = std::make_tuple(machine_.upload(operand_rows<I>().spread(request_.operands.at(I)))...);
    auto const in = bindings(bind<typename operand_at<I>::name>(view_of<operand_at<I>::kind>(
        static_cast<T const*>(std::get<I>(uploaded).data()), operand_rows<I>(), request_.extents))...);
    auto const exec = machine_.execution(request_.threads, &memory_);
    auto const plan = fuse(g, edge_balanced{}, Case::program).plan(exec, in);
    auto saved = plan.make_saved(exec);
    machine_.synchronize();
    std::size_t const allocations = memory_.num_allocations();

    run_result<T> result;
    auto const forward = [&](auto&... kept) {
      output_type output(out_rows().size());
      plan.forward(exec, in, out(view_of<Case::out_kind>(output.data(), out_rows(), request_.extents)), kept...);
      machine_.synchronize();
      return collect(output, out_rows(), "out", result.damage);
    };
    result.out_without_saved = forward();
    result.out = forward(saved);
    result.out_again = forward(saved);
    [&]<int... S>(std::integer_sequence<int, S...>) {
      ((S == request_.asked_set
            ? backward(exec, plan, in, saved, result, std::tuple_element_t<S, typename Case::gradients>{})
            : void()),
       ...);
    }
    (std::make_integer_sequence<int, num_gradient_sets<Case>>{});
    result.num_allocations = memory_.num_allocations() - allocations;
    result.saved_bytes = saved.size_bytes();
    result.workspace_bytes = plan.workspace_bytes();
    return result;
  }

  template <class Exec, class Plan, class In, class Saved, class... Asked>
  void backward(Exec const& exec, Plan const& plan, In const& in, Saved const& saved, run_result<T>& result,
                gradient_set<Asked...>) {
    auto const gradient = machine_.upload(out_rows().spread(request_.grad_out));
    auto const gradient_view =
        grad_out(view_of<Case::out_kind>(static_cast<T const*>(gradient.data()), out_rows(), request_.extents));
    for (auto* const collected : {&result.gradients, &result.gradients_again}) {
      auto outputs = std::make_tuple(gradient_of(Asked{})...);
      [&]<int... K>(std::integer_sequence<int, K...>) {
        plan.backward(exec, in, saved, gradient_view, request_for(Asked{}, std::get<K>(outputs)->data())...);
        machine_.synchronize();
        (collected->push_back(
             collect(*std::get<K>(outputs), rows_for(Asked{}), edgewise::detail::text("gradient ", K), result.damage)),
         ...);
      }
      (std::make_integer_sequence<int, static_cast<int>(sizeof...(Asked))>{});
    }
  }

  std::vector<T> collect(output_type& output, strided_rows const& rows, std::string const& what,
                         std::string& damage) const {
    auto const memory = output.values();
    for (std::string const& found : {output.damage(), rows.damage(memory)}) {
      if (!found.empty()) damage += what + ": " + found + "\n";
    }
    return rows.pack(memory);
  }

  template <template <int> class Asked, int I>
  strided_rows rows_for(Asked<I>) const {
    return operand_rows<I>();
  }
  template <template <int> class Asked, int I>
  std::unique_ptr<output_type> gradient_of(Asked<I>) const {
    return std::make_unique<output_type>(operand_rows<I>().size());
  }
  /// Gradients that are added to start as the operand's own values.
  template <int I>
  std::unique_ptr<output_type> gradient_of(added<I>) const {
    auto const rows = operand_rows<I>();
    auto output = std::make_unique<output_type>(rows.size());
    auto memory = output->values();
    for (std::size_t k = 0; k < rows.rows * rows.row_size; ++k) {
      memory[rows.place(k / rows.row_size, k % rows.row_size)] = request_.operands[I][k];
    }
    machine_.assign(*output, memory);
    return output;
  }

  template <int I>
  auto gradient_view(T* data) const {
    return view_of<operand_at<I>::kind>(data, operand_rows<I>(), request_.extents);
  }
  template <int I>
  auto request_for(whole<I>, T* data) const {
    return grad<typename operand_at<I>::name>(gradient_view<I>(data));
  }
  template <int I>
  auto request_for(as_source<I>, T* data) const {
    return grad<src<typename operand_at<I>::name>>(gradient_view<I>(data));
  }
  template <int I>
  auto request_for(as_destination<I>, T* data) const {
    return grad<dst<typename operand_at<I>::name>>(gradient_view<I>(data));
  }
  template <int I>
  auto request_for(added<I>, T* data) const {
    return accumulate<typename operand_at<I>::name>(gradient_view<I>(data));
  }

  Machine const& machine_;
  run_request<T> const& request_;
  edge_order order_;
  counting_resource memory_;
};

/// Runs a case over graph{coo} with `edge_balanced`.
template <class Case, class Machine, class T>
run_result<T> run_scattered(Machine const& machine, run_request<T> const& request,
                            edge_order order = edge_order::by_id) {
  return scatter_run<Case, Machine, T>(machine, request, order).run();
}

}  // namespace edgewise::testing
