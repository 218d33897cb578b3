// Roles by Seastar's four rules and what follows from them, all known at compile time.
#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>
#include <edgewise/program/hoisted.hpp>

using namespace edgewise;
using namespace edgewise::detail;

namespace {

struct d;
struct s;
struct w;
struct p;
struct drop;

// Rule 1: a leaf has the role that it is read in. Rule 4: parameters and constants fit in with anything.
constexpr auto of_parameter = exp(param<p> * 2.0) + param<p>;
constexpr auto of_destination = exp(dst<d>) * param<p> + dst<s> / 2.0;
constexpr auto of_source = dot(src<d>, src<s> - param<p>);
// Rules 2 and 3: one endpoint alone keeps its role; two endpoints, or an edge's operand, make an edge's value.
constexpr auto of_both = src<s> + dst<s>;
constexpr auto of_edge = exp(edge<w>) * param<p>;
constexpr auto above_both = tanh(of_both) * param<p>;
// A type fits in with itself and parameters alone.
constexpr auto of_type = exp(relation<w>) * relation<p> + param<p>;
constexpr auto of_type_and_source = relation<w> * src<s>;

template <class E>
inline constexpr role found = role_of_expression<std::remove_cvref_t<E>>;
static_assert(found<decltype(param<p>)> == role::parameter);
static_assert(found<decltype(of_parameter)> == role::parameter);
static_assert(found<decltype(of_destination)> == role::destination);
static_assert(found<decltype(of_source)> == role::source);
static_assert(found<decltype(of_both)> == role::edge);
static_assert(found<decltype(of_edge)> == role::edge);
static_assert(found<decltype(above_both)> == role::edge);
static_assert(found<decltype(of_type)> == role::relation);
static_assert(found<decltype(of_type_and_source)> == role::edge);
static_assert(found<decltype(gather<sum>(src<s>))> == role::destination);
static_assert(found<decltype(relu(gather<sum>(src<s>) + param<p>))> == role::destination);

template <class E>
using plain = std::remove_cvref_t<E>;

// A mask decides with its owner: an edge's in a message, a row's above gathers, whatever is dropped.
static_assert(found<decltype(dropout<drop>(param<p>, 0.5))> == role::edge);
static_assert(found<decltype(dropout<drop>(dst<d>, 0.5))> == role::edge);
static_assert(found<decltype(dropout<drop>(dst<d>, 0.5) * dst<d>)> == role::edge);
template <class E>
using epilogue_of = typename plain<decltype(lower_program(std::declval<E>()))>::epilogue_type;
static_assert(found<epilogue_of<decltype(dropout<drop>(gather<sum>(src<s>), 0.5))>> == role::destination);
static_assert(found<epilogue_of<decltype(gather<sum>(src<s>) + dropout<drop>(param<p>, 0.5))>> == role::destination);

// A maximal expression is held for its duration: not the sums below it, which nothing else reads.
constexpr auto message = (exp(dst<d>) + dst<d>)*src<s> * tanh(param<p>) + tanh(exp(dst<d>) + dst<d>) * edge<w>;
using by_destination = hoisted_expressions<type_list<plain<decltype(message)>>, role::destination>;
static_assert(std::is_same_v<by_destination::of<duration::launch>, type_list<plain<decltype(tanh(param<p>))>>>);
static_assert(
    std::is_same_v<by_destination::of<duration::row>,
                   type_list<plain<decltype(exp(dst<d>) + dst<d>)>, plain<decltype(tanh(exp(dst<d>) + dst<d>))>>>);
static_assert(by_destination::of<duration::block>::size == 0);
// By source the same expressions change with every edge: only what occurs twice is held.
using by_source = hoisted_expressions<type_list<plain<decltype(message)>>, role::source>;
static_assert(by_source::of<duration::row>::size == 0);
static_assert(std::is_same_v<by_source::of<duration::block>, type_list<plain<decltype(exp(dst<d>) + dst<d>)>>>);

// What a mask drops is held, what it leaves is the edge's; dropouts written twice are two.
template <class Program, role Fixed>
using hoisted_along_edges =
    hoisted_expressions<typename roots_of_aggregations<
                            typename plain<decltype(lower_program(std::declval<Program>()))>::aggregation_types>::type,
                        Fixed>;
using masked_row = decltype(gather<sum>(dropout<drop>(tanh(dst<d>), 0.5) * dropout<drop>(exp(param<p>), 0.5) * src<s>));
using masked_by_destination = hoisted_along_edges<masked_row, role::destination>;
static_assert(std::is_same_v<masked_by_destination::of<duration::row>, type_list<plain<decltype(tanh(dst<d>))>>>);
static_assert(std::is_same_v<masked_by_destination::of<duration::launch>, type_list<plain<decltype(exp(param<p>))>>>);
static_assert(masked_by_destination::of<duration::block>::size == 0);
using masked_twice = decltype(gather<sum>(dropout<drop>(tanh(src<s>), 0.5) + dropout<drop>(tanh(src<s>), 0.25)));
static_assert(std::is_same_v<hoisted_along_edges<masked_twice, role::destination>::of<duration::block>,
                             type_list<plain<decltype(tanh(src<s>))>>>);

// What the measured kernels compute holds nothing: their code is as if there were no hoisting.
template <class Program>
consteval bool holds_nothing() {
  using lowered = std::remove_cvref_t<decltype(lower_program(std::declval<Program>()))>;
  using roots = typename roots_of_aggregations<typename lowered::aggregation_types>::type;
  using forward = hoisted_expressions<roots, role::destination>;
  using backward = hoisted_expressions<roots, role::source>;
  return forward::template of<duration::launch>::size + forward::template of<duration::row>::size +
             forward::template of<duration::block>::size + backward::template of<duration::row>::size +
             backward::template of<duration::block>::size ==
         0;
}
static_assert(holds_nothing<decltype(gather<sum>(edge<w> * src<s>))>());
static_assert(holds_nothing<decltype(gather<sum>(softmax(leaky_relu(src<w> + dst<w>, 0.2)) * src<s>))>());
static_assert(holds_nothing<decltype(gather<sum>(softmax(dot(src<d>, dst<w>) * 0.125) * src<s>))>());
static_assert(holds_nothing<decltype(gather<sum>(softmax(dot(leaky_relu(src<s> + dst<d>), param<p>)) * src<s>))>());

// Traversals of a backward pass: edge and parameter gradients ride on one that runs anyway.
struct gradients {
  using view = operand_view<float, operand_kind::per_row>;
  template <class Name>
  using grad_of = gradient_request<every_role<Name>, view, false>;
  template <class L>
  using bound = bound_leaf<L, operand_kind::per_row, float const>;
  template <class Program, class... Name>
  static consteval int count_traversals() {
    using lowered = std::remove_cvref_t<decltype(lower_program(std::declval<Program>()))>;
    using table = type_list<bound<leaf<role::source, s>>, bound<leaf<role::destination, d>>, bound<leaf<role::edge, w>>,
                            bound<leaf<role::parameter, p>>>;
    using plan = gradient_plan<lowered, table, grad_of<Name>...>;
    return (plan::runs_destination ? 1 : 0) + (plan::runs_source ? 1 : 0);
  }
};
using everything = decltype(gather<sum>(src<s> * edge<w> * param<p> + dst<d>));
static_assert(gradients::count_traversals<everything, s>() == 1);
static_assert(gradients::count_traversals<everything, w>() == 1);
static_assert(gradients::count_traversals<everything, s, w>() == 1);
static_assert(gradients::count_traversals<everything, s, w, p>() == 1);
static_assert(gradients::count_traversals<everything, d, w, p>() == 1);
static_assert(gradients::count_traversals<everything, s, d>() == 2);
static_assert(gradients::count_traversals<everything, s, d, w, p>() == 2);

}  // namespace

