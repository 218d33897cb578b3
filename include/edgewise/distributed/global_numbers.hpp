// The numbers that edges and rows of a part have in the whole graph: masks of dropouts depend on them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <edgewise/core/memory.hpp>
#include <edgewise/core/type_list.hpp>
#include <edgewise/distributed/local_operands.hpp>
#include <edgewise/distributed/part_memory.hpp>

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
  /// Rows: whose vertices the rows of the program are. Piece: those over whose edges it runs, in order.
  template <class Part, class... Piece>
  void make([[maybe_unused]] Exec const& exec, [[maybe_unused]] Part const& part, [[maybe_unused]] role rows_are,
            [[maybe_unused]] Piece const&... pieces) {
    if constexpr (draws_numbers<Leaves>) {
      std::vector<std::int64_t> numbers;
      auto const add = [&](auto const& piece) {
        auto const first = part.edges.begin() + piece.first_edge;
        numbers.insert(numbers.end(), first, first + piece.num_edges());
        for (std::int64_t v = piece.first_row; v < piece.first_row + piece.num_rows(); ++v) {
          numbers.push_back(part.whole_edges + part.destinations[static_cast<std::size_t>(v)]);
        }
      };
      (add(pieces), ...);
      edges_ = part_memory<Exec>::place(exec, buffer_of_list(numbers));
      auto const& ids = rows_are == role::source ? part.source_ids() : part.destinations;
      rows_ = part_memory<Exec>::place(exec, copy_of(std::span<std::int64_t const>(ids.data(), ids.size())));
    }
  }
  /// Of edges, those of the virtual self edges of the same piece behind them, piece by piece.
  std::int64_t const* edges(std::int64_t first) const { return edges_.data() ? edges_.data() + first : nullptr; }
  std::int64_t const* rows(std::int64_t first) const { return rows_.data() ? rows_.data() + first : nullptr; }

private:
  buffer<std::int64_t, Space> edges_;
  buffer<std::int64_t, Space> rows_;
};

}  // namespace edgewise::inline v0::detail
