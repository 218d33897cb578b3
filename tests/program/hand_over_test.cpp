#include "hand_over_cases.hpp"

#include <type_traits>
#include <utility>

#include "support/catch.hpp"

#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("hand_over: values and gradients on the battery", "[program]", handed_transformer,
                   handed_two_sums EDGEWISE_MORE_CASES(handed_gat, handed_gatv2, handed_and_stashed,
                                                       handed_edge_features)) {
  check_case<TestType, float>(run_on_host<TestType, float>);
}

TEST_CASE("hand_over: the bits of computing it twice, in memory of a pair an edge and head", "[program]") {
  random_stream random("hand_over: bits");
  auto const graph = one_hub();
  auto request = draw_request<handed_edge_features, float>(graph, {4, 8}, random);
  request.asked_set = 0;
  auto const handed_over = run_on_host<handed_edge_features, float>(request);
  auto const computed_twice = run_on_host<attention_of_edge_features, float>(request);
  CHECK(same_bits(handed_over.out, computed_twice.out));
  CHECK(same_bits(handed_over.gradients, computed_twice.gradients));
  CHECK(handed_over.saved_bytes == computed_twice.saved_bytes);
  auto const pairs = static_cast<std::size_t>(graph.num_edges()) * 4 * 2 * sizeof(float);
  CHECK(handed_over.workspace_bytes == computed_twice.workspace_bytes + pairs);
}

namespace {

/// Plans over a path of three vertices, rows of 2 heads x 8 channels.
struct path {
  static constexpr int heads = 2, channels = 8, edges = 4;
  csr<> by_destination;
  csc<> by_source;
  std::vector<float> rows = std::vector<float>(edges * heads * channels, 0.5f);
  std::vector<float> written = std::vector<float>(edges * heads * channels);

  path() {
    std::vector<int> const sources{0, 1, 2, 1}, destinations{1, 0, 1, 2};
    auto const all = make_coo(vertices(3), sources, destinations);
    by_destination = to_csr(cpu{}, all);
    by_source = to_csc(cpu{}, all);
  }
  auto at(auto* data, int count) const { return wide(data, count, heads, channels); }
  template <class... Binding>
  auto in(Binding const&... others) const {
    return bindings(bind<q>(at(rows.data(), 3)), bind<k>(at(rows.data(), 3)), bind<v>(at(rows.data(), 3)), others...);
  }
  auto in_of_edges() const { return in(bind<ek>(at(rows.data(), edges))); }
  template <class... Option>
  auto plan_of_edges(Option... option) const {
    auto const program = gather<sum>(softmax(dot(dst<q>, src<k> + edge<ek>)) * src<v>);
    return fuse(graph{by_destination, by_source}, automatic{}, program, option...).plan(cpu{}, in_of_edges());
  }
  template <class... Option>
  auto plan_of_vertices(Option... option) const {
    auto const program = gather<sum>(softmax(dot(dst<q>, src<k>)) * src<v>);
    return fuse(graph{by_destination, by_source}, automatic{}, program, option...).plan(cpu{}, in());
  }
  /// What an edge moves by source, towards all operands.
  template <class Plan>
  double source_bytes(Plan const& plan) {
    auto const cost = plan.backward_cost(grad_out(at(rows.data(), 3)), grad<q>(at(written.data(), 3)),
                                         grad<k>(at(written.data(), 3)), grad<v>(at(written.data(), 3)));
    auto const& last = cost.traversals.back();
    return last.edge_bytes + last.gathered_bytes;
  }
};

}  // namespace

TEST_CASE("hand_over<automatic>: hands over where rows of channels are saved, and explain says so", "[program]") {
  path p;
  constexpr double row = 4.0 * path::heads * path::channels, pair = 4.0 * 2 * path::heads;
  constexpr double fields = 4.0 * 3 * path::heads;  // the normalizer, two numbers, and the inner term

  CHECK(p.source_bytes(p.plan_of_edges()) == 3 * row + fields);
  CHECK(p.source_bytes(p.plan_of_edges(hand_over<automatic>{})) == 2 * row + pair);
  CHECK(p.source_bytes(p.plan_of_vertices(hand_over<automatic>{})) == 2 * row + fields);
  CHECK(p.source_bytes(p.plan_of_vertices(hand_over{})) == 2 * row + pair);

  auto const handing = Catch::Contains("hands 16 bytes an edge to that by source");
  CHECK_THAT(p.plan_of_edges(hand_over<automatic>{}).explain(), handing);
  CHECK_THAT(p.plan_of_vertices(hand_over{}).explain(), handing);
  CHECK_THAT(p.plan_of_vertices(hand_over<automatic>{}).explain(), !Catch::Contains("hands"));
  CHECK_THAT(p.plan_of_edges().explain(), !Catch::Contains("hands"));
}

