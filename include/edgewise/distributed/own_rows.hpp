// What the local piece of a part hands to the remote one where they share the edges of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include <edgewise/core/config.hpp>
#include <edgewise/core/extents.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/operand.hpp>
#include <edgewise/core/scalar.hpp>
#include <edgewise/core/softmax_normalizer.hpp>
#include <edgewise/distributed/graph_part.hpp>
#include <edgewise/distributed/part_memory.hpp>
#include <edgewise/distributed/part_programs.hpp>
#include <edgewise/distributed/row_moves.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/plan/plan_mark.hpp>
#include <edgewise/plan/plan_memory.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/overlap.hpp>

namespace edgewise::inline v0::detail {

/// Stands for memory where none is there yet: shapes and alignment are what is looked at.
template <class T>
T* unmade_memory() {
  constexpr std::uintptr_t alignment_of_memory = 256;
  return reinterpret_cast<T*>(alignment_of_memory);
}

/// A view of dense rows of a kind.
template <operand_kind Kind, class A>
operand_view<A, Kind> rows_of_kind(A* data, std::int64_t rows, row_extents extents) {
  return {data, rows, kind_has_heads(Kind) ? extents.heads : 1, kind_has_channels(Kind) ? extents.channels : 1,
          elements_of_kind(Kind, extents)};
}

/// What sums over a part's rows are divided by in means: [rows].
template <class A, class Index, class Offset>
host_buffer<A> edges_of_rows(graph_part<Index, Offset> const& part, bool have_self_edges) {
  host_buffer<A> counts(static_cast<std::size_t>(part.num_destinations()), host_memory());
  std::size_t row = 0;
  for (auto const* rows : {&part.interior, &part.boundary}) {
    auto const view = rows->view();
    for (Index v = 0; v < view.num_rows; ++v) {
      auto const edges = view.offsets[v + 1] - view.offsets[v] + (have_self_edges ? 1 : 0);
      counts[row++] = static_cast<A>(edges > 0 ? edges : 1);
    }
  }
  return counts;
}

/// Normalizers as the largest score and the sum of exponentials; a row without weight has none.
template <class A>
struct split_normalizers {
  softmax_normalizer<A> const* from;
  A* largest;
  A* weight;
  std::int64_t row_size;

  bool in_fours(std::int64_t) const { return false; }
  template <int N>
  EDGEWISE_HD void run(std::int64_t row, std::int64_t k) const {
    std::int64_t const at = row * row_size + k;
    softmax_normalizer<A> const normalizer = from[at];
    bool const has_weight = normalizer.largest != infinity<A>();
    largest[at] = has_weight ? normalizer.largest : negative_infinity<A>();
    weight[at] = has_weight ? fast_weight(A(0), -normalizer.log2_sum) : A(0);
  }
};

/// Where both pieces run one program nothing is handed over.
template <class Exec, class Local, class Programs>
class no_own_rows {
public:
  template <class Set>
  using bindings_with = Set;
  std::size_t size_bytes() const { return 0; }
};

/// Values, and what belongs to them, as the local piece leaves them for the remote one; gradients of them in return.
/// Local: the local piece's recipe.
template <class Exec, class Local, class Programs>
class own_rows {
  using A = typename Local::accumulator;
  using saved_type = typename Local::saved_type;
  static constexpr operand_kind value_kind = Local::out_kind;
  static constexpr operand_kind score_kind = [] {
    if constexpr (Programs::is_softmax) {
      return saved_type::template kind_of_fields<0>;
    } else {
      return operand_kind::per_row;
    }
  }();
  using score_view = operand_view<A const, score_kind>;
  using edges_view = operand_view<A const, operand_kind::per_row>;
  using value_binding = binding<own_value_leaf, operand_view<A const, value_kind>>;

public:
  using value_view = operand_view<A, value_kind>;
  template <class... Binding>
  static auto add_bindings(binding_set<Binding...> const&) {
    if constexpr (Programs::is_mean) {
      return type_tag<binding_set<Binding..., value_binding, binding<row_edges_leaf, edges_view>>>{};
    } else if constexpr (Programs::is_softmax) {
      return type_tag<binding_set<Binding..., value_binding, binding<own_largest_leaf, score_view>,
                                  binding<own_weight_leaf, score_view>>>{};
    } else {
      return type_tag<binding_set<Binding..., value_binding>>{};
    }
  }
  /// Bindings, and those of what is handed over.
  template <class Set>
  using bindings_with = typename decltype(add_bindings(std::declval<Set>()))::type;

