// Operands of wrong shapes: the message names the operand and both numbers.
#include <edgewise/program/shapes.hpp>

#include <functional>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

#include "support/test_graph.hpp"

namespace {

using namespace edgewise;
using edgewise::testing::make_test_graph;

struct h;
struct w;
struct b;

/// relu(gather<sum>(edge<w> * src<h>) + param<b>) on 3 sources, 2 destinations and 4 edges, with 2 heads of 3 channels.
struct fixture {
  testing::test_graph const edges = make_test_graph("four edges", 3, 2, {{0, 0}, {1, 0}, {2, 1}, {0, 1}});
  graph<csr_view<int, int>, csc_view<int, int>> const g{edges.csr(), edges.csc()};
  std::vector<float> memory = std::vector<float>(1000);
  float* data = memory.data();

  auto program() const { return fuse(g, automatic{}, relu(gather<sum>(edge<w> * src<h>) + param<b>)); }
  operand_view<float, operand_kind::wide> features() { return wide(data, 3, 2, 3); }
  operand_view<float, operand_kind::per_row> weights() { return per_row(data, 4); }
  operand_view<float, operand_kind::wide> bias() { return wide(data, 1, 2, 3); }
  operand_view<float, operand_kind::wide> result() { return wide(data + 500, 2, 2, 3); }
  operand_view<float, operand_kind::wide> features_grad() { return wide(data + 600, 3, 2, 3); }
  operand_view<float, operand_kind::per_row> weights_grad() { return per_row(data + 700, 4); }
  auto in() { return bindings(bind<w>(weights()), bind<h>(features()), bind<b>(bias())); }
  auto make_plan() { return program().plan(cpu{}, in()); }
};

/// What the exception says; empty when there is none.
std::string refusal(std::function<void()> const& run) {
  try {
    run();
  } catch (invalid_argument const& error) {
    return error.what();
  }
  return {};
}

using Catch::Contains;
using Catch::EndsWith;

/// A sum whose state is two numbers.
struct compensated : sum {
  static constexpr char const* name = "compensated";
  template <class T, class Offset>
  struct alignas(2 * sizeof(T)) state {
    T total, lost;
  };
  template <class T, class Offset>
  EDGEWISE_HD static state<T, Offset> identity() {
    return {T(0), T(0)};
  }
  template <class T, class Offset>
  EDGEWISE_HD static void fold(state<T, Offset>& s, T message, Offset) {
    T const term = message - s.lost;
    T const next = s.total + term;
    s.lost = (next - s.total) - term;
    s.total = next;
  }
  template <class T, class Offset>
  EDGEWISE_HD static void merge(state<T, Offset>& into, state<T, Offset> const& later) {
    fold(into, later.total - later.lost, Offset(0));
  }
  template <class T, class Offset>
  EDGEWISE_HD static T finish(state<T, Offset> const& s, Offset) {
    return s.total;
  }
};

/// May a program's passes read the gaps behind rows, as far as what it keeps decides?
template <class Program, class Bindings>
constexpr bool keeps_no_rows(Program, Bindings) {
  using lowered = decltype(edgewise::detail::lower_program(Program{}));
  using leaves = unique_types<concat_types<typename lowered::leaves, typename lowered::self_leaves,
                                           edgewise::detail::operand_leaves<typename lowered::epilogue_type>>>;
  using table = typename edgewise::detail::operand_table<leaves, Bindings>::type;
  return edgewise::detail::program_traits<lowered, table, int, float>::keeps_no_rows;
}

}  // namespace

TEST_CASE("shapes: the fixture itself is accepted", "[program]") {
  fixture f;
  auto plan = f.make_plan();
  auto saved = plan.make_saved(cpu{});
  CHECK_NOTHROW(plan.forward(cpu{}, f.in(), out(f.result()), saved));
  CHECK_NOTHROW(
      plan.backward(cpu{}, f.in(), saved, grad_out(f.result()), grad<h>(f.features_grad()), grad<w>(f.weights_grad())));
}