TEST_CASE("hand_over: nothing is handed to a traversal that runs alone", "[program]") {
  path p;
  std::vector<float> twice(p.rows.size()), once(p.rows.size()), result(p.rows.size());
  auto const gradient_of_keys = [&](auto const& plan, std::vector<float>& to) {
    auto saved = plan.make_saved(cpu{});
    plan.forward(cpu{}, p.in_of_edges(), out(p.at(result.data(), 3)), saved);
    plan.backward(cpu{}, p.in_of_edges(), saved, grad_out(p.at(std::as_const(p.rows).data(), 3)),
                  grad<k>(p.at(to.data(), 3)));
  };
  gradient_of_keys(p.plan_of_edges(), twice);
  gradient_of_keys(p.plan_of_edges(hand_over{}), once);
  CHECK(once == twice);
}

TEST_CASE("hand_over: a plan of one grouping, which never hands over, takes no memory for it", "[program]") {
  path p;
  auto const bytes = [&](auto... option) {
    auto const program = gather<sum>(softmax(dot(dst<q>, src<k>)) * src<v>);
    return fuse(graph{p.by_destination}, automatic{}, program, option...).plan(cpu{}, p.in()).workspace_bytes();
  };
  CHECK(bytes(hand_over{}) == bytes());
}

TEST_CASE("hand_over: groupings whose edge ids differ are refused", "[program]") {
  path p;
  auto const without_ids = csc_view<>{{.offsets = p.by_source.view().offsets,
                                       .neighbors = p.by_source.view().neighbors,
                                       .edge_ids = nullptr,
                                       .num_rows = 3,
                                       .num_neighbors = 3,
                                       .num_edges = path::edges}};
  auto const program = gather<sum>(softmax(dot(dst<q>, src<k>)) * src<v>);
  auto const plan = [&](auto... option) {
    return fuse(graph{p.by_destination.view(), without_ids}, automatic{}, program, option...).plan(cpu{}, p.in());
  };
  CHECK_NOTHROW(plan());
  CHECK_THROWS_AS(plan(hand_over{}), invalid_argument);
}

TEST_CASE("hand_over: scores that differ from channel to channel are computed twice", "[program]") {
  path p;
  auto const program = gather<sum>(softmax(dst<q> * src<k>) * src<v>);
  auto const gradients = [&](auto... option) {
    auto const plan = fuse(graph{p.by_destination, p.by_source}, automatic{}, program, option...).plan(cpu{}, p.in());
    std::vector<float> result(p.rows.size()), dq(result), dk(result), dv(result);
    auto saved = plan.make_saved(cpu{});
    plan.forward(cpu{}, p.in(), out(p.at(result.data(), 3)), saved);
    plan.backward(cpu{}, p.in(), saved, grad_out(p.at(std::as_const(p.rows).data(), 3)), grad<q>(p.at(dq.data(), 3)),
                  grad<k>(p.at(dk.data(), 3)), grad<v>(p.at(dv.data(), 3)));
    return std::vector{dq, dk, dv};
  };
  CHECK(gradients(hand_over{}) == gradients());
}

TEST_CASE("hand_over: nothing is handed over tiles", "[program]") {
  using tiles = edgewise::graph<wsb_view<csr_view<>>, wsb_view<csc_view<>>>;
  using program = std::remove_const_t<decltype(transformer::program)>;
  using plain = decltype(fuse(std::declval<tiles>(), automatic{}, program{}));
  STATIC_REQUIRE(std::is_same_v<decltype(fuse(std::declval<tiles>(), automatic{}, program{}, hand_over{})), plain>);
}
