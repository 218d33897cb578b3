#include <edgewise/kernel/joined_sum.hpp>

#include <edgewise/kernel/holding.hpp>
#include <edgewise/kernel/host_geometry.hpp>
#include <edgewise/udf/activation.hpp>

#include "program/attention_cases.hpp"
#include "support/catch.hpp"

using namespace edgewise;
using namespace edgewise::testing;
using edgewise::detail::takes_one_sum;

namespace {

template <class Read, class... Held>
struct fake_environment {
  using held = type_list<Held...>;
  using read = Read;
};
using everything = fake_environment<void>;

template <class E>
using of = std::remove_const_t<E>;
constexpr auto product = dot(dst<q>, src<k>);
constexpr auto scaled = product * 0.5;
constexpr auto through_kink = dot(param<a>, leaky_relu(dst<l> + src<r>, 0.2));
constexpr auto two = scaled + dot(dst<q>, src<v>);
constexpr auto nested = dot(dst<q>, src<k>* product);

}  // namespace

TEST_CASE("takes_one_sum: one sum over lanes, wherever it is", "[kernel]") {
  STATIC_REQUIRE(takes_one_sum<of<decltype(product)>, everything>);
  STATIC_REQUIRE(takes_one_sum<of<decltype(scaled)>, everything>);
  STATIC_REQUIRE(takes_one_sum<of<decltype(through_kink)>, everything>);
  STATIC_REQUIRE(!takes_one_sum<of<decltype(two)>, everything>);
  STATIC_REQUIRE(!takes_one_sum<of<decltype(nested)>, everything>);
  STATIC_REQUIRE(!takes_one_sum<of<decltype(src<el> + dst<er>)>, everything>);
}

TEST_CASE("takes_one_sum: not where the sum is held, is part of what is held, or nobody reads it", "[kernel]") {
  STATIC_REQUIRE(!takes_one_sum<of<decltype(scaled)>, fake_environment<void, of<decltype(product)>>>);
  STATIC_REQUIRE(!takes_one_sum<of<decltype(scaled)>, fake_environment<void, of<decltype(scaled)>>>);
  STATIC_REQUIRE(takes_one_sum<of<decltype(scaled)>, fake_environment<void, of<decltype(through_kink)>>>);
  using kink = of<decltype(leaky_relu(dst<l> + src<r>, 0.2))>;  // below the sum, which is taken all the same
  STATIC_REQUIRE(takes_one_sum<of<decltype(through_kink)>, fake_environment<void, kink>>);
  using factors = type_list<of<decltype(dst<q>)>, of<decltype(src<k>)>>;
  STATIC_REQUIRE(takes_one_sum<of<decltype(scaled)>, fake_environment<factors>>);
  STATIC_REQUIRE(!takes_one_sum<of<decltype(scaled)>, fake_environment<type_list<of<decltype(dst<q>)>>>>);
}
