#include <edgewise/pass/paired_sum.hpp>

#include <edgewise/expression/activation.hpp>
#include <edgewise/register/host_geometry.hpp>

#include "program/attention_cases.hpp"
#include "support/catch.hpp"
#include "support/random.hpp"

using namespace edgewise;
using namespace edgewise::testing;
using edgewise::detail::host_geometry;
using edgewise::detail::takes_one_sum;

namespace {

template <class Read, class... Hoisted>
struct fake_environment {
  using held = type_list<Hoisted...>;
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

TEST_CASE("takes_one_sum: one sum over channels, wherever it is", "[pass]") {
  STATIC_REQUIRE(takes_one_sum<of<decltype(product)>, everything>);
  STATIC_REQUIRE(takes_one_sum<of<decltype(scaled)>, everything>);
  STATIC_REQUIRE(takes_one_sum<of<decltype(through_kink)>, everything>);
  STATIC_REQUIRE(!takes_one_sum<of<decltype(two)>, everything>);
  STATIC_REQUIRE(!takes_one_sum<of<decltype(nested)>, everything>);
  STATIC_REQUIRE(!takes_one_sum<of<decltype(src<el> + dst<er>)>, everything>);
}

TEST_CASE("takes_one_sum: not where the sum is held, is part of what is held, or nobody reads it", "[pass]") {
  STATIC_REQUIRE(!takes_one_sum<of<decltype(scaled)>, fake_environment<void, of<decltype(product)>>>);
  STATIC_REQUIRE(!takes_one_sum<of<decltype(scaled)>, fake_environment<void, of<decltype(scaled)>>>);
  STATIC_REQUIRE(takes_one_sum<of<decltype(scaled)>, fake_environment<void, of<decltype(through_kink)>>>);
  using kink = of<decltype(leaky_relu(dst<l> + src<r>, 0.2))>;  // below the sum, which is taken all the same
  STATIC_REQUIRE(takes_one_sum<of<decltype(through_kink)>, fake_environment<void, kink>>);
  using factors = type_list<of<decltype(dst<q>)>, of<decltype(src<k>)>>;
  STATIC_REQUIRE(takes_one_sum<of<decltype(scaled)>, fake_environment<factors>>);
  STATIC_REQUIRE(!takes_one_sum<of<decltype(scaled)>, fake_environment<type_list<of<decltype(dst<q>)>>>>);
}

TEST_CASE("joining_environment: both sums have the bits of each alone, of any numbers of edges", "[pass]") {
  using geometry = host_geometry<4, 16>;
  struct environment : everything {
    using geometry = host_geometry<4, 16>;
    using accumulator = float;
  };
  // Two heads of 24 channels: two chunks each.
  geometry const geo(
      {.heads = 2, .channels = 24, .chunks_per_head = 2, .heads_per_tile = 2, .channels_per_tile = 24, .num_tiles = 1},
      0);
  REQUIRE(geo.chunks() == 4);
  random_stream random("joined sums");
  auto const draw = [&](auto& x) {
    edgewise::detail::for_each_entry<std::remove_reference_t<decltype(x)>>(
        geo, [&](int b, int c, int) { x.at(b, c, 0) = static_cast<float>(random.normal()); });
  };
  register_value<float, extent::narrow_partial, 1, 4, 16> own;
  register_value<float, extent::narrow_partial, 3, 4, 16> partial;
  draw(own);
  draw(partial);
  auto const own_alone = edgewise::detail::complete(geo, own);
  auto const partial_alone = edgewise::detail::complete(geo, partial);
  std::remove_const_t<decltype(partial_alone)> whole;
  edgewise::detail::joining_environment<environment, decltype(partial), decltype(whole)> const env{
      geo, {}, partial, whole};
  auto const joined = env.complete_together(own);
  for (int c = 0; c < 4; ++c) {
    CHECK(joined.at(0, c, 0) == own_alone.at(0, c, 0));
    for (int b = 0; b < 3; ++b) CHECK(whole.at(b, c, 0) == partial_alone.at(b, c, 0));
  }
}