TEST_CASE("shapes: plan names the operand and both numbers of rows", "[program]") {
  fixture f;
  auto plan_with = [&](auto weights, auto features, auto bias) {
    return refusal([&] { f.program().plan(cpu{}, bindings(bind<w>(weights), bind<h>(features), bind<b>(bias))); });
  };
  CHECK_THAT(plan_with(per_row(f.data, 5), f.features(), f.bias()),
             Contains("edge<") && Contains("w>: has 5 rows, the graph has 4 edges"));
  CHECK_THAT(plan_with(f.weights(), wide(f.data, 2, 2, 3), f.bias()),
             Contains("src<") && Contains("h>: has 2 rows, the graph has 3 sources"));
  CHECK_THAT(plan_with(f.weights(), f.features(), wide(f.data, 2, 2, 3)),
             Contains("param<") && Contains("b>: has 2 rows, a parameter has 1"));
  CHECK_THAT(
      refusal([&] { fuse(f.g, automatic{}, gather<sum>(dst<h>)).plan(cpu{}, bindings(bind<h>(wide(f.data, 3, 3)))); }),
      Contains("dst<") && Contains("h>: has 3 rows, the graph has 2 destinations"));
}

TEST_CASE("shapes: heads and channels must agree between operands", "[program]") {
  fixture f;
  auto plan_with = [&](auto features, auto bias) {
    return refusal([&] { f.program().plan(cpu{}, bindings(bind<w>(f.weights()), bind<h>(features), bind<b>(bias))); });
  };
  CHECK_THAT(plan_with(f.features(), wide(f.data, 1, 3, 3)), Contains("b>: has 3 heads, src<") && Contains("h> has 2"));
  CHECK_THAT(plan_with(f.features(), wide(f.data, 1, 2, 4)),
             Contains("b>: has 4 channels, src<") && Contains("h> has 3"));
  CHECK_THAT(plan_with(wide(f.data, 3, 0, 3), f.bias()),
             Contains("h>: has shape [3, 0, 3], heads and channels must be at least 1"));
  CHECK_THAT(plan_with(wide(f.data, 3, 2, -1), f.bias()),
             Contains("[3, 2, -1], heads and channels must be at least 1"));
}

TEST_CASE("shapes: rows must not overlap or lie out of reach, and pointers must not be null", "[program]") {
  fixture f;
  auto plan_with = [&](auto features) {
    return refusal(
        [&] { f.program().plan(cpu{}, bindings(bind<w>(f.weights()), bind<h>(features), bind<b>(f.bias()))); });
  };
  CHECK_THAT(plan_with(wide(f.data, 3, 2, 3, 5)), Contains("h>: has row stride 5, its rows have 6 elements"));
  CHECK_THAT(plan_with(wide(f.data, 3, 2, 3, -6)), Contains("h>: has row stride -6, its rows have 6 elements"));
  CHECK_THAT(plan_with(wide(f.data, 3, 2, 3, std::int64_t{1} << 30)),
             Contains("h>: rows are 1073741824 elements apart, more than 2 GiB"));
  CHECK_THAT(plan_with(wide(static_cast<float*>(nullptr), 3, 2, 3)), Contains("h>: is bound to a null pointer"));
}

TEST_CASE("shapes: forward checks its operands against the plan, and its output", "[program]") {
  fixture f;
  auto const plan = f.make_plan();
  auto run = [&](auto in, auto result) { return refusal([&] { plan.forward(cpu{}, in, out(result)); }); };
  auto const narrower = bindings(bind<w>(f.weights()), bind<h>(wide(f.data, 3, 2, 2)), bind<b>(wide(f.data, 1, 2, 2)));
  CHECK_THAT(run(narrower, wide(f.data, 2, 2, 3)),
             Contains("operands have 2 heads x 2 channels, the plan was made for 2 x 3"));
  CHECK_THAT(run(f.in(), wide(f.data, 3, 2, 3)), Contains("out: has 3 rows, the graph has 2 destinations"));
  CHECK_THAT(run(f.in(), wide(f.data, 2, 2, 4)),
             Contains("out: has shape [2, 2, 4], the program's rows have 2 heads x 3 channels"));
  CHECK_THAT(run(f.in(), wide(f.data, 2, 2, 3, 4)), Contains("out: has row stride 4, its rows have 6 elements"));
  CHECK_THAT(run(f.in(), wide(static_cast<float*>(nullptr), 2, 2, 3)), Contains("out: is bound to a null pointer"));
}

