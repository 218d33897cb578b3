#include <edgewise/program/layout.hpp>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

using namespace edgewise;
using edgewise::detail::any_softmax;
using edgewise::detail::pulls_sum_lanes;
using edgewise::detail::units_sum_lanes;

namespace {

struct l;
struct r;
struct g;
using left = leaf<role::destination, l>;
using right = leaf<role::source, r>;
using adjoint = leaf<role::edge, g>;

template <class Message>
using units_of_edges = type_list<edge_unit<Message>>;
using product = decltype(dot(dst<l>, src<r>));
using score = softmax_unit<decltype(dst<g> + src<g>), right>;

}  // namespace

TEST_CASE("layout: which units sum over lanes", "[program]") {
  CHECK(units_sum_lanes<units_of_edges<product>>);
  CHECK_FALSE(units_sum_lanes<units_of_edges<decltype(dst<l> + src<r>)>>);
  CHECK(units_sum_lanes<type_list<reduce_unit<sum, decltype(product{} * src<r>)>>>);
  CHECK_FALSE(units_sum_lanes<type_list<score>>);
  CHECK(any_softmax<type_list<score>>);
}

TEST_CASE("layout: a number's adjoint is pulled through an inner product without a sum", "[program]") {
  CHECK_FALSE(pulls_sum_lanes<units_of_edges<product>, type_list<right, adjoint>>);  // the gradient of the left rows
  CHECK_FALSE(pulls_sum_lanes<units_of_edges<product>, type_list<adjoint>>);
  CHECK(pulls_sum_lanes<units_of_edges<product>, type_list<left, right, adjoint>>);  // who reads both reads the product
  CHECK(pulls_sum_lanes<units_of_edges<decltype(product{} * src<r>)>, type_list<right, adjoint>>);
  CHECK(pulls_sum_lanes<units_of_edges<decltype(dot(dst<l>, product{} * src<r>))>, type_list<right, adjoint>>);
  CHECK(pulls_sum_lanes<type_list<reduce_unit<sum, product>>, type_list<right>>);
  CHECK(pulls_sum_lanes<type_list<score>, type_list<right>>);
  CHECK_FALSE(pulls_sum_lanes<units_of_edges<decltype(dst<l> + src<r>)>, type_list<right>>);
}
