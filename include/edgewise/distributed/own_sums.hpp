// What the local piece of a part hands to the remote one where edges are divided: sums of rows, and their gradients.
#pragma once

#include <cstddef>
#include <cstdint>

#include <edgewise/core/extents.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/operand.hpp>
#include <edgewise/distributed/graph_part.hpp>
#include <edgewise/distributed/part_programs.hpp>
#include <edgewise/plan/plan_memory.hpp>
#include <edgewise/program/bindings.hpp>

namespace edgewise::inline v0::detail {

/// Stands for memory where none is there yet: shapes and alignment are what is looked at.
template <class T>
T* unmade_memory() {
  constexpr std::uintptr_t alignment_of_memory = 256;
  return reinterpret_cast<T*>(alignment_of_memory);
}

template <class A>
using row_edges_view = operand_view<A const, operand_kind::per_row>;

/// Where both pieces run one program there are none.
struct no_own_sums {
  std::size_t size_bytes() const { return 0; }
};

/// An array [rows of the part, ...] of the type and kind of a recipe's output. Recipe: the local piece's.
template <class Exec, class Recipe>
class own_sums {
  using A = typename Recipe::accumulator;

public:
  using view_type = operand_view<A, Recipe::out_kind>;

  own_sums() = default;
  own_sums(Exec const& exec, std::int64_t rows, row_extents extents)
      : rows_(rows),
        extents_(extents),
        memory_(exec, static_cast<std::size_t>(rows * elements_of_kind(Recipe::out_kind, extents))) {}
  /// Another of the same size.
  own_sums(Exec const& exec, own_sums const& like) : own_sums(exec, like.rows_, like.extents_) {}

  std::size_t size_bytes() const { return memory_.size_bytes(); }
  view_type view() const { return view_of(memory_.data(), rows_, extents_); }
  output_gradient<operand_view<A const, Recipe::out_kind>> gradient() const { return grad_out(view()); }

  static view_type view_of(A* data, std::int64_t rows, row_extents extents) {
    constexpr operand_kind kind = Recipe::out_kind;
    return {data, rows, kind_has_heads(kind) ? extents.heads : 1, kind_has_channels(kind) ? extents.channels : 1,
            elements_of_kind(kind, extents)};
  }

private:
  std::int64_t rows_ = 0;
  row_extents extents_;
  scratch<A, typename Exec::space> memory_;
};

/// The same before there is memory.
template <class Recipe>
struct unmade_own_sums {
  std::int64_t rows;
  row_extents extents;
  auto view() const {
    using A = typename Recipe::accumulator;
    return own_sums<typename Recipe::exec_type, Recipe>::view_of(unmade_memory<A>(), rows, extents);
  }
};

/// Bindings, the operand that own sums are, and for means the numbers of edges.
template <class Set, class OwnSums, bool IsMean>
struct with_own_sums {
  using type = Set;
};
template <class... Binding, class Exec, class Recipe>
struct with_own_sums<binding_set<Binding...>, own_sums<Exec, Recipe>, false> {
  using type = binding_set<Binding..., binding<own_sum_leaf, typename own_sums<Exec, Recipe>::view_type>>;
};
template <class... Binding, class Exec, class Recipe>
struct with_own_sums<binding_set<Binding...>, own_sums<Exec, Recipe>, true> {
  using type = binding_set<Binding..., binding<own_sum_leaf, typename own_sums<Exec, Recipe>::view_type>,
                           binding<row_edges_leaf, row_edges_view<typename Recipe::accumulator>>>;
};

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

}  // namespace edgewise::inline v0::detail