TEST_CASE("shapes: the bindings are blamed before the output", "[program]") {
  fixture f;
  auto const plan = f.make_plan();
  auto const wider = bindings(bind<w>(f.weights()), bind<h>(wide(f.data, 3, 2, 4)), bind<b>(wide(f.data, 1, 2, 4)));
  CHECK_THAT(refusal([&] { plan.forward(cpu{}, wider, out(wide(f.data + 500, 2, 2, 4))); }),
             Contains("bindings: operands have 2 heads x 4 channels, the plan was made for 2 x 3"));
}

TEST_CASE("shapes: the output must not be an operand that other rows read", "[program]") {
  fixture f;
  auto const plan = f.make_plan();
  auto const in =
      bindings(bind<w>(per_row(f.data, 4)), bind<h>(wide(f.data + 100, 3, 2, 3)), bind<b>(wide(f.data + 200, 1, 2, 3)));
  auto run = [&](float* data) { return refusal([&] { plan.forward(cpu{}, in, out(wide(data, 2, 2, 3))); }); };
  CHECK_THAT(run(f.data), Contains("out: is the array of edge<") && Contains("w>, which is read while out is written"));
  CHECK_THAT(run(f.data + 100), Contains("out: is the array of src<") && Contains("h>"));
  CHECK_THAT(run(f.data + 200), Contains("out: is the array of param<") && Contains("b>"));
  CHECK(run(f.data + 300) == "");
  CHECK_THAT(run(f.data + 90), Contains("out: overlaps src<") && Contains("h>, which is read while out is written"));
  CHECK(run(f.data + 88) == "");
}

TEST_CASE("shapes: the output may be a slice of the array that operands are slices of", "[program]") {
  fixture f;
  std::vector<float> array(3 * 9, 1.0f);
  auto const slice = [&](int channel, int rows) { return wide(array.data() + channel, rows, 1, 3, 9); };
  auto const in = bindings(bind<h>(slice(0, 3)), bind<b>(slice(3, 2)));
  auto const plan = fuse(f.g, automatic{}, gather<sum>(src<h>) + dst<b>).plan(cpu{}, in);
  auto run = [&](int channel) { return refusal([&] { plan.forward(cpu{}, in, out(slice(channel, 2))); }); };
  CHECK(run(6) == "");
  CHECK_THAT(run(5), Contains("out: overlaps dst<") && Contains("b>"));
  CHECK_THAT(run(1), Contains("out: overlaps src<") && Contains("h>"));
}

TEST_CASE("shapes: the parts of a concatenation lie beside what they are computed from", "[program]") {
  fixture f;
  auto const program = concat(gather<sum>(src<h>), gather<mean>(src<h>));
  std::vector<float> memory(100, 1.0f);
  // Sources [3, 2 channels], output [2, 2 * 2 channels], `stride` elements from row to row.
  auto const run = [&](int features, int result, int stride) {
    auto const in = bindings(bind<h>(wide(memory.data() + features, 3, 1, 2, stride)));
    auto const plan = fuse(f.g, automatic{}, program).plan(cpu{}, in);
    return refusal([&] { plan.forward(cpu{}, in, out(wide(memory.data() + result, 2, 2, 2, stride ? stride : 4))); });
  };
  CHECK(run(8, 0, 0) == "");
  CHECK(run(4, 0, 6) == "");
  CHECK(run(0, 2, 6) == "");
  CHECK_THAT(run(7, 0, 0), Contains("out: overlaps src<"));
  CHECK_THAT(run(3, 0, 6), Contains("out: overlaps src<"));
}

