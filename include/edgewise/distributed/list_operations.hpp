// What lists of rows are made by, where passes run: loops over their elements, sorts, and sums of marks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <edgewise/core/config.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/distributed/row_moves.hpp>

namespace edgewise::inline v0::detail {

template <class Body>
struct each_element {
  Body body;

  template <int N>
  EDGEWISE_HD void run(std::int64_t i, std::int64_t) const {
    body(i);
  }
};

/// Calls body(i) for each i from 0 to count - 1, in any order.
template <class Exec, class Body>
void for_each_element(Exec const& exec, std::int64_t count, Body const& body) {
  for_each_number(exec, count, 1, each_element<Body>{body});
}

/// The host's counted_marks (format/counted_marks.cuh): `size` numbers, zero at first, and then how much all those
/// before each are together; one element more, for the sum of all.
template <class Count>
class host_marks {
public:
  host_marks(cpu const& exec, char const*, std::int64_t size)
      : marks_(static_cast<std::size_t>(size) + 1, exec.memory) {
    std::fill(marks_.begin(), marks_.end(), Count(0));
  }
  Count* data() { return marks_.data(); }
  void count(cpu const&) {
    Count before = 0;
    for (Count& mark : marks_) before += std::exchange(mark, before);
  }
  std::size_t read_total(cpu const&) const { return static_cast<std::size_t>(marks_[marks_.size() - 1]); }

private:
  host_buffer<Count> marks_;
};

/// `marks<Count>`, and a stable sort. For `cuda`: distributed/list_operations.cuh.
template <class Exec>
struct list_operations;
template <>
struct list_operations<cpu> {
  template <class Count>
  using marks = host_marks<Count>;

  /// Sorts `keys`, from 0 to num_keys - 1, and the values that belong to them.
  template <class Index>
  static void sort(cpu const&, host_buffer<Index>& keys, host_buffer<Index>& values,
                   [[maybe_unused]] std::int64_t num_keys) {
    std::vector<std::pair<Index, Index>> pairs(keys.size());
    for (std::size_t k = 0; k < pairs.size(); ++k) pairs[k] = {keys[k], values[k]};
    std::stable_sort(pairs.begin(), pairs.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      keys[k] = pairs[k].first;
      values[k] = pairs[k].second;
    }
  }
};

}  // namespace edgewise::inline v0::detail
