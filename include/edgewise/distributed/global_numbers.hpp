// The numbers that edges and rows of a part have in the whole graph: masks of dropouts depend on them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <edgewise/core/memory.hpp>
#include <edgewise/core/type_list.hpp>
#include <edgewise/distributed/halo_plan.hpp>
#include <edgewise/distributed/local_operands.hpp>

namespace edgewise::inline v0::detail {

template <class Leaves>
inline constexpr bool draws_numbers = false;
template <class... L>
inline constexpr bool draws_numbers<type_list<L...>> = (is_random_leaf<L> || ...);

/// Lists of them where passes run; none for programs that draw nothing.
template <class Exec, class Leaves>
class global_numbers {
  using Space = typename Exec::space;

public:
  /// Rows: whose vertices the rows of the program are.
  template <class Part>
  void make([[maybe_unused]] Exec const& exec, [[maybe_unused]] Part const& part,
            [[maybe_unused]] role rows_are = role::destination) {
    if constexpr (draws_numbers<Leaves>) {
      std::vector<std::int64_t> numbers;
      auto const add = [&](std::int64_t first_edge, std::int64_t edges, std::int64_t first_row, std::int64_t rows) {
        numbers.insert(numbers.end(), part.edges.begin() + first_edge, part.edges.begin() + first_edge + edges);
        for (std::int64_t v = first_row; v < first_row + rows; ++v) {
          numbers.push_back(part.whole_edges + part.destinations[static_cast<std::size_t>(v)]);
        }
      };
      std::int64_t const rows = part.interior.num_destinations(), edges = part.interior.num_edges();
      add(0, edges, 0, rows);
      add(edges, part.boundary.num_edges(), rows, part.boundary.num_destinations());
      edges_ = part_memory<Exec>::place(exec, buffer_of_list(numbers));
      auto const& ids = rows_are == role::source ? part.source_ids() : part.destinations;
      rows_ = part_memory<Exec>::place(exec, copy_of(std::span<std::int64_t const>(ids.data(), ids.size())));
    }
  }
  /// Of edges, those of the virtual self edges of the same side behind them: the interior's, then the boundary's.
  std::int64_t const* edges(std::int64_t first) const { return edges_.data() ? edges_.data() + first : nullptr; }
  std::int64_t const* rows(std::int64_t first) const { return rows_.data() ? rows_.data() + first : nullptr; }

private:
  buffer<std::int64_t, Space> edges_;
  buffer<std::int64_t, Space> rows_;
};

}  // namespace edgewise::inline v0::detail