TEST_CASE("shapes: one row may take its operand's place, whatever the strides", "[program]") {
  std::vector<int> const offsets{0, 1}, neighbors{0};
  csr_view<> const one{{offsets.data(), neighbors.data(), nullptr, 1, 1, 1}};
  float place = 2;
  float const feature = 3;
  auto const in = bindings(bind<h>(wide(&feature, 1, 1)), bind<b>(wide(&place, 1, 1, 1, 8)));
  auto const plan = fuse(graph{one}, automatic{}, gather<sum>(src<h>) + dst<b>).plan(cpu{}, in);
  plan.forward(cpu{}, in, out(wide(&place, 1, 1)));
  CHECK(place == 5);
}

TEST_CASE("shapes: the output may take the place of what its own row reads", "[program]") {
  fixture f;
  std::vector<float> const ones(3, 1.0f);
  std::vector<float> place{10, 20, 30, 40};
  auto const in = bindings(bind<h>(wide(ones.data(), 3, 1)), bind<b>(wide(place.data(), 2, 1)));
  auto const plan = fuse(f.g, automatic{}, gather<sum>(src<h>) + dst<b>).plan(cpu{}, in);
  plan.forward(cpu{}, in, out(wide(place.data(), 2, 1)));
  CHECK(place == std::vector<float>{12, 22, 30, 40});
  CHECK_THAT(refusal([&] { plan.forward(cpu{}, in, out(wide(place.data(), 2, 1, 1, 2))); }),
             Contains("out: is the array of dst<") && Contains("b>"));
}

TEST_CASE("shapes: two groupings must have the same counts", "[program]") {
  fixture f;
  auto const other = make_test_graph("five vertices", 5, 4, {{0, 0}, {1, 3}, {2, 1}, {0, 1}, {4, 2}});
  CHECK_THAT(refusal([&] {
               fuse(graph{f.edges.csr(), other.csc()}, automatic{}, gather<sum>(src<h>))
                   .plan(cpu{}, bindings(bind<h>(f.features())));
             }),
             Contains("graph: csr has 3 sources, 2 destinations and 4 edges, csc has 5, 4 and 5"));
}

TEST_CASE("shapes: with_self on a bipartite graph is refused before any operand", "[program]") {
  fixture f;
  CHECK_THAT(refusal([&] {
               fuse(f.g, automatic{}, gather<sum>(with_self(src<h>))).plan(cpu{}, bindings(bind<h>(f.features())));
             }),
             Contains("with_self: needs as many sources as destinations, the graph has 3 and 2"));
}

TEST_CASE("shapes: backward checks the adjoint and every gradient", "[program]") {
  fixture f;
  auto const plan = f.make_plan();
  auto const saved = plan.make_saved(cpu{});
  auto run = [&](auto gradient, auto const&... requests) {
    return refusal([&] { plan.backward(cpu{}, f.in(), saved, grad_out(gradient), requests...); });
  };
  CHECK_THAT(run(wide(f.data, 3, 2, 3), grad<h>(f.features_grad())),
             Contains("grad_out: has 3 rows, the graph has 2 destinations"));
  CHECK_THAT(run(wide(f.data, 2, 3, 3), grad<h>(f.features_grad())),
             Contains("grad_out: has shape [2, 3, 3], the program's rows have 2 heads x 3 channels"));
  CHECK_THAT(run(f.result(), grad<h>(wide(f.data, 2, 2, 3))),
             Contains("grad of src<") && Contains("h>: has shape [2, 2, 3], the operand has [3, 2, 3]"));
  CHECK_THAT(run(f.result(), grad<h>(f.features_grad()), grad<w>(per_row(f.data, 5))),
             Contains("grad of edge<") && Contains("w>: has shape [5], the operand has [4]"));
  CHECK_THAT(run(f.result(), grad<h>(wide(f.data, 3, 2, 3, 5))),
             Contains("grad of src<") && Contains("has row stride 5, its rows have 6 elements"));
  CHECK_THAT(run(f.result(), grad<b>(wide(static_cast<float*>(nullptr), 1, 2, 3))),
             Contains("grad of param<") && Contains("is bound to a null pointer"));
}

