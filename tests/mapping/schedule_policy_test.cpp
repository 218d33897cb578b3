#include <edgewise/mapping/schedule_policy.hpp>

#include <string>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

#include "support/graphs.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

struct h;
struct w;

/// A graph with a hub, rows of one element, and plans over both groupings.
struct hub_plans {
  test_graph edges = one_hub(700);
  std::vector<float> features = std::vector<float>(static_cast<std::size_t>(edges.num_sources), 0.5f);
  std::vector<float> weights = std::vector<float>(static_cast<std::size_t>(edges.num_edges()), 2.0f);

  auto in() const {
    return bindings(bind<h>(wide(features.data(), edges.num_sources, 1)),
                    bind<w>(per_row(weights.data(), edges.num_edges())));
  }
  template <class Mapping>
  auto kernel(Mapping const& mapping) const {
    return fuse(edgewise::graph{edges.csr(), edges.csc()}, mapping, gather<sum>(edge<w> * src<h>));
  }
};

}  // namespace

TEST_CASE("schedule_policy: its text is read back as the same policy", "[tuning]") {
  schedule_policy<row_split> const pieces{{.max_edges = 192, .order = row_order::degree, .partitions = 4},
                                          {.tile = 128,
                                           .dot_tile = 64,
                                           .block = block_size::threads_64,
                                           .threads = group_threads::half,
                                           .pieces = piece_order::in_place}};
  CHECK(to_string(pieces) ==
        "by_destination row_split max_edges=192 order=degree partitions=4 tile=all dot_tile=all block=chosen "
        "threads=all pieces=ahead by_source row_split max_edges=all order=stored partitions=1 tile=128 dot_tile=64 "
        "block=64 threads=half pieces=in_place");
  CHECK(parse_policy<row_split>(to_string(pieces)) == pieces);
  schedule_policy<row_per_group> const whole{{.order = row_order::short_windows}, {.order = row_order::windows}};
  CHECK(parse_policy<row_per_group>(to_string(whole)) == whole);
  schedule_policy<dynamic_rows> const queued{{.max_edges = 64, .order = row_order::windows}, {}};
  CHECK(to_string(queued) ==
        "by_destination dynamic_rows max_edges=64 order=windows by_source dynamic_rows max_edges=all order=degree");
  CHECK(parse_policy<dynamic_rows>(to_string(queued)) == queued);
  schedule_policy<edge_split> const shares{{.length = 64}, {.length = 9000000000}};
  CHECK(parse_policy<edge_split>(to_string(shares)) == shares);
}

TEST_CASE("schedule_policy: a text that is none is refused, with the word", "[tuning]") {
  std::string const good = to_string(schedule_policy<row_split>{});
  auto const refusal = [](std::string const& text) -> std::string {
    try {
      parse_policy<row_split>(text);
    } catch (invalid_argument const& refused) {
      return refused.what();
    }
    return "";
  };
  CHECK(refusal(good) == "");
  CHECK_THAT(refusal(""), Catch::Contains("an end where by_destination is due"));
  CHECK_THAT(refusal(good + " more"), Catch::Contains("'more' where its end is due"));
  CHECK_THAT(refusal(good.substr(0, good.find("stored") + 5)), Catch::Contains("'order=store' where order=... is due"));
  CHECK_THAT(refusal(good.substr(0, good.size() - 1)), Catch::Contains("'pieces=ahea' where pieces=... is due"));
  CHECK_THAT(refusal(to_string(schedule_policy<edge_split>{})), Catch::Contains("'edge_split' where row_split is due"));
  for (char const* number : {"", "0", "-4", "6.5", "many", "99999999999999999999"}) {
    std::string text = good;
    text.replace(text.find("all"), 3, number);
    CHECK_THAT(refusal(text), Catch::Contains("where max_edges=... is due"));
  }
}

TEST_CASE("schedule_policy: a plan says its own, and is made again from it", "[tuning]") {
  hub_plans const on;
  auto const first = on.kernel(automatic{}).plan(cpu{}, on.in());
  CHECK(first.policy().by_destination == automatic{}.split({on.edges.num_destinations, on.edges.num_edges()}));
  CHECK_THAT(first.explain(), Catch::Contains("policy: " + to_string(first.policy()) + "\n"));

  schedule_policy<row_split> const given{{.max_edges = 7, .order = row_order::degree}, {.max_edges = 9}};
  auto const second = on.kernel(automatic{}).plan(cpu{}, on.in(), parse_policy<row_split>(to_string(given)));
  CHECK(second.policy() == given);
  static_assert(std::is_same_v<decltype(first), decltype(second)>);
  CHECK_THAT(second.explain(), Catch::Contains("rows by degree") && Catch::Contains("max_edges=7"));

  std::vector<float> sums(static_cast<std::size_t>(on.edges.num_destinations), -1.0f);
  second.forward(cpu{}, on.in(), out(wide(sums.data(), on.edges.num_destinations, 1)));
  for (int v = 0; v < on.edges.num_destinations; ++v) {
    CHECK(sums[static_cast<std::size_t>(v)] == static_cast<float>(on.edges.by_destination.degree(v)));
  }
}

TEST_CASE("schedule_policy: of any mapping, for programs of edges too", "[tuning]") {
  hub_plans const on;
  CHECK(on.kernel(vertex_balanced{.order = row_order::degree}).plan(cpu{}, on.in()).policy().by_source ==
        row_per_group{.order = row_order::degree});
  CHECK(on.kernel(edge_balanced{})
            .plan(cpu{}, on.in(), {{.length = 256}, {.length = 64}})
            .policy()
            .by_destination.length == 256);
  auto const scores = fuse(edgewise::graph{on.edges.csr()}, automatic{}, scatter(edge<w> * src<h>));
  auto const plan = scores.plan(cpu{}, on.in(), {{.max_edges = 5}, {.max_edges = 5}});
  CHECK(plan.policy().by_destination.max_edges == 5);
  CHECK_THAT(plan.explain(), Catch::Contains("max_edges=5"));
}

TEST_CASE("schedule_policy: numbers that are not positive are refused", "[tuning]") {
  hub_plans const on;
  CHECK_THROWS_WITH(on.kernel(automatic{}).plan(cpu{}, on.in(), {{.max_edges = 0}, {}}),
                    Catch::Contains("row_split with max_edges = 0"));
  CHECK_THROWS_WITH(on.kernel(feature_adaptive_group{.partitions = 0}).plan(cpu{}, on.in()),
                    Catch::Contains("row_split with partitions = 0"));
  CHECK_THROWS_WITH(on.kernel(feature_adaptive_group{.tile = 100}).plan(cpu{}, on.in()),
                    Catch::Contains("row_split with tile = 100, which is not 64, 128 or all"));
  CHECK_THROWS_WITH(on.kernel(feature_adaptive_group{.dot_tile = 32}).plan(cpu{}, on.in()),
                    Catch::Contains("row_split with dot_tile = 32, which is not 64, 128 or all"));
  CHECK_NOTHROW(on.kernel(feature_adaptive_group{.tile = 64, .dot_tile = 128}).plan(cpu{}, on.in()));
  CHECK_THROWS_AS(on.kernel(edge_balanced{}).plan(cpu{}, on.in(), {{}, {.length = -1}}), invalid_argument);
  CHECK_THROWS_AS(on.kernel(degree_aware{.quantile = 2}).plan(cpu{}, on.in()), invalid_argument);
}
