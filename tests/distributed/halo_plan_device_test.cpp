// Halo plans and pieces of parts that are made on a device are those of the host, number by number.
#include "halo_plan_device.hpp"

#include "check_on_ranks.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

auto const on_host = [](auto const& work) { work(cpu{}); };

template <class Index, class Offset>
void check_lists(int ranks) {
  for (auto const& graph : graphs_of_parts()) {
    for (auto const& [name, owners] : ownerships_of(graph, ranks)) {
      INFO(graph.name << ", " << ranks << " ranks, owners: " << name);
      auto const lists = lists_on_device_ranks<Index, Offset>(graph, owners);
      auto const expected = lists_on_ranks<Index, Offset, cpu>(on_host, graph, owners);
      REQUIRE(lists.size() == expected.size());
      for (std::size_t r = 0; r < lists.size(); ++r) {
        REQUIRE(lists[r].size() == expected[r].size());
        for (std::size_t k = 0; k < lists[r].size(); ++k) {
          INFO("rank " << r << ", " << lists[r][k].first);
          CHECK(lists[r][k] == expected[r][k]);
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("halo_plan on a device: lists are those of the host", "[distributed][gpu]") {
  skip_without_cuda_device();
  for (int const ranks : {1, 2, 3}) {
    check_lists<std::int32_t, std::int32_t>(ranks);
    check_lists<std::int32_t, std::int64_t>(ranks);
    check_lists<std::int64_t, std::int64_t>(ranks);
  }
}

TEST_CASE("halo_plan on a device: a source that a rank has not", "[distributed][gpu]") {
  skip_without_cuda_device();
  auto const graph = chain(40);
  auto const owners = partition(graph.csr(), 2, by_edges{});
  for (int const position : {-1, 1000}) {
    auto const [named, message] = error_of_unknown_source_on_device(graph, owners, position);
    CHECK(named == 1);
    CHECK(message == edgewise::detail::text("halo_plan: rank 1 reads source ", position, " of rank 0, which has ",
                                            owners.destinations.size_of(0)));
  }
}