TEST_CASE("shapes: the longest chunk that rows allow", "[program]") {
  using edgewise::detail::chunk_of_rows;
  CHECK(chunk_of_rows(64, 4, 0, 256) == 8);
  CHECK(chunk_of_rows(12, 4, 0, 48) == 4);
  CHECK(chunk_of_rows(602, 4, 0, 2408) == 2);  // every other row lies between words of 16 bytes
  CHECK(chunk_of_rows(602, 4, 8, 2408) == 2);  // so may the array
  CHECK(chunk_of_rows(602, 4, 4, 2408) == 1);
  CHECK(chunk_of_rows(602, 4, 0, 2412) == 1);  // rows further apart
  CHECK(chunk_of_rows(1433, 4, 0, 5732) == 1);
  CHECK(chunk_of_rows(2, 8, 0, 16) == 2);
  CHECK(chunk_of_rows(2, 8, 8, 16) == 1);
  CHECK(chunk_of_rows(8, 2, 0, 16) == 8);
  CHECK(chunk_of_rows(8, 2, 8, 16) == 4);
}

TEST_CASE("shapes: the longest chunk where the last one may reach into the gap behind a row", "[program]") {
  using edgewise::detail::chunk_of;
  using edgewise::detail::chunk_of_gapped_rows;
  CHECK(chunk_of_gapped_rows(7, 4, 4, 0, 8) == 4);
  CHECK(chunk_of_gapped_rows(3, 4, 4, 0, 4) == 4);
  CHECK(chunk_of_gapped_rows(602, 4, 4, 0, 604) == 4);
  CHECK(chunk_of_gapped_rows(5, 4, 4, 0, 6) == 1);  // rows at multiples of 8 bytes
  CHECK(chunk_of_gapped_rows(7, 4, 4, 0, 7) == 1);
  CHECK(chunk_of_gapped_rows(7, 4, 4, 0, 9) == 1);
  CHECK(chunk_of_gapped_rows(7, 4, 4, 8, 8) == 1);  // the array begins in the middle of a word
  CHECK(chunk_of_gapped_rows(9, 4, 4, 0, 8) == 1);
  CHECK(chunk_of_gapped_rows(7, 8, 8, 0, 8) == 2);   // of doubles
  CHECK(chunk_of_gapped_rows(9, 2, 4, 0, 16) == 4);  // what is summed as floats has 16 bytes in four
  CHECK(chunk_of_gapped_rows(9, 2, 4, 0, 12) == 1);
  float* const none = nullptr;
  CHECK(chunk_of<true>(wide(none, 10, 1, 7, 8)) == 4);
  CHECK(chunk_of(wide(none, 10, 1, 7, 8)) == 1);
  CHECK(chunk_of<true>(wide(none, 10, 3, 5, 16)) == 4);  // heads are part of the axis
  CHECK(chunk_of<true>(wide(none, 10, 4, 2)) == 4);
  CHECK(chunk_of<true>(wide(none, 1, 1, 7, 8)) == 1);  // nobody says that a single row has a gap
  CHECK(chunk_of<true>(wide(none, 10, 1, 8)) == 8);
}

