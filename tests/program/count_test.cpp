// Counts what kernels do: loads of operands, evaluations and derivatives of operations, by role, in both passes.
#include "support/catch.hpp"

#include <vector>

#include "support/counted.hpp"  // before the library, for its accumulator

#include <edgewise/edgewise.hpp>

#include "support/test_graph.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

struct d;
struct s;
struct t;
struct w;
struct p;
struct drop;
struct drop_rows;

/// Destinations 0, 2 and 5 have no edge, source 3 has none.
test_graph const& sample() {
  static test_graph const graph =
      make_test_graph("sample", 4, 6, {{0, 1}, {1, 1}, {2, 1}, {0, 3}, {0, 3}, {2, 4}, {1, 4}, {1, 1}, {2, 3}});
  return graph;
}
constexpr long num_edges = 9, num_destinations = 6, num_sources = 4;
/// Parameters' gradients are summed over ranges of rows, each pulled by itself.
constexpr long num_ranges = edgewise::detail::engine<cpu>::num_ranges;

enum tag { made, of_d, of_s, of_t, of_w, of_p, of_gradient };

std::vector<counted_number> numbers(long count, tag name) {
  std::vector<counted_number> values;
  for (long i = 0; i < count; ++i) values.emplace_back(0.25f + 0.125f * static_cast<float>(i % 7), name);
  return values;
}

struct arrays {
  std::vector<counted_number> d = numbers(num_destinations, of_d), s = numbers(num_sources, of_s),
                              t = numbers(num_sources, of_t), w = numbers(num_edges, of_w), p = numbers(1, of_p),
                              gradient = numbers(num_destinations, of_gradient),
                              out = std::vector<counted_number>(num_destinations);
  std::vector<counted_number> dd = d, ds = s, dt = t, dw = w, dp = p;
};

void reset_all() {
  counted_number::reset();
  counted_square<0>::reset();
  counted_square<1>::reset();
  counted_square<2>::reset();
  counted_square<3>::reset();
}
/// Calls of functor I since the last reset.
template <int I>
struct calls {
  long values = counted_square<I>::values;
  long pulls = counted_square<I>::pulls;
};

/// A program on the sample graph with one thread: forward counts first, then those of a backward pass.
template <class Program, class In>
class counting_run {
  using graph_type = decltype(graph{csr_view<int, int>{}, csc_view<int, int>{}});
  using plan_type =
      decltype(fuse(std::declval<graph_type>(), automatic{}, std::declval<Program>()).plan(cpu{}, std::declval<In>()));

public:
  counting_run(arrays& on, Program const& program, In const& in)
      : on_(on),
        in_(in),
        plan_(fuse(graph{sample().csr_of(sample().by_destination), sample().csc_of(sample().by_source)}, automatic{},
                   program)
                  .plan(exec_, in)),
        saved_(plan_.make_saved(exec_)) {
    reset_all();
    plan_.forward(exec_, in_, out(per_row(on_.out.data(), num_destinations)), saved_);
  }
  template <class... Request>
  void backward(Request const&... requests) {
    reset_all();
    plan_.backward(exec_, in_, saved_,
                   grad_out(per_row(static_cast<counted_number const*>(on_.gradient.data()), num_destinations)),
                   requests...);
  }
  std::string explain() const { return plan_.explain(); }

private:
  cpu exec_{.threads = 1};
  arrays& on_;
  In in_;
  plan_type plan_;
  typename plan_type::saved_type saved_;
};

template <class Name>
auto bind_to(std::vector<counted_number> const& values) {
  return bind<Name>(per_row(values.data(), static_cast<std::int64_t>(values.size())));
}
template <class Name>
auto grad_to(std::vector<counted_number>& values) {
  return grad<Name>(per_row(values.data(), static_cast<std::int64_t>(values.size())));
}

/// f<I>(x): functor I.
template <int I, class A>
constexpr auto f(A const& a) {
  return apply(counted_square<I>{}, a);
}

long loads(tag name) { return counted_number::loads[name]; }

}  // namespace

