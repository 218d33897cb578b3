// Copies of constant operands of edges in the order of a grouping, where that numbers its edges otherwise than they
// lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>

#include <edgewise/core/extents.hpp>
#include <edgewise/core/size.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/pass/pass_traits.hpp>
#include <edgewise/plan/plan_memory.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/shapes.hpp>

namespace edgewise::inline v0::detail {

/// The copies that one grouping has. Table: the bound leaves of the program.
template <class Exec, class Table>
class constant_edges {
  using bounds = filter_types<is_edge_operand, Table>;

  template <class Bound>
  struct copy {
    using storage = std::remove_const_t<typename Bound::storage>;
    storage const* from = nullptr;  ///< the operand that was copied; null where none was
    std::int64_t row_stride = 0;    ///< of that
    std::int64_t row_size = 0;
    scratch<storage, typename Exec::space> rows;
  };
  template <class List>
  struct copies_of;
  template <class... Bound>
  struct copies_of<type_list<Bound...>> {
    using type = std::tuple<copy<Bound>...>;
  };

public:
  /// Makes the copies of constant operands. Does nothing where edges lie in the order of the grouping.
  template <class Grouping, class Set>
  void make(Exec const& exec, Grouping const& grouping, Set const& in) {
    if (grouping.edge_ids == nullptr || grouping.num_edges == 0) return;
    for_each_copy([&]<class Bound>(copy<Bound>& c) {
      auto const& view = view_for<typename Bound::leaf>(in);
      if (!view.is_constant) return;
      c.row_size = view.row_size();
      c.rows = {exec, static_cast<std::size_t>(size_of_array(static_cast<std::size_t>(view.rows), c.row_size))};
    });
    update(exec, grouping, in);
  }
  /// Copies again, maybe from other arrays. Asynchronous.
  template <class Grouping, class Set>
  void update(Exec const& exec, Grouping const& grouping, Set const& in) {
    for_each_copy([&]<class Bound>(copy<Bound>& c) {
      if (c.rows.size() == 0) return;
      auto const& view = view_for<typename Bound::leaf>(in);
      engine<Exec>::order_rows(exec, view.data, view.row_stride, c.row_size, grouping.edge_ids,
                               std::int64_t{grouping.num_edges}, c.rows.data());
      c.from = view.data;
      c.row_stride = view.row_stride;
    });
  }

  /// Throws `invalid_argument` where an operand that was copied is bound to another array now.
  template <class Set>
  void check(Set const& in, char const* call) const {
    for_each_copy([&]<class Bound>(copy<Bound> const& c) {
      auto const& view = view_for<typename Bound::leaf>(in);
      if (c.from == nullptr || (view.data == c.from && view.row_stride == c.row_stride)) return;
      throw invalid_argument(text(call, ": ", leaf_name<typename Bound::leaf>(),
                                  " was constant_rows of another array when the plan was made; update_constants tells "
                                  "a plan of other contents and other arrays"));
    });
  }

  std::size_t size_bytes() const {
    std::size_t bytes = 0;
    for_each_copy([&](auto const& c) { bytes += c.rows.size_bytes(); });
    return bytes;
  }
  /// Is there a copy of every operand of edges that a pass reads?
  template <class Pass>
  bool serves() const {
    if constexpr (!may_read_in_order<Pass, Table>) {
      return false;
    } else {
      bool all = true;
      for_each_copy([&]<class Bound>(copy<Bound> const& c) {
        if (contains_type<Bound, typename Pass::tables::needed_edges> && c.from == nullptr) all = false;
      });
      return all;
    }
  }
  /// Points a pass that is served at the copies; returns the longest chunk that their rows allow.
  template <class Pointers>
  int fill(Pointers& pointers, row_extents extents) const {
    int chunk = longest_chunk;
    for_each_copy([&]<class Bound>(copy<Bound> const& c) {
      if (c.from == nullptr) return;
      constexpr auto bytes = static_cast<std::int64_t>(sizeof(typename Bound::storage));
      pointers.template of<Bound>() = {c.rows.data(), static_cast<std::int32_t>(c.row_size * bytes)};
      if constexpr (kind_has_channels(Bound::kind)) {
        auto const address = reinterpret_cast<std::uintptr_t>(c.rows.data());
        chunk = smaller(chunk, chunk_of_rows(extents.channels, bytes, address, c.row_size * bytes));
      }
    });
    return chunk;
  }
  /// Are there copies of all operands of edges?
  bool is_complete() const {
    bool all = bounds::size > 0;
    for_each_copy([&](auto const& c) { all = all && c.from != nullptr; });
    return all;
  }
  /// The names of what was copied, ", " between them.
  std::string names() const {
    std::string result;
    for_each_copy([&]<class Bound>(copy<Bound> const& c) {
      if (c.from != nullptr) result += (result.empty() ? "" : ", ") + leaf_name<typename Bound::leaf>();
    });
    return result;
  }

private:
  template <class F>
  void for_each_copy(F const& f) {
    std::apply([&](auto&... c) { (f(c), ...); }, copies_);
  }
  template <class F>
  void for_each_copy(F const& f) const {
    std::apply([&](auto const&... c) { (f(c), ...); }, copies_);
  }

  typename copies_of<bounds>::type copies_;
};

/// Are all operands of edges constant, of which there is one at least?
template <class Table, class Set>
bool has_constant_edges(Set const& in) {
  return []<class... Bound>(type_list<Bound...>, [[maybe_unused]] Set const& bound) {
    return sizeof...(Bound) > 0 && (view_for<typename Bound::leaf>(bound).is_constant && ...);
  }(filter_types<is_edge_operand, Table>{}, in) &&
         filter_types<is_edge_operand, Table>::size == bound_in_role<role::edge, Table>::size;
}

}  // namespace edgewise::inline v0::detail
