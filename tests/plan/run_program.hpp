// Runs a case through the public API on a machine, which knows how arrays get to where kernels read them.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/edgewise.hpp>

#include "program_case.hpp"
#include "support/guarded_output.hpp"
#include "support/number_format.hpp"
#include "typed_graph_edges.hpp"

namespace edgewise::testing {

/// Rows laid out with gaps: packed [rows, row_size] to and from memory.
struct strided_rows {
  std::size_t rows = 0;
  std::size_t row_size = 1;
  array_layout layout = {};

  std::size_t stride() const { return row_size + static_cast<std::size_t>(layout.row_padding); }
  std::size_t offset() const { return static_cast<std::size_t>(layout.offset); }
  std::size_t size() const { return offset() + rows * stride(); }
  std::size_t place(std::size_t row, std::size_t element) const { return offset() + row * stride() + element; }

  /// The rows as they lie in memory; gaps hold NaN, so that a kernel that uses them shows.
  template <class T>
  std::vector<T> spread(std::vector<T> const& packed) const {
    std::vector<T> memory(size(), from_double<T>(std::numeric_limits<double>::quiet_NaN()));
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t k = 0; k < row_size; ++k) memory[place(r, k)] = packed.at(r * row_size + k);
    }
    return memory;
  }
  template <class T>
  std::vector<T> pack(std::vector<T> const& memory) const {
    std::vector<T> packed;
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t k = 0; k < row_size; ++k) packed.push_back(memory.at(place(r, k)));
    }
    return packed;
  }
  /// Was anything written behind a row of a poisoned array?
  template <class T>
  bool has_written_gaps(std::vector<T> const& memory) const {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t k = row_size; k < stride(); ++k) {
        if (!is_poison(memory[place(r, k)])) return true;
      }
    }
    return false;
  }
  /// Says which gap of a poisoned array was written; padding may be, up to the next multiple of 16 bytes.
  template <class T>
  std::string damage(std::vector<T> const& memory) const {
    for (std::size_t k = 0; k < offset(); ++k) {
      if (!is_poison(memory[k])) return edgewise::detail::text("element ", k, " before the first row was written");
    }
    constexpr std::size_t word = 16 / sizeof(T);
    std::size_t const may_end = layout.is_padded ? (row_size + word - 1) / word * word : row_size;
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t k = may_end; k < stride(); ++k) {
        if (!is_poison(memory[place(r, k)])) return edgewise::detail::text("gap after row ", r, " was written");
      }
    }
    return {};
  }
};

/// A view of rows of an array: the base is that of the array, `rows.layout` moves it.
template <operand_kind Kind, class T>
operand_view<T, Kind> view_of(T* base, strided_rows const& rows, width extents) {
  return {base ? base + rows.offset() : nullptr,    static_cast<std::int64_t>(rows.rows),
          has_heads(Kind) ? extents.heads : 1,      has_channels(Kind) ? extents.channels : 1,
          static_cast<std::int64_t>(rows.stride()), rows.layout.is_padded};
}

/// A view of an operand, which may hold small vectors.
template <class Operand, class T>
auto view_of_operand(T* base, strided_rows const& rows, width extents) {
  if constexpr (Operand::length > 0) {
    auto const view = view_of<Operand::kind>(base, rows, extents);
    return vec_view<T, Operand::kind, Operand::length>{view.data, view.rows, view.heads, view.channels,
                                                       view.row_stride};
  } else {
    return view_of<Operand::kind>(base, rows, extents);
  }
}

/// The operand's name bound, or one role of it.
template <class Operand, class View>
auto bind_operand(View const& view) {
  if constexpr (requires { Operand::is_of_one_role; }) {
    if constexpr (Operand::rows == rows_of::source) {
      return bind<src<typename Operand::name>>(view);
    } else {
      return bind<dst<typename Operand::name>>(view);
    }
  } else {
    return bind<typename Operand::name>(view);
  }
}

