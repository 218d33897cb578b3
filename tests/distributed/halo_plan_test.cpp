// Halo plans and pieces of parts against lists that are written down from the parts of all ranks.
#include <edgewise/distributed/halo_plan.hpp>

#include <algorithm>
#include <array>

#include "check_on_ranks.hpp"
#include "part_lists.hpp"
#include "support/graphs.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

using numbers = std::vector<std::int64_t>;

auto const on_host = [](auto const& work) { work(cpu{}); };

/// What a rank's halo plan has to be.
part_lists expected_plan(std::vector<graph_part<>> const& parts, std::size_t rank) {
  auto const& part = parts[rank];
  numbers send_first{0}, send_run, send_rows, own_rows;
  std::vector<std::array<numbers, 2>> places(part.source_at.size());  // by source: with this rank's own, and without
  for (std::size_t q = 0; q < parts.size(); ++q) {
    auto const first = parts[q].table_first[rank], end = parts[q].table_first[rank + 1];
    bool is_run = first < end && q != rank;
    for (auto k = first; k < end; ++k) {
      auto const row = part.source_at[static_cast<std::size_t>(parts[q].table[static_cast<std::size_t>(k)])];
      auto& of_row = places[static_cast<std::size_t>(row)];
      if (q == rank) {
        own_rows.push_back(row);
        of_row[0].push_back(~k);
        continue;
      }
      is_run = is_run && (k == first || row == send_rows.back() + 1);
      for (auto& list : of_row) list.push_back(static_cast<std::int64_t>(send_rows.size()));
      send_rows.push_back(row);
    }
    send_first.push_back(static_cast<std::int64_t>(send_rows.size()));
    send_run.push_back(is_run ? send_rows[static_cast<std::size_t>(send_first[q])] : -1);
  }
  part_lists lists{{"send_first", send_first}, {"send_run", send_run}, {"send_rows", send_rows}};
  for (std::size_t const of : {0, 1}) {
    std::string const name = of == 0 ? "of_boundary" : "of_others";
    bool const of_all = of == 0 ? part.interior.num_destinations() == 0 : part.num_destinations() == 0;
    numbers first = part.table_first, rows, first_part, all;
    auto const own = first[rank + 1] - first[rank];
    if (of == 1)
      std::for_each(first.begin() + static_cast<std::ptrdiff_t>(rank) + 1, first.end(), [&](auto& f) { f -= own; });
    for (std::size_t row = 0; row < places.size(); ++row) {
      auto const& of_row = places[row][of];
      if (of_row.empty() && !of_all) continue;
      rows.push_back(static_cast<std::int64_t>(row));
      first_part.push_back(static_cast<std::int64_t>(all.size()));
      all.insert(all.end(), of_row.begin(), of_row.end());
    }
    first_part.push_back(static_cast<std::int64_t>(all.size()));
    lists.insert(lists.end(), {{name + ".first", first},
                               {name + ".own_rows", of == 0 ? own_rows : numbers()},
                               {name + ".rows", rows},
                               {name + ".first_part", first_part},
                               {name + ".parts", all}});
  }
  return lists;
}

/// What its pieces by edges have to be.
part_lists expected_pieces(graph_part<> const& part) {
  auto const begin = part.table_first[static_cast<std::size_t>(part.rank)];
  auto const end = part.table_first[static_cast<std::size_t>(part.rank) + 1];
  numbers offsets[2]{{0}, {0}}, neighbors[2];
  auto const add = [&](csr_view<> const& rows, auto const& add_edge) {
    for (int v = 0; v < rows.num_rows; ++v) {
      for (int k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) add_edge(rows.neighbors[k]);
      for (int piece : {0, 1}) offsets[piece].push_back(static_cast<std::int64_t>(neighbors[piece].size()));
    }
  };
  add(part.interior.view(), [&](int u) { neighbors[0].push_back(u); });
  add(part.boundary.view(), [&](int row) {
    bool const is_own = row >= begin && row < end;
    if (is_own) {
      neighbors[0].push_back(part.source_at[static_cast<std::size_t>(part.table[static_cast<std::size_t>(row)])]);
    } else {
      neighbors[1].push_back(row < begin ? row : row - (end - begin));
    }
  });
  part_lists lists;
  for (int piece : {0, 1}) {
    std::string const name = piece == 0 ? "by_edges.local" : "by_edges.remote";
    lists.insert(lists.end(), {{name + ".counts",
                                {part.num_destinations(), piece == 0 ? part.num_sources() : part.num_halo_rows(),
                                 static_cast<std::int64_t>(neighbors[piece].size())}},
                               {name + ".offsets", offsets[piece]},
                               {name + ".neighbors", neighbors[piece]},
                               {name + ".edge_ids", {}}});
  }
  return lists;
}

void check_lists(part_lists const& lists, part_lists const& expected) {
  for (auto const& wanted : expected) {
    INFO(wanted.first);
    auto const found =
        std::find_if(lists.begin(), lists.end(), [&](auto const& list) { return list.first == wanted.first; });
    REQUIRE(found != lists.end());
    CHECK(found->second == wanted.second);
  }
}

}  // namespace

TEST_CASE("halo_plan: lists are those of all ranks' parts", "[distributed]") {
  for (auto const& graph : graphs_of_parts()) {
    for (int const ranks : {1, 2, 3}) {
      for (auto const& [name, owners] : ownerships_of(graph, ranks)) {
        INFO(graph.name << ", " << ranks << " ranks, owners: " << name);
        std::vector<graph_part<>> parts;
        for (int r = 0; r < ranks; ++r) parts.push_back(make_part(cpu{}, graph.csr(), owners, r));
        auto const lists = lists_on_ranks<std::int32_t, std::int32_t, cpu>(on_host, graph, owners);
        for (std::size_t r = 0; r < parts.size(); ++r) {
          INFO("rank " << r);
          check_lists(lists[r], expected_plan(parts, r));
          check_lists(lists[r], expected_pieces(parts[r]));
        }
        CHECK(lists_on_ranks<std::int64_t, std::int64_t, cpu>(on_host, graph, owners) == lists);
      }
    }
  }
}

TEST_CASE("halo_plan: a source that a rank has not", "[distributed]") {
  auto const graph = chain(40);
  auto const owners = partition(graph.csr(), 2, by_edges{});
  for (int const position : {-1, 1000}) {
    auto const [named, message] = error_of_unknown_source<cpu>(on_host, graph, owners, position);
    CHECK(named == 1);
    CHECK(message == edgewise::detail::text("halo_plan: rank 1 reads source ", position, " of rank 0, which has ",
                                            owners.destinations.size_of(0)));
  }
}
