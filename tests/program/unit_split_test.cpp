// Where programs are split: compiling is most of the test.
#include <string>
#include <type_traits>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

namespace edgewise {
namespace {

struct h;
struct w;
struct s;
struct b;

template <class E>
using units_of = std::remove_cvref_t<decltype(detail::lower_units<recompute>(std::declval<E>()))>;
template <class E>
consteval int count_units() {
  if constexpr (detail::is_unit_program<units_of<E>>) return units_of<E>::num_units;
  return 1;
}
/// Aggregations of unit K.
template <int K, class E>
inline constexpr int aggregations_of_unit = type_at<K, typename units_of<E>::unit_types>::num_aggregations;

// No value of a gather along edges: one traversal, whatever lies above it.
constexpr auto plain = tanh(gather<sum>(edge<w> * src<h>) + dst<h>) * gather<mean>(src<h>);
static_assert(count_units<decltype(plain)>() == 1);
// Above gathers the destination's value is the value.
constexpr auto of_itself = at_destination(gather<sum>(src<h>)) + dst<h>;
static_assert(count_units<decltype(of_itself)>() == 1);
static_assert(std::is_same_v<units_of<decltype(of_itself)>, units_of<decltype(gather<sum>(src<h>) + dst<h>)>>);

// A hop is a unit, each one more.
constexpr auto hop = [](auto const& x) { return gather<sum>(edge<w> * x); };
static_assert(count_units<decltype(hop(at_source(hop(src<h>))))>() == 2);
static_assert(count_units<decltype(hop(at_source(hop(at_source(hop(src<h>))))))>() == 3);
// One value is one unit, wherever it is read.
constexpr auto both_ends =
    gather<sum>(at_source(hop(src<h>)) - at_destination(hop(src<h>))) + hop(at_source(hop(src<h>)));
static_assert(count_units<decltype(both_ends)>() == 2 && aggregations_of_unit<1, decltype(both_ends)> == 2);
// With constants in it the type does not say all: what is written twice is computed twice.
constexpr auto with_constants = gather<sum>(at_source(hop(src<h>) * 2) - at_destination(hop(src<h>) * 2));
static_assert(count_units<decltype(with_constants)>() == 3);

// What divides all messages of a sum or mean divides the sum: one traversal of two gathers.
constexpr auto divided = gather<sum>(edge<w> / over_row<sum>(edge<w>) * src<h>);
static_assert(count_units<decltype(divided)>() == 1 && units_of<decltype(divided)>::num_aggregations == 2);
static_assert(count_units<decltype(gather<mean>(src<h> / (over_row<sum>(edge<w>) + param<b>)))>() == 1);
// One divisor alone, so that each other one stays with the factor that it belongs to.
constexpr auto divided_twice = gather<sum>(edge<w> / over_row<sum>(edge<w>) * src<h> / over_row<mean>(edge<s>));
static_assert(count_units<decltype(divided_twice)>() == 2);
// A maximum is not linear, and neither is an exponential.
static_assert(count_units<decltype(gather<max>(src<h> / over_row<sum>(edge<w>)))>() == 2);
static_assert(count_units<decltype(gather<sum>(exp(src<h> / over_row<sum>(edge<w>))))>() == 2);
static_assert(count_units<decltype(gather<sum>(src<h> / at_source(gather<sum>(edge<w>))))>() == 2);
// A softmax by its definition: the maximum is a unit, both sums are one.
constexpr auto weight = exp(edge<s> - over_row<max>(edge<s>));
constexpr auto softmax_by_hand = gather<sum>(weight / over_row<sum>(weight) * src<h>);
static_assert(count_units<decltype(softmax_by_hand)>() == 2 && aggregations_of_unit<1, decltype(softmax_by_hand)> == 2);

// What holds numbers is one unit for each reader, unless a name says that it is one; the vertex itself reads it, too.
struct layer;
template <class E>
constexpr auto attend_to(E const& hidden) {
  return gather<sum>(softmax(dot(at_source(hidden), at_destination(hidden))) * src<h>) + hidden;
}
constexpr auto slope = leaky_relu(hop(src<h>), 0.2);
static_assert(count_units<decltype(attend_to(slope))>() == 3);
static_assert(count_units<decltype(attend_to(named<layer>(slope)))>() == 2);
static_assert(aggregations_of_unit<2, decltype(attend_to(slope))> == 2);
static_assert(aggregations_of_unit<1, decltype(attend_to(named<layer>(slope)))> == 1);

// A name within a value says nothing of the value's other numbers.
constexpr auto hop_of(double k) { return hop(at_source(tanh(gather<sum>(named<layer>(edge<w>) * src<h> * k)))); }
static_assert(count_units<decltype(hop_of(1) + hop_of(2))>() == 3);

// A scatter has its values from units before it.
static_assert(count_units<decltype(scatter(edge<w> / over_row<sum>(edge<w>)))>() == 2);

TEST_CASE("explain lists the units of a program", "[program]") {
  csr<> const rows;
  float x = 0;
  auto const in = bindings(bind<h>(wide(&x, 0, 4)), bind<w>(per_row(&x, 0)));
  auto const plan = fuse(graph{rows}, automatic{}, hop(at_source(tanh(hop(src<h>))))).plan(cpu{}, in);
  std::string const text = plan.explain();
  CAPTURE(text);
  CHECK_THAT(text, Catch::Contains("2 units, 1 values of vertices between them") &&
                       Catch::Contains("unit 0, whose value is kept, 16 bytes a vertex") &&
                       Catch::Contains("epilogue: tanh(gather0)") && Catch::Contains("gather<sum>(edge<w> * unit 0)"));
}

TEST_CASE("a hop needs vertices that are sources and destinations", "[program]") {
  std::vector<int> const offsets{0, 1}, neighbors{1};
  auto const rows = make_csr({.sources = 2, .destinations = 1}, offsets, neighbors);
  float x[8] = {};
  auto const in = bindings(bind<h>(wide(x, 2, 4)), bind<w>(per_row(x, 1)));
  auto const kernel = fuse(graph{rows}, automatic{}, hop(at_source(hop(src<h>))));
  CHECK_THROWS_WITH(kernel.plan(cpu{}, in), Catch::Contains("at_source: needs as many sources as destinations"));
}

}  // namespace
}  // namespace edgewise