/// Numbers as another type, rounded if need be.
template <class To, class From>
std::vector<To> convert(std::vector<From> const& values) {
  if constexpr (std::is_same_v<To, From>) {
    return values;
  } else {
    std::vector<To> result;
    for (From const& x : values) result.push_back(from_double<To>(to_double(x)));
    return result;
  }
}

/// The rows of an output as T; adds to `result` what was written outside of them.
template <class T, class Output>
std::vector<T> collect(Output& output, strided_rows const& rows, std::string const& what, run_result<T>& result) {
  auto const memory = output.values();
  for (std::string const& found : {output.damage(), rows.damage(memory)}) {
    if (!found.empty()) result.damage += what + ": " + found + "\n";
  }
  if (rows.has_written_gaps(memory)) result.padding.insert(what);
  return convert<T>(rows.pack(memory));
}

/// Edges in both groupings, and the mapping over them. `with_graph` calls f(graph, mapping) while the graph's arrays
/// live.
template <class Mapping>
struct grouped_edges {
  Mapping mapping;

  template <class Offset, class Machine, class F>
  auto with_graph(Machine const&, test_graph const& edges, F const& f) const {
    typename Machine::template graph_arrays<Offset> const arrays(edges);
    return f(graph{arrays.csr(), arrays.csc()}, mapping);
  }
};

/// What a case runs over, unless a test says otherwise: a graph whose edges have types where it `reads_types`.
template <class Case>
struct edges_of_case {
  using type = grouped_edges<decltype(mapping_of<Case>())>;
};
template <class Case>
requires requires { Case::reads_types; }
struct edges_of_case<Case> {
  using type = typed_graph_edges<decltype(mapping_of<Case>())>;
};

/// Edges that only 64-bit offsets number.
template <class Edges>
concept needs_wide_offsets = requires {
  Edges::needs_wide_offsets;
};

/// One case on one machine, over edges as Edges lays them out. Machine: `execution(request, memory)` makes the
/// execution resource, `upload`, `make_output`, `graph<Offset>`, `memory()` and `synchronize()`.
template <class Case, class Machine, class T, class Edges>
class program_run {
  using operand_types = typename Case::operands;
  template <int I>
  using operand_at = std::tuple_element_t<I, operand_types>;
  template <int I>
  using operand_storage = typename stored_operand<Case, T, I>::type;
  template <int I>
  using gradient_storage = typename stored_gradient<Case, T, I>::type;
  using out_storage = typename stored_output<Case, T>::type;
  template <class S>
  using output_of = typename Machine::template output<S>;

public:
  program_run(Machine const& machine, run_request<T> const& request, Edges const& edges)
      : machine_(machine), request_(request), edges_(edges), memory_(machine.memory()) {}

  run_result<T> run() {
    if constexpr (needs_wide_offsets<Edges>) {
      return run_offsets<long long>();
    } else {
      if constexpr (has_wide_offsets<Case>) {
        if (request_.wide_offsets) return run_offsets<long long>();
      }
      return run_offsets<int>();
    }
  }

private:
  static constexpr auto indices = std::make_integer_sequence<int, num_operands<Case>>{};

  strided_rows rows(std::size_t count, operand_kind kind) const {
    return {count, request_.extents.elements(kind), request_.layout};
  }
  array_layout layout_if(bool is_laid_out) const { return is_laid_out ? request_.layout : array_layout{}; }
  template <int I>
  strided_rows rows_of_operand(bool is_laid_out) const {
    return {static_cast<std::size_t>(num_rows(operand_at<I>::rows, *request_.graph)),
            row_elements<operand_at<I>>(request_.extents), layout_if(is_laid_out)};
  }
  template <int I>
  strided_rows operand_rows() const {
    return rows_of_operand<I>(request_.lays_out.operands);
  }
  template <int I>
  strided_rows gradient_rows() const {
    return rows_of_operand<I>(request_.lays_out.gradients);
  }
  strided_rows out_rows() const {
    return {static_cast<std::size_t>(num_out_rows<Case>(*request_.graph)), out_width().elements(Case::out_kind),
            layout_if(request_.lays_out.output)};
  }
  width out_width() const { return out_extents<Case>(request_.extents); }