TEST_CASE("roles: equal gathers are one aggregation, told apart by operations, operands and numbers", "[program]") {
  auto const num_aggregations = [](auto const& program) { return decltype(lower_program(program))::num_aggregations; };
  constexpr auto collected = gather<sum>(tanh(src<s>) * edge<w>);
  CHECK(num_aggregations(collected * exp(collected)) == 1);
  CHECK(num_aggregations(collected * exp(collected) + gather<max>(tanh(src<s>) * edge<w>) * collected) == 2);
  CHECK(num_aggregations(gather<sum>(2.0 * src<s>) * gather<sum>(3.0 * src<s>)) == 2);
  CHECK(num_aggregations(gather<sum>(with_self(src<s>)) * gather<sum>(src<s>)) == 2);
  CHECK(num_aggregations(gather<sum>(softmax(src<s>) * src<d>) * gather<sum>(softmax(src<s>) * src<d>)) == 1);
  CHECK(num_aggregations(gather<sum>(softmax(src<s>)) + gather<sum>(softmax(src<s>))) == 1);
  // A type does not tell probabilities apart, so dropouts are equal to themselves alone.
  CHECK(num_aggregations(gather<sum>(dropout<drop>(src<s>, 0.5)) * gather<sum>(dropout<drop>(src<s>, 0.25))) == 2);
  CHECK(num_aggregations(gather<sum>(dropout<drop>(softmax(src<s>), 0.5) * src<d>) *
                         gather<sum>(dropout<drop>(softmax(src<s>), 0.25) * src<d>)) == 2);
  CHECK(num_aggregations(dropout<drop>(collected, 0.5) * collected) == 1);
  // A name says that the numbers are the same ones.
  auto const dropped = named<struct dropped_name>(gather<sum>(dropout<drop>(src<s>, 0.5)));
  CHECK(num_aggregations(dropped * exp(dropped)) == 1);
  CHECK(num_aggregations(collected * dropped + dropped) == 2);
  CHECK(num_aggregations(named<struct outer>(tanh(dropped)) + dropped) == 1);
  CHECK(num_aggregations(dropped + named<struct outer>(tanh(dropped)) * named<struct outer>(tanh(dropped))) == 1);
  CHECK(num_aggregations(dropped * named<struct outer>(gather<sum>(dropout<drop>(src<s>, 0.5)))) == 2);
}

TEST_CASE("roles: the value of a fused program of constants is a constant", "[program]") {
  auto const lowered = lower_program(gather<sum>(src<s> * exp(constant{0.0} + 1.0) * (constant{3.0} - 1.0)));
  using message = plain<decltype(get<0>(lowered.aggregations).message)>;
  static_assert(hoisted_expressions<type_list<message>, role::destination>::all::size ==
                2);  // two products, no exp, no sums
  CHECK(get<1>(get<0>(lowered.aggregations).message.args).number.in_double == 2);
}
