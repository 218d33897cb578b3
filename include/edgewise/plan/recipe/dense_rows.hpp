// The recipe of a dense product, a unit among others: every row of a table times a block of a matrix.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>

#include <edgewise/core/extents.hpp>
#include <edgewise/core/matrix.hpp>
#include <edgewise/core/row_types.hpp>
#include <edgewise/core/size.hpp>
#include <edgewise/cost/dense_cost.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/plan/kept_nothing.hpp>
#include <edgewise/plan/plan_memory.hpp>
#include <edgewise/plan/recipe/recipe_base.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/gradient_plan.hpp>
#include <edgewise/program/products.hpp>
#include <edgewise/program/shapes.hpp>
#include <edgewise/program/unit_program.hpp>

namespace edgewise::inline v0::detail {

/// The rows of a view as those of a matrix.
template <class T, operand_kind Kind>
matrix_view<T> as_matrix(operand_view<T, Kind> const& view) {
  std::int64_t const row = view.row_size();
  return {view.data, view.rows, row, view.rows > 1 ? view.row_stride : row, 1};
}

/// y = x W_b forward; backward dx = dy W_b^T and dW_b = x^T dy; where W is bound `by_type`, each row with the W of its
/// type. Rows: whose vertices the rows of x are. T: what products are summed in. Deterministic as the engine is; a
/// library says itself, and takes no types.
template <class Exec, class Graph, class Unit, class Bindings, class T, role Rows>
class dense_rows : public recipe_base<Exec, Graph, Bindings> {
  using base = recipe_base<Exec, Graph, Bindings>;
  using engine = detail::engine<Exec>;
  using product = typename Unit::product;
  using row = typename product::row;
  using matrix = typename product::matrix;
  using base::extents_;

public:
  using leaves = typename product::leaves;
  using accumulator = T;
  using saved_type = kept_nothing;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using base::counts;

  dense_rows(Graph const& graph, Unit const& unit, Bindings const& in, sizing size)
      : base(graph, extents_of(view_for<matrix>(in)), size),
        library_(unit.library),
        widths_(widths_in(in)),
        num_types_(types_in(in)) {
    check_shapes(in);
  }
  template <class... How>
  void make(Exec const& exec, Bindings const& in, How const&...) {
    std::int64_t const outputs = view_for<matrix>(in).row_size();
    std::int64_t const rows = rows_of_role(Rows, this->capacity_);
    std::int64_t most = 0;
    auto const count = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
      std::int64_t const elements =
          this->size_ == sizing::exact ? engine::product_partials(m, n, k) : engine::most_product_partials(m, n);
      most = elements > most ? elements : most;
    };
    if constexpr (is_typed) {
      most = engine::typed_product_partials(num_types_, inputs(), outputs);
    } else {
      count(rows, outputs, inputs());
      count(rows, inputs(), outputs);
      count(inputs(), outputs, rows);
    }
    partials_ = scratch<T, typename Exec::space>(exec, static_cast<std::size_t>(most));
  }
  void rebuild(Exec const&, Graph const& graph) { this->take(graph); }

  std::size_t workspace_bytes() const { return partials_.size_bytes(); }
  saved_type saved(Exec const&, shared_mark const& mark) const { return saved_type(mark); }
  std::string explain() const {
    return joined("  linear: ", leaf_name<row>(), " [", num_rows(), ", ", inputs(), "] x ", leaf_name<matrix>(),
                  block_text(), " [", inputs(), ", ", extents_.heads, ", ", extents_.channels, "]", types_text(),
                  ", by ", is_typed ? engine_products::name : library_.name, "\n");
  }
  /// What the product would take edge by edge, without reorganisation (MLSys 2022, section 4).
  std::string along_edges_text(std::int64_t edges) const {
    return joined("  read along edges: ", 2 * num_rows() * inputs() * outputs(), " flops for vertices, ",
                  2 * edges * inputs() * outputs(), " for edges, which would gather ",
                  inputs() * static_cast<std::int64_t>(sizeof(stored<row>)), " bytes each in place of ",
                  outputs() * static_cast<std::int64_t>(sizeof(T)), "\n");
  }
  template <class F>
  auto with_cost(F const& f) const {
    return f(dense_cost<matrix, row, stored<matrix>, stored<row>, T>{num_rows(), inputs(), outputs(), num_types_});
  }