  template <class Offset>
  run_result<T> run_offsets() {
    return edges_.template with_graph<Offset>(machine_, *request_.graph, [&](auto const& g, auto const& mapping) {
      return with_operands(g, mapping, indices);
    });
  }

  /// Operands of edges are constant in cases that say so.
  template <int I, class View>
  static View as_bound(View const& view) {
    if constexpr (binds_constant_edges<Case> && operand_at<I>::rows == rows_of::edge) {
      return constant_rows(view);
    } else {
      return view;
    }
  }
  template <class Graph, class Mapping>
  static auto fuse_case(Graph const& g, Mapping const& mapping) {
    auto const with = [&](auto... option) {
      return fuse(g, mapping, Case::program, typename compiled_extents<Case>::type{}, typename keeping_of<Case>::type{},
                  typename sums_of<Case>::type{}, option...);
    };
    if constexpr (requires { typename Case::handing; }) {
      return with(typename Case::handing{});
    } else {
      return with();
    }
  }
  template <class Graph, class Mapping, int... I>
  run_result<T> with_operands(Graph const& g, Mapping const& mapping, std::integer_sequence<int, I...>) {
    auto const uploaded = std::make_tuple(
        machine_.upload(operand_rows<I>().spread(convert<operand_storage<I>>(request_.operands.at(I))))...);
    auto const random = machine_.upload(std::vector<random_state>{random_of<Case>()});
    auto const in = [&]<class... Mask>(std::tuple<Mask...>*) {
      return bindings(bind_operand<operand_at<I>>(as_bound<I>(view_of_operand<operand_at<I>>(
                          static_cast<operand_storage<I> const*>(std::get<I>(uploaded).data()), operand_rows<I>(),
                          request_.extents)))...,
                      bind<typename Mask::name>(random_numbers(random.data(), Mask::stream))...);
    }(static_cast<typename masks_of<Case>::type*>(nullptr));
    auto const exec = machine_.execution(request_.threads, &memory_);
    auto const plan = fuse_case(g, mapping).plan(exec, in);
    if constexpr (requires { edges_.check(plan); }) edges_.check(plan);
    auto saved = plan.make_saved(exec);
    machine_.synchronize();
    std::size_t const allocations = memory_.num_allocations();

    run_result<T> result;
    auto run_forward = [&](auto&... kept) {
      forward_output_ = std::make_unique<output_of<out_storage>>(out_rows().size());
      plan.forward(exec, in, out(view_of<Case::out_kind>(forward_output_->data(), out_rows(), out_width())), kept...);
      machine_.synchronize();
      return collect<T>(*forward_output_, out_rows(), "out", result);
    };
    result.out_without_saved = run_forward();
    result.out = run_forward(saved);
    result.out_again = run_forward(saved);  // also what `saved` refers to below
    if constexpr (requires { Case::weights_kind; }) {
      for (auto* const weights : {&result.weights, &result.weights_again}) {
        auto const kept = rows(static_cast<std::size_t>(request_.graph->num_edges()), Case::weights_kind);
        output_of<T> written(kept.size());
        plan.attention_weights(exec, in, saved,
                               out(view_of<Case::weights_kind>(written.data(), kept, request_.extents)));
        machine_.synchronize();
        *weights = collect<T>(written, kept, "attention weights", result);
      }
    }
    with_gradient_set(exec, plan, in, saved, result);
    result.num_allocations = memory_.num_allocations() - allocations;
    result.saved_bytes = saved.size_bytes();
    result.workspace_bytes = plan.workspace_bytes();
    result.peak_bytes = memory_.peak_bytes();
    return result;
  }