TEST_CASE("counts: destinations once a row, parameters once a launch, edges once however often they occur",
          "[program]") {
  arrays on;
  constexpr auto on_edge = f<2>(src<s> * edge<w>);
  counting_run run(on, gather<sum>(f<0>(dst<d>) * src<s> + f<1>(param<p>) * on_edge + on_edge + f<0>(dst<d>)),
                   bindings(bind_to<d>(on.d), bind_to<s>(on.s), bind_to<w>(on.w), bind_to<p>(on.p)));

  SECTION("forward") {
    CHECK(calls<0>{}.values == num_destinations);
    CHECK(calls<1>{}.values == 1);
    CHECK(calls<2>{}.values == num_edges);
    CHECK(loads(of_d) == num_destinations);
    CHECK(loads(of_s) == num_edges);
    CHECK(loads(of_w) == num_edges);
    CHECK(loads(of_p) == 1);
  }
  SECTION("backward by destination") {
    run.backward(grad_to<d>(on.dd), grad_to<w>(on.dw), grad_to<p>(on.dp));
    CHECK(calls<0>{}.values == num_destinations);
    CHECK(calls<0>{}.pulls == num_destinations);
    CHECK(calls<1>{}.values == 1);
    CHECK(calls<1>{}.pulls == num_ranges);
    CHECK(calls<2>{}.values == num_edges);
    CHECK(calls<2>{}.pulls == num_edges);
    CHECK(loads(of_d) == num_destinations);
    CHECK(loads(of_s) == num_edges);
    CHECK(loads(of_w) == num_edges);
    CHECK(loads(of_p) == 1);
    CHECK(loads(of_gradient) == num_destinations);
  }
  SECTION("backward by source") {
    run.backward(grad_to<s>(on.ds));
    CHECK(calls<0>{}.values == num_edges);  // the destination is another one with every edge
    CHECK(calls<0>{}.pulls == 0);
    CHECK(calls<1>{}.values == 1);
    CHECK(calls<1>{}.pulls == 0);
    CHECK(calls<2>{}.values == num_edges);
    CHECK(calls<2>{}.pulls == num_edges);
    CHECK(loads(of_s) == num_sources);
    CHECK(loads(of_d) == num_edges);
    CHECK(loads(of_w) == num_edges);
    CHECK(loads(of_p) == 1);
    CHECK(loads(of_gradient) == num_edges);
  }
}

TEST_CASE("counts: sources once a row where rows are sources", "[program]") {
  arrays on;
  counting_run run(on, gather<sum>(f<0>(src<s> * f<1>(param<p>)) * edge<w>),
                   bindings(bind_to<s>(on.s), bind_to<w>(on.w), bind_to<p>(on.p)));
  CHECK(calls<0>{}.values == num_edges);
  run.backward(grad_to<s>(on.ds), grad_to<p>(on.dp));  // one traversal, by source
  CHECK(calls<0>{}.values == num_sources);
  CHECK(calls<0>{}.pulls == num_sources);
  CHECK(calls<1>{}.values == 1);
  CHECK(calls<1>{}.pulls == num_ranges);
  CHECK(loads(of_s) == num_sources);
  CHECK(loads(of_w) == num_edges);
}

TEST_CASE("counts: attention with projections by functors", "[program]") {
  arrays on;
  counting_run run(on, gather<sum>(softmax(f<0>(dst<d>) * f<1>(src<s>)) * f<2>(src<t>)),
                   bindings(bind_to<d>(on.d), bind_to<s>(on.s), bind_to<t>(on.t)));
  SECTION("forward") {
    CHECK(calls<0>{}.values == num_destinations);
    CHECK(calls<1>{}.values == num_edges);
    CHECK(calls<2>{}.values == num_edges);
  }
  SECTION("backward") {
    run.backward(grad_to<d>(on.dd));
    CHECK(calls<0>{}.values == num_destinations);
    CHECK(calls<0>{}.pulls == num_destinations);
    run.backward(grad_to<s>(on.ds), grad_to<t>(on.dt));
    CHECK(calls<0>{}.values == num_edges);
    CHECK(calls<1>{}.values == num_sources);
    CHECK(calls<1>{}.pulls == num_sources);
    CHECK(calls<2>{}.values == num_sources);
    CHECK(calls<2>{}.pulls == num_sources);
    CHECK(loads(of_s) == num_sources);
    CHECK(loads(of_t) == num_sources);
    CHECK(loads(of_d) == num_edges);
  }
}

TEST_CASE("counts: several gathers of one message, self edges and the epilogue share", "[program]") {
  arrays on;
  constexpr auto message = f<0>(dst<d>) * f<1>(edge<w>);
  constexpr auto collected = gather<sum>(message) + gather<max>(message);
  counting_run run(on, f<2>(collected) * (f<2>(collected) + f<0>(dst<d>)) * f<3>(param<p>),
                   bindings(bind_to<d>(on.d), bind_to<w>(on.w), bind_to<p>(on.p)));
  SECTION("forward") {
    CHECK(calls<0>{}.values == num_destinations);  // for the edges and for the epilogue
    CHECK(calls<1>{}.values == num_edges);
    CHECK(calls<2>{}.values == num_destinations);
    CHECK(calls<3>{}.values == 1);
    CHECK(loads(of_d) == num_destinations);
    CHECK(loads(of_w) == num_edges);
    CHECK(loads(of_p) == 1);
  }
  SECTION("backward") {
    run.backward(grad_to<d>(on.dd), grad_to<w>(on.dw), grad_to<p>(on.dp));
    // Two launches: the vertex stage and the traversal by destination.
    CHECK(calls<0>{}.values == 2 * num_destinations);
    CHECK(calls<0>{}.pulls == 2 * num_destinations);
    CHECK(calls<1>{}.values == num_edges);
    CHECK(calls<1>{}.pulls == num_edges);
    CHECK(calls<2>{}.values == num_destinations);
    CHECK(calls<2>{}.pulls == num_destinations);
    CHECK(calls<3>{}.values == 1);
    CHECK(calls<3>{}.pulls == num_ranges);
  }
}