  std::int64_t out_rows() const { return num_rows(); }
  /// Heads and channels of the matrix; blocks side by side have the rows of all.
  void check_shapes(Bindings const& in) const {
    auto const& w = view_for<matrix>(in);
    auto const name = [] { return leaf_name<matrix>(); };
    check_view(w, w.rows, nullptr, name);
    row_extents const found = extents_of(w);
    check_row_size(found);
    std::int64_t all = 0;
    for (std::int64_t const width : widths_in(in)) all += width;
    std::int64_t const types = types_in(in);
    if (w.rows != types * all) {
      throw invalid_argument(text("linear: ", name, " has ", w.rows, " rows, its input rows have ", all, " elements",
                                  widths_text(in), is_typed ? joined(", and there are ", types, " types") : ""));
    }
    if constexpr (is_typed) {
      if (w.types.num_rows != num_rows()) {
        throw invalid_argument(text("by_type: ", name, " has types of ", w.types.num_rows, " rows, the graph has ",
                                    num_rows(), " ", rows_name(Rows)));
      }
      if (w.types.offsets == nullptr) throw invalid_argument(text("by_type: ", name, " has null offsets of types"));
    }
    if (types != num_types_) {
      throw invalid_argument(text("by_type: ", name, " has ", types, " types, the plan was made for ", num_types_));
    }
    if (found.heads != extents_.heads || found.channels != extents_.channels || widths_in(in) != widths_) {
      throw invalid_argument(text("bindings: ", name, " has shape ", shape_text(w), ", the plan was made for [",
                                  all_inputs(), ", ", extents_.heads, ", ", extents_.channels, "]"));
    }
    check_view(view_for<row>(in), num_rows(), rows_name(Rows), [] { return leaf_name<row>(); });
  }

  template <class View>
  void forward(Exec const& exec, Bindings const& in, View const& view, saved_type* saved) const {
    if (saved) saved->begin();
    auto const& w = view_for<matrix>(in);
    if constexpr (is_typed) {
      engine::template multiply_by_type<T>(exec, w.types, as_matrix(view_for<row>(in)), blocks_of(w), as_matrix(view),
                                           false);
    } else {
      multiply(exec, as_matrix(view_for<row>(in)), block_of(w), as_matrix(view), false);
    }
  }

  template <class Storage>
  using attention = typename no_attention::refused<Storage>;

  template <class GradView, class... Request>
  struct require_gradients {
    static_assert((std::is_same_v<accumulator_t<typename Request::view_type::value_type>, T> && ...),
                  "grad: the gradient of a double is stored as double, that of a float, bfloat16 or float16 as one of "
                  "these");
    static constexpr bool ok = true;
  };
  template <class... Argument>
  void check_backward(Argument const&...) const {}
  template <class GradView, class... Request>
  void backward(Exec const& exec, Bindings const& in, saved_type const&, output_gradient<GradView> const& adjoint,
                Request const&... requests) const {
    auto const dy = as_matrix(adjoint.view);
    auto const x = as_matrix(view_for<row>(in));
    auto const& w = view_for<matrix>(in);
    [[maybe_unused]] auto const types = types_of(w);
    auto const form = [&]<class R>(R const& request) {
      if constexpr (targets_leaf<typename R::target, matrix> && is_typed) {
        engine::template sum_by_type<T>(exec, types, x, dy, blocks_of(request.view), R::accumulates, partials_.data());
      } else if constexpr (targets_leaf<typename R::target, matrix>) {
        multiply(exec, x.transposed(), dy, block_of(request.view), R::accumulates);
      } else if constexpr (is_typed) {
        engine::template multiply_by_type<T>(exec, types, dy, blocks_of(w).transposed(), as_matrix(request.view),
                                             R::accumulates);
      } else {
        multiply(exec, dy, block_of(w).transposed(), as_matrix(request.view), R::accumulates);
      }
      if constexpr (targets_leaf<typename R::target, matrix> && !R::accumulates) {
        clear_other_blocks(exec, types, as_matrix(request.view));
      }
    };
    (form(requests), ...);
  }

private:
  template <class Leaf>
  using stored = std::remove_const_t<typename view_bound_to<Leaf, Bindings>::value_type>;
  static constexpr int num_blocks = product::rows::size;
  static constexpr bool is_typed = has_row_types<view_bound_to<matrix, Bindings>>;
  using widths = std::array<std::int64_t, static_cast<std::size_t>(num_blocks)>;

