// The memory of what one traversal of a backward pass hands to the next (program/handed_softmax.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include <edgewise/core/extents.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/size.hpp>
#include <edgewise/expression/component.hpp>
#include <edgewise/plan/plan_memory.hpp>
#include <edgewise/program/bound_leaf.hpp>
#include <edgewise/program/row_bytes.hpp>

namespace edgewise::inline v0::detail {

/// One row of pairs per edge of every softmax sum. Takes no memory for programs that hand nothing over.
template <class Exec, class Traits>
class handed_rows {
  using T = typename Traits::accumulator;
  using stored = typename Traits::template handed_as<T>;

public:
  void allocate(Exec const& exec, std::int64_t edges, row_extents extents) {
    if constexpr (stored::size > 0) {
      edges_ = edges;
      memory_ = scratch<T, typename Exec::space>(
          exec,
          static_cast<std::size_t>(size_of_array(static_cast<std::size_t>(edges), elements_of(stored{}, extents))));
    }
  }
  std::size_t size_bytes() const { return memory_.size_bytes(); }

  /// Points the traversal that leaves the pairs at the memory.
  template <class Pointers>
  void fill_targets(Pointers& pointers, row_extents extents) const {
    for_each_field(stored{}, extents, [&](auto tag, T* data, std::int64_t row_size) {
      auto& to = pointers.template of<typename decltype(tag)::type>();
      to.data = data;
      to.row_stride = row_size;
      to.accumulate = false;
    });
  }
  /// Points the traversal that reads them at it.
  template <class Pointers>
  void fill_operands(Pointers& pointers, row_extents extents) const {
    using read = typename Traits::template handed_as<T const>;
    for_each_field(read{}, extents, [&](auto tag, T* data, std::int64_t row_size) {
      auto const row_bytes = row_size * static_cast<std::int64_t>(sizeof(T));
      pointers.template of<typename decltype(tag)::type>() = {data, static_cast<std::int32_t>(row_bytes)};
    });
  }

private:
  /// Numbers per edge of all softmax sums.
  template <class... Bound>
  static std::int64_t elements_of(type_list<Bound...>, [[maybe_unused]] row_extents extents) {
    return (std::int64_t{0} + ... + elements_of_kind(Bound::kind, extents));
  }
  /// Calls f(tag of a bound leaf, its first number, numbers of a row): weights and adjoints by turns, which share rows.
  template <class... Bound, class F>
  void for_each_field(type_list<Bound...>, row_extents extents, F const& f) const {
    T* rows = memory_.data();
    auto const next = [&]<class B>(type_tag<B> tag) {
      std::int64_t const row_size = 2 * elements_of_kind(B::kind, extents);
      f(tag, rows + first_element<typename B::leaf>, row_size);
      if (first_element<typename B::leaf> == 1) rows += edges_ * row_size;
    };
    (next(type_tag<Bound>{}), ...);
  }

  std::int64_t edges_ = 0;
  scratch<T, typename Exec::space> memory_;
};

}  // namespace edgewise::inline v0::detail