TEST_CASE("shapes: gaps are written where they are padding", "[program]") {
  using edgewise::detail::chunk_of_written;
  float* const none = nullptr;
  CHECK(chunk_of_written<true>(padded(wide(none, 10, 1, 7, 8))) == 4);
  CHECK(chunk_of_written<true>(wide(none, 10, 1, 7, 8)) == 1);
  CHECK(chunk_of_written<false>(padded(wide(none, 10, 1, 7, 8))) == 1);  // by a pass that reads none
  CHECK(chunk_of_written<true>(padded(wide(none, 10, 1, 7))) == 1);
  CHECK(chunk_of_written<true>(wide(none, 10, 1, 8)) == 8);
}

TEST_CASE("shapes: padding that is another operand's is refused", "[program]") {
  fixture f;
  auto const in = bindings(bind<h>(wide(f.data, 3, 1, 3, 8)));
  auto const program = fuse(f.g, automatic{}, gather<sum>(src<h>));
  auto plan = program.plan(cpu{}, in);
  auto const run = [&](auto const& to) { plan.forward(cpu{}, in, out(to)); };
  CHECK_NOTHROW(run(padded(wide(f.data + 4, 2, 1, 3, 8))));
  auto const close = bindings(bind<h>(wide(f.data + 7, 3, 1, 1, 8)));  // where the gap of out is
  auto other = program.plan(cpu{}, close);
  CHECK_NOTHROW(other.forward(cpu{}, close, out(wide(f.data + 6, 2, 1, 1, 8))));
  auto const to = padded(wide(f.data + 4, 2, 1, 1, 8));
  REQUIRE(reinterpret_cast<std::uintptr_t>(to.data) % 16 == 0);
  CHECK_THAT(refusal([&] { other.forward(cpu{}, close, out(to)); }), Contains("out: overlaps, with padding, src<"));
}

TEST_CASE("shapes: gaps are read where passes read and write no rows but the caller's", "[program]") {
  fixture f;
  auto const in = bindings(bind<h>(f.features()));
  auto const weighted = bindings(bind<w>(f.weights()), bind<h>(f.features()));
  CHECK(keeps_no_rows(gather<sum>(src<h>), in));
  CHECK(keeps_no_rows(gather<sum>(edge<w> * src<h>), weighted));
  CHECK(keeps_no_rows(gather<sum>(relu(src<h>) + dst<h>), in));
  CHECK_FALSE(keeps_no_rows(gather<mean>(src<h>), in));
  CHECK_FALSE(keeps_no_rows(gather<max>(src<h>), in));
  CHECK_FALSE(keeps_no_rows(gather<prod>(src<h>), in));
  CHECK_FALSE(keeps_no_rows(gather<stddev>(src<h>), in));
  CHECK_FALSE(keeps_no_rows(relu(gather<sum>(src<h>)), in));
  CHECK_FALSE(keeps_no_rows(gather<sum>(src<h>) + gather<sum>(edge<w> * src<h>), weighted));
  CHECK_FALSE(keeps_no_rows(concat(gather<sum>(src<h>), gather<max>(src<h>)), in));
  CHECK_FALSE(keeps_no_rows(gather<sum>(softmax(dot(src<h>, dst<h>)) * src<h>), in));
  CHECK_FALSE(keeps_no_rows(gather<compensated>(src<h>), in));  // slots have room for 16 bytes more
}

TEST_CASE("shapes: two dropouts of one program take streams of their own, however many there are", "[program]") {
  random_state state[2] = {};
  edgewise::detail::stream_checker<20> streams;
  auto const name = +[] { return std::string("another"); };
  for (int stream = 0; stream < 19; ++stream) {
    streams.add(
        random_numbers(&state[0], stream), +[] { return std::string("one"); });
  }
  CHECK_NOTHROW(streams.add(random_numbers(&state[1], 18), name));
  CHECK_NOTHROW(streams.add(no_dropout(), name));
  CHECK_THAT(refusal([&] { streams.add(random_numbers(&state[0], 18), name); }),
             Catch::Contains("another: is bound to stream 18 of its random state, as is one"));
  CHECK_THAT(refusal([&] { streams.add(random_numbers(nullptr, 30), name); }), Catch::Contains("null pointer"));
}