  own_rows() = default;
  /// Shapes alone.
  explicit own_rows(std::int64_t rows, row_extents extents) : rows_(rows), extents_(extents) {}
  /// spare: memory that no pass over a piece writes, of so many bytes. Where values do not lie in the output, they lie
  /// there, or where their gradients will.
  template <class Part>
  void make(Exec const& exec, Part const& part, Local const& local, std::span<char> spare) {
    bool const fits = spare.size() >= size(value_kind) * sizeof(A);
    if (!fits) own_values_ = scratch<A, space>(exec, size(value_kind));
    unwritten_ = fits ? reinterpret_cast<A*>(spare.data()) : own_values_.data();
    values_ = unwritten_;
    if constexpr (!Programs::hands_adjoint) {
      gradients_ = scratch<A, space>(exec, size(value_kind));
      values_ = gradients_.data();
      if (size(value_kind) > 0) engine<Exec>::clear(exec, unwritten_, size(value_kind) * sizeof(A));
    }
    if constexpr (Programs::is_mean) {
      row_edges_ = part_memory<Exec>::place(exec, edges_of_rows<A>(part, Programs::has_self));
    }
    if constexpr (Programs::is_softmax) {
      largest_ = scratch<A, space>(exec, size(score_kind));
      weight_ = scratch<A, space>(exec, size(score_kind));
      mark_ = std::make_shared<plan_mark>();
      state_ = local.saved(exec, mark_);
    }
  }
  std::size_t size_bytes() const {
    return own_values_.size_bytes() + gradients_.size_bytes() + row_edges_.size_bytes() + largest_.size_bytes() +
           weight_.size_bytes() + state_.size_bytes();
  }

  /// Where values go: to the output itself, which the remote piece then completes, unless they would be rounded there
  /// or written over what is read (`is_read`).
  template <class View>
  value_view values_for([[maybe_unused]] View const& output, [[maybe_unused]] bool is_read) const {
    if constexpr (Programs::hands_adjoint && std::is_same_v<View, value_view>) {
      if (!is_read) return output;
    }
    return values();
  }
  /// Stands for the values in a backward pass, which loads them at most and computes nothing from them: rows of their
  /// shape that it does not write, if possible those of the adjoint, which it loads in any case.
  template <class View>
  auto values_in_backward([[maybe_unused]] View const& adjoint) const {
    using const_view = operand_view<A const, value_kind>;
    const_view const unwritten = rows_of_kind<value_kind>(static_cast<A const*>(unwritten_), rows_, extents_);
    if constexpr (std::is_same_v<View, const_view>) {
      bool const has_shape = adjoint.heads == unwritten.heads && adjoint.channels == unwritten.channels;
      return has_shape && adjoint.rows == rows_ ? adjoint : unwritten;
    } else {
      return unwritten;
    }
  }
  value_view values() const { return rows_of_kind<value_kind>(values_, rows_, extents_); }
  value_view gradients() const { return rows_of_kind<value_kind>(gradients_.data(), rows_, extents_); }
  auto output_gradient_of_values() const { return grad_out(gradients()); }

  /// What the local piece keeps in a forward pass that keeps nothing: of a softmax its normalizers.
  saved_type* state() const { return Programs::is_softmax ? &state_ : nullptr; }
  /// Reads what the local piece kept. In stream order.
  void note(Exec const& exec, [[maybe_unused]] saved_type const* kept) const {
    if constexpr (Programs::is_softmax) {
      auto const* const from = static_cast<softmax_normalizer<A> const*>(kept->field_address(0, 0));
      std::int64_t const elements = elements_of_kind(score_kind, extents_);
      for_each_number(exec, rows_, elements, split_normalizers<A>{from, largest_.data(), weight_.data(), elements});
    }
  }
  /// Makes of the local piece's state that of all edges of its rows: edges then weigh what they do in the whole.
  template <class Index, class Remote, class View>
  void complete(Exec const& exec, [[maybe_unused]] saved_type& local, [[maybe_unused]] Remote const& remote,
                [[maybe_unused]] View const& output) const {
    if constexpr (Programs::is_softmax) {
      std::int64_t const numbers = 2 * elements_of_kind(score_kind, extents_);
      for_each_number(exec, rows_, numbers,
                      copy_rows_of<A, A, Index>{static_cast<A const*>(remote.field_address(0, 0)), numbers, nullptr,
                                                static_cast<A*>(local.field_address(0, 0)), numbers});
      local.take_output(output);
    }
  }

  /// f(binding...) of what is handed over; of shapes alone where there is no memory yet.
  template <class View, class F>
  auto with_bindings(View const& values, F const& f) const {
    value_binding const value{{values.data, values.rows, values.heads, values.channels, values.row_stride}};
    if constexpr (Programs::is_mean) {
      return f(value, binding<row_edges_leaf, edges_view>{
                          rows_of_kind<operand_kind::per_row>(made_or_not(row_edges_.data()), rows_, extents_)});
    } else if constexpr (Programs::is_softmax) {
      auto const scores = [&](A const* data) { return rows_of_kind<score_kind>(made_or_not(data), rows_, extents_); };
      return f(value, binding<own_largest_leaf, score_view>{scores(largest_.data())},
               binding<own_weight_leaf, score_view>{scores(weight_.data())});
    } else {
      return f(value);
    }
  }
  value_view unmade_values() const { return rows_of_kind<value_kind>(unmade_memory<A>(), rows_, extents_); }

private:
  using space = typename Exec::space;

  static A const* made_or_not(A const* data) { return data ? data : unmade_memory<A const>(); }
  std::size_t size(operand_kind kind) const {
    return static_cast<std::size_t>(rows_ * elements_of_kind(kind, extents_));
  }

  std::int64_t rows_ = 0;
  row_extents extents_{};
  A* values_ = nullptr;
  A* unwritten_ = nullptr;
  scratch<A, space> own_values_;
  scratch<A, space> gradients_;
  buffer<A, space> row_edges_;
  scratch<A, space> largest_;
  scratch<A, space> weight_;
  shared_mark mark_;
  mutable saved_type state_;
};

}  // namespace edgewise::inline v0::detail
