// Text lists of edges, read in several ways.
#include <edgewise/io/edge_list.hpp>

#include "invariants.hpp"

namespace edgewise::testing {

void fuzz_edge_list(std::string_view bytes) {
  auto const path = fuzz_folder().write("edges.txt", bytes);
  edge_list_options const ways[] = {
      {},
      {.direction = edge_direction::both, .non_finite = non_finite_numbers::accept},
      {.num_vertices = 10, .first_id = 1},
      {.first_id = -5},
      {.first_id = std::numeric_limits<std::int64_t>::min()},
      {.first_id = std::numeric_limits<std::int64_t>::max()},
  };
  for (auto const& options : ways) {
    check_reader([&](auto index) { return read_edge_list<decltype(index), decltype(index)>(path, options); });
  }
}

}  // namespace edgewise::testing