  template <class View>
  static row_extents extents_of(View const& w) {
    return {w.heads, w.channels};
  }
  static std::int64_t types_in(Bindings const& in) { return types_of(view_for<matrix>(in)).num_types; }
  /// Where rows have one matrix, they have one type.
  template <class View>
  static auto types_of(View const& w) {
    if constexpr (has_row_types<View>) {
      return w.types;
    } else {
      return row_types_view<>{nullptr, 1, 0};
    }
  }
  static widths widths_in(Bindings const& in) {
    return [&]<class... Row>(type_list<Row...>) {
      return widths{view_for<Row>(in).row_size()...};
    }(typename product::rows{});
  }
  static std::string widths_text(Bindings const& in) {
    if (num_blocks == 1) return joined(", those of ", leaf_name<row>());
    return [&]<class... Row>(type_list<Row...>) {
      std::string result;
      ((result += joined(result.empty() ? ", " : " + ", view_for<Row>(in).row_size(), " of ", leaf_name<Row>())), ...);
      return result;
    }(typename product::rows{});
  }
  std::int64_t num_rows() const { return rows_of_role(Rows, counts()); }
  std::int64_t outputs() const { return std::int64_t{extents_.heads} * extents_.channels; }
  std::int64_t inputs() const { return widths_[static_cast<std::size_t>(product::block)]; }
  std::int64_t first_input() const {
    std::int64_t first = 0;
    for (int b = 0; b < product::block; ++b) first += widths_[static_cast<std::size_t>(b)];
    return first;
  }
  std::int64_t all_inputs() const {
    std::int64_t all = 0;
    for (std::int64_t const width : widths_) all += width;
    return all;
  }
  std::string block_text() const { return num_blocks == 1 ? "" : joined(" from row ", first_input(), " on"); }
  std::string types_text() const { return is_typed ? joined(" of each of ", num_types_, " types") : ""; }
  template <class View>
  auto block_of(View const& w) const {
    return as_matrix(w).rows_from(first_input(), inputs());
  }
  /// The block of every type's matrix.
  template <class View>
  auto blocks_of(View const& w) const {
    auto const first = block_of(w);
    return matrices_view<typename View::value_type>{first, all_inputs() * first.row_stride};
  }

  template <class A, class B, class C>
  void multiply(Exec const& exec, matrix_view<A> const& a, matrix_view<B> const& b, matrix_view<C> const& c,
                bool adds) const {
    if (a.columns > 0 && library_.multiply(exec, a, b, c, adds)) return;
    engine::template multiply<T>(exec, a, b, c, adds, partials_.data());
  }
  /// Zeros for the rows of a matrix's gradient that are other units' work: those add to it.
  template <class Types, class C>
  void clear_other_blocks(Exec const& exec, [[maybe_unused]] Types types, matrix_view<C> const& all) const {
    if constexpr (is_typed) types.num_rows = 0;
    auto const clear = [&](std::int64_t first, std::int64_t count) {
      if (count == 0) return;
      auto const c = all.rows_from(first, count);
      matrix_view<T const> const no_rows{nullptr, 0, count, count, 1};
      matrix_view<T const> const no_adjoint{nullptr, 0, c.columns, c.columns, 1};
      if constexpr (is_typed) {
        engine::template sum_by_type<T>(exec, types, no_rows, no_adjoint,
                                        matrices_view<C>{c, all_inputs() * all.row_stride}, false, partials_.data());
      } else {
        engine::template multiply<T>(exec, no_rows.transposed(), no_adjoint, c, false, partials_.data());
      }
    };
    clear(0, first_input());
    clear(first_input() + inputs(), all_inputs() - first_input() - inputs());
  }

  decltype(Unit::library) library_;
  widths widths_;  ///< elements of the rows of each block's table
  std::int64_t num_types_ = 1;
  scratch<T, typename Exec::space> partials_;
};

}  // namespace edgewise::inline v0::detail
