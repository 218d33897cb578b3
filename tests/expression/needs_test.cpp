// What a backward pass loads is decided by types: these are checks of the compiler's, not of a run.
#include <edgewise/program/needs.hpp>

#include "support/catch.hpp"

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/functor.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/prod.hpp>
#include <edgewise/gather/sum.hpp>
#include <edgewise/program/lower.hpp>

#include "functors.hpp"
#include "names.hpp"

namespace ew = edgewise;
using namespace ew::testing;
using ew::dst;
using ew::edge;
using ew::gather;
using ew::leaf;
using ew::role;
using ew::src;
using ew::type_list;

namespace {

using source_h = leaf<role::source, h>;
using destination_k = leaf<role::destination, k>;
using edge_w = leaf<role::edge, w>;
using destination_s = leaf<role::destination, s>;

/// Are two lists the same set, each leaf once?
template <class A, class B>
constexpr bool same_set = false;
template <class... A, class... B>
constexpr bool same_set<type_list<A...>, type_list<B...>> = sizeof...(A) == sizeof...(B) &&
                                                            (ew::contains_type<A, type_list<B...>> && ...) &&
                                                            (ew::contains_type<B, type_list<A...>> && ...);

/// Does pulling from the message `m` to Target read these leaves and no others?
template <class Target, class... Leaves, class Message>
consteval bool pull_reads(Message const&) {
  return same_set<typename ew::detail::pull_needs<Message, type_list<Target>>::type, type_list<Leaves...>>;
}

/// Does the backward pass of the program's only gather, asked for Target, load these leaves and no others?
template <class Target, class... Leaves, class Program>
consteval bool backward_loads(Program const& program) {
  auto const lowered = ew::detail::lower_program(program);
  using aggregation = std::remove_cvref_t<decltype(ew::get<0>(lowered.aggregations))>;
  return same_set<typename ew::detail::backward_needs<0, aggregation, type_list<Target>>::type, type_list<Leaves...>>;
}

template <class Field>
using field = leaf<role::destination, ew::detail::aggregation_field<0, Field>>;
using gradient = field<ew::gradient_field>;
using normalizer = field<ew::detail::normalizer_field>;
using inner = field<ew::detail::inner_field>;

// Linear messages read nothing; products read the other factor; a target's absence reads nothing at all.
static_assert(pull_reads<source_h>(src<h> + dst<k>));
static_assert(pull_reads<source_h>(-src<h> - 2 * dst<k>));
static_assert(pull_reads<source_h, edge_w>(edge<w> * src<h>));
static_assert(pull_reads<edge_w, source_h>(edge<w> * src<h>));
static_assert(pull_reads<destination_k>(edge<w> * src<h>));
static_assert(pull_reads<source_h>(3 * src<h>));
static_assert(pull_reads<source_h, source_h>(src<h> * src<h>));

// Quotients: the numerator's derivative reads the denominator, the denominator's reads both.
static_assert(pull_reads<source_h, destination_s>(src<h> / dst<s>));
static_assert(pull_reads<destination_s, source_h, destination_s>(src<h> / dst<s>));

// Needs of inner nodes join those of outer ones, through sums over channels too.
static_assert(pull_reads<source_h, edge_w>(edge<w> * (src<h> + dst<k>)));
static_assert(pull_reads<source_h, destination_k>(dot(src<h> + edge<w>, dst<k>)));
static_assert(pull_reads<edge_w, destination_k>(dot(src<h> + edge<w>, dst<k>)));
static_assert(pull_reads<source_h, edge_w, source_h>(edge<w> * relu(src<h>)));
static_assert(pull_reads<edge_w, source_h>(edge<w> * relu(src<h>)));

// Of a functor everything is read, by default.
static_assert(pull_reads<source_h, source_h, edge_w>(ew::apply(gate{}, src<h>, edge<w>)));
static_assert(pull_reads<source_h, source_h, edge_w, destination_k>(dst<k> * ew::apply(gate{}, src<h>, edge<w>)));
static_assert(pull_reads<destination_k, source_h, edge_w>(dst<k> * ew::apply(gate{}, src<h>, edge<w>)));

// Reduce aggregations: what the gather offers, and what the message's derivative reads.
static_assert(backward_loads<source_h, gradient, edge_w>(gather<ew::sum>(edge<w> * src<h>)));
static_assert(backward_loads<source_h, gradient>(gather<ew::sum>(src<h>)));
static_assert(backward_loads<destination_k>(gather<ew::sum>(edge<w> * src<h>)));
static_assert(backward_loads<source_h, field<ew::prepared_field<0>>>(gather<ew::mean>(src<h>)));
static_assert(backward_loads<source_h, gradient, field<ew::saved_field<0>>, edge_w>(gather<ew::max>(edge<w> * src<h>)));
static_assert(backward_loads<source_h, field<ew::prepared_field<0>>, field<ew::saved_field<1>>, edge_w, source_h>(
    gather<ew::prod>(edge<w> * src<h>)));

// Softmax aggregations: scores again where the value is asked for, and everything where a score is.
constexpr auto attention = gather<ew::sum>(softmax(leaky_relu(edge<w> + dst<s>)) * src<h>);
static_assert(backward_loads<source_h, gradient, normalizer, edge_w, destination_s>(attention));
static_assert(backward_loads<edge_w, gradient, normalizer, inner, edge_w, destination_s, source_h>(attention));
static_assert(backward_loads<destination_k>(attention));

}  // namespace

TEST_CASE("needs: the epilogue does not change what a traversal loads", "[expression]") {
  auto const plain = gather<ew::sum>(edge<w> * src<h>);
  static_assert(backward_loads<source_h, gradient, edge_w>(relu(plain) * dst<s>));
  auto const lowered = ew::detail::lower_program(relu(plain) * dst<s>);
  CHECK(decltype(lowered)::num_aggregations == 1);
}

TEST_CASE("needs: aggregations of one program are asked together", "[expression]") {
  auto const lowered = ew::detail::lower_program(gather<ew::sum>(edge<w> * src<h>) + gather<ew::max>(src<h> * dst<k>));
  using program = std::remove_const_t<decltype(lowered)>;
  using second_gradient = leaf<role::destination, ew::detail::aggregation_field<1, ew::gradient_field>>;
  using second_argument = leaf<role::destination, ew::detail::aggregation_field<1, ew::saved_field<0>>>;
  using needs =
      typename ew::detail::all_backward_needs<typename program::aggregation_types, type_list<source_h>,
                                              std::make_integer_sequence<int, program::num_aggregations>>::type;
  static_assert(same_set<needs, type_list<gradient, edge_w, second_gradient, second_argument, destination_k>>);
  CHECK(needs::size == 5);
}
