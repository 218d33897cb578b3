// Valid graphs through what makes other graphs of them: reversal, self loops, orders and normalisation.
#include <edgewise/format/convert.hpp>
#include <edgewise/format/make.hpp>
#include <edgewise/format/normalize.hpp>
#include <edgewise/format/reorder.hpp>
#include <edgewise/format/reverse.hpp>
#include <edgewise/format/self_loops.hpp>
#include <edgewise/format/symmetric.hpp>
#include <edgewise/format/vertex_orders.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "invariants.hpp"
#include "numbers.hpp"

namespace edgewise::testing {

namespace {

template <class Index, class Offset>
void check_self_loops(coo<Index, Offset> const& edges) {
  cpu const exec;
  auto const num_loops = [](auto const& some) {
    std::int64_t count = 0;
    for (std::size_t k = 0; k < some.sources().size(); ++k) count += some.sources()[k] == some.destinations()[k];
    return count;
  };
  auto const all = with_self_loops(exec, edges, self_loops::add_to_all);
  auto const none = with_self_loops(exec, edges, self_loops::drop);
  auto const missing = with_self_loops(exec, edges, self_loops::add_where_missing);
  for (auto const* const made : {&all, &none, &missing}) check_graph(*made);
  require(num_loops(none) == 0, "no self loop is left");
  require(num_loops(all) == num_loops(edges) + edges.num_sources(), "every vertex has one more self loop");
  require(with_self_loops(exec, missing, self_loops::add_where_missing).num_edges() == missing.num_edges(),
          "no self loop is missing twice");
}

template <class Index, class Offset>
void check_orders(coo<Index, Offset> const& edges) {
  cpu const exec;
  auto const rows = to_csr(exec, edges);
  auto const check = [&](auto const& policy) {
    auto const order = find_order(exec, rows, policy);
    auto const moved = reorder(exec, rows, order);
    validate(moved);
    std::vector<edge> expected;
    for (auto const& [source, destination, id] : edges_by_id(rows.view())) {
      expected.emplace_back(order.new_of_old[static_cast<std::size_t>(source)],
                            order.new_of_old[static_cast<std::size_t>(destination)], id);
    }
    require(edges_by_id(moved.view()) == expected, "an order moves vertices alone");
  };
  check(by_degree{});
  check(reverse_cuthill_mckee{});
}

template <class Index, class Offset>
void check_reverse(coo<Index, Offset> const& edges) {
  cpu const exec;
  auto const rows = to_csr(exec, edges);
  auto const reversed = to_csr(exec, reverse(rows.view()));
  validate(reversed);
  require(edges_by_id(reverse(reverse(rows.view()))) == edges_by_id(rows.view()), "reversing twice changes nothing");
  accepts([&] {
    auto const ids = reverse_edge_permutation(exec, rows);
    auto const by_id = edges_by_id(rows.view());
    for (Offset k = 0; k < rows.num_edges(); ++k) {
      auto const [source, destination, id] = by_id[static_cast<std::size_t>(rows.view().edge_id(k))];
      auto const [back_source, back_destination, back] =
          by_id[static_cast<std::size_t>(ids[static_cast<std::size_t>(k)])];
      require(source == back_destination && destination == back_source, "a reverse edge goes back");
    }
  });
}

template <class Index, class Offset>
void fuzz_valid(numbers input) {
  auto const num_vertices = static_cast<std::int64_t>(input.size());
  auto const num_edges = num_vertices == 0 ? 0 : 2 * input.size();
  std::vector<Index> sources, destinations;
  for (std::size_t k = 0; k < num_edges; ++k) {
    sources.push_back(static_cast<Index>(input.size() % static_cast<std::size_t>(num_vertices)));
    destinations.push_back(static_cast<Index>(input.size() % static_cast<std::size_t>(num_vertices)));
  }
  auto const edges = make_coo<Offset>(vertices(num_vertices), sources, destinations);
  check_graph(edges);
  check_self_loops(edges);
  check_orders(edges);
  check_reverse(edges);
  for (auto const factor : normalize_edges(cpu{}, edges)) require(std::isfinite(factor), "factors are numbers");
}

}  // namespace

void fuzz_conversions(std::string_view bytes) {
  fuzz_valid<std::int32_t, std::int32_t>(numbers(bytes));
  fuzz_valid<std::int64_t, std::int64_t>(numbers(bytes));
}

}  // namespace edgewise::testing