TEST_CASE("counts: operations of constants are evaluated when a program is fused", "[program]") {
  arrays on;
  reset_all();
  auto const two = f<0>(constant{1.5}) - f<0>(constant{0.5});
  counting_run run(on, gather<sum>(two * src<s> + f<1>(two * param<p>)) * f<0>(constant{3.0}),
                   bindings(bind_to<s>(on.s), bind_to<p>(on.p)));
  CHECK(calls<0>{}.values == 0);
  CHECK(calls<1>{}.values == 1);
  run.backward(grad_to<s>(on.ds), grad_to<p>(on.dp));
  CHECK(calls<0>{}.values == 0);
  CHECK(on.ds[3].value == 0);
  CHECK(on.ds[1].value ==
        Approx(9 * 2 * (2 * on.gradient[1].value + on.gradient[4].value)));  // source 1 has edges to 1, 4 and 1
}

TEST_CASE("counts: expressions of one type but other numbers are not taken for one", "[program]") {
  arrays on;
  counting_run run(on, gather<sum>(f<0>(0.5 * dst<d>) - f<0>(0.25 * dst<d>)), bindings(bind_to<d>(on.d)));
  CHECK(calls<0>{}.values == 2 * num_destinations);
  CHECK(on.out[1].value == Approx(4 * (0.25 - 0.0625) * on.d[1].value * on.d[1].value));
}

TEST_CASE("counts: what a mask drops is evaluated as often as without it", "[program]") {
  arrays on;
  random_state const state{7, 0};
  constexpr auto dropped = dropout<drop>(f<0>(dst<d>), 0.5) * dropout<drop>(f<1>(param<p>), 0.5);
  constexpr auto collected = gather<sum>(dropped * f<2>(src<s> * edge<w>) + f<2>(src<s> * edge<w>));
  counting_run run(on, dropout<drop_rows>(collected * f<3>(param<p>), 0.5) + f<0>(dst<d>),
                   bindings(bind_to<d>(on.d), bind_to<s>(on.s), bind_to<w>(on.w), bind_to<p>(on.p),
                            bind<drop>(random_numbers(&state)), bind<drop_rows>(random_numbers(&state, 1))));
  SECTION("forward") {
    CHECK(calls<0>{}.values == num_destinations);
    CHECK(calls<1>{}.values == 1);
    CHECK(calls<2>{}.values == num_edges);
    CHECK(calls<3>{}.values == 1);
    CHECK(loads(of_d) == num_destinations);
    CHECK(loads(of_s) == num_edges);
    CHECK(loads(of_w) == num_edges);
    CHECK(loads(of_p) == 1);
  }
  SECTION("backward") {
    run.backward(grad_to<d>(on.dd), grad_to<w>(on.dw), grad_to<p>(on.dp));
    // Two launches: the vertex stage, which pulls f<0> of the epilogue, and the traversal by destination.
    CHECK(calls<0>{}.values == 2 * num_destinations);
    CHECK(calls<0>{}.pulls == 2 * num_destinations);
    CHECK(calls<1>{}.values == 1);
    CHECK(calls<1>{}.pulls == num_ranges);
    CHECK(calls<2>{}.values == num_edges);
    CHECK(calls<2>{}.pulls == num_edges);
    CHECK(calls<3>{}.values == 1);
    CHECK(calls<3>{}.pulls == num_ranges);
  }
}

TEST_CASE("counts: explain names what is held", "[program]") {
  arrays on;
  constexpr auto on_edge = f<2>(src<s> * edge<w>);
  counting_run run(on, gather<sum>(tanh(dst<d>) * src<s> + exp(param<p> * 2) * on_edge + on_edge),
                   bindings(bind_to<d>(on.d), bind_to<s>(on.s), bind_to<w>(on.w), bind_to<p>(on.p)));
  auto const text = run.explain();
  CHECK_THAT(text, Catch::Contains("once a launch: exp(param<"));
  CHECK_THAT(text, Catch::Contains("once a row: tanh(dst<"));
  CHECK_THAT(text, Catch::Contains("once an edge, read more than once: functor(src<"));
  // tanh and exp do not count; src * edge, the functor (8) once, two products, two sums, the fold.
  CHECK_THAT(text, Catch::Contains(", 14 flops"));
}