  template <class Exec, class Plan, class In, class Saved>
  void with_gradient_set(Exec const& exec, Plan const& plan, In const& in, Saved const& saved, run_result<T>& result) {
    [&]<int... S>(std::integer_sequence<int, S...>) {
      ((S == request_.asked_set
            ? backward(exec, plan, in, saved, result, std::tuple_element_t<S, typename Case::gradients>{})
            : void()),
       ...);
    }
    (std::make_integer_sequence<int, num_gradient_sets<Case>>{});
  }

  template <class Exec, class Plan, class In, class Saved, class... Asked>
  void backward(Exec const& exec, Plan const& plan, In const& in, Saved const& saved, run_result<T>& result,
                gradient_set<Asked...>) {
    auto const gradient = machine_.upload(out_rows().spread(convert<out_storage>(request_.grad_out)));
    auto const gradient_view =
        grad_out(view_of<Case::out_kind>(static_cast<out_storage const*>(gradient.data()), out_rows(), out_width()));
    for (bool const again : {false, true}) {
      auto outputs = std::make_tuple(make_gradient(Asked{})...);
      auto& collected = again ? result.gradients_again : result.gradients;
      [&]<int... K>(std::integer_sequence<int, K...>) {
        plan.backward(exec, in, saved, gradient_view, request_for(Asked{}, std::get<K>(outputs)->data())...);
        machine_.synchronize();
        (collected.push_back(
             collect<T>(*std::get<K>(outputs), asked_rows(Asked{}), edgewise::detail::text("gradient ", K), result)),
         ...);
      }
      (std::make_integer_sequence<int, static_cast<int>(sizeof...(Asked))>{});
    }
  }

  template <template <int> class Asked, int I>
  strided_rows asked_rows(Asked<I>) const {
    return gradient_rows<I>();
  }
  template <template <int> class Asked, int I>
  std::unique_ptr<output_of<gradient_storage<I>>> make_gradient(Asked<I>) const {
    return std::make_unique<output_of<gradient_storage<I>>>(gradient_rows<I>().size());
  }
  /// Gradients that are added to start as the operand's own values; gaps stay poison.
  template <int I>
  std::unique_ptr<output_of<gradient_storage<I>>> make_gradient(added<I>) const {
    auto const rows = gradient_rows<I>();
    auto output = std::make_unique<output_of<gradient_storage<I>>>(rows.size());
    auto memory = output->values();
    auto const start = convert<gradient_storage<I>>(request_.operands[I]);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      for (std::size_t k = 0; k < rows.row_size; ++k) memory[rows.place(r, k)] = start[r * rows.row_size + k];
    }
    machine_.assign(*output, memory);
    return output;
  }

  template <int I>
  auto gradient_view(gradient_storage<I>* data) const {
    return view_of_operand<operand_at<I>>(data, gradient_rows<I>(), request_.extents);
  }
  template <int I>
  auto request_for(whole<I>, gradient_storage<I>* data) const {
    return grad<typename operand_at<I>::name>(gradient_view<I>(data));
  }
  template <int I>
  auto request_for(as_source<I>, gradient_storage<I>* data) const {
    return grad<src<typename operand_at<I>::name>>(gradient_view<I>(data));
  }
  template <int I>
  auto request_for(as_destination<I>, gradient_storage<I>* data) const {
    return grad<dst<typename operand_at<I>::name>>(gradient_view<I>(data));
  }
  template <int I>
  auto request_for(added<I>, gradient_storage<I>* data) const {
    return accumulate<typename operand_at<I>::name>(gradient_view<I>(data));
  }

  Machine const& machine_;
  run_request<T> const& request_;
  Edges const& edges_;
  counting_resource memory_;
  std::unique_ptr<output_of<out_storage>> forward_output_;
};

template <class Case, class Machine, class T, class Edges = typename edges_of_case<Case>::type>
run_result<T> run_program(Machine const& machine, run_request<T> const& request,
                          Edges const& edges = Edges{mapping_of<Case>()}) {
  return program_run<Case, Machine, T, Edges>(machine, request, edges).run();
}

}  // namespace edgewise::testing
