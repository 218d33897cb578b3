#include <edgewise/program/layout.hpp>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

using namespace edgewise;
using edgewise::detail::any_aggregation_sums_channels;
using edgewise::detail::any_pull_sums_channels;
using edgewise::detail::any_softmax;
using edgewise::detail::edge_aggregation;
using edgewise::detail::reduce_aggregation;
using edgewise::detail::softmax_aggregation;

namespace {

struct l;
struct r;
struct g;
using left = leaf<role::destination, l>;
using right = leaf<role::source, r>;
using adjoint = leaf<role::edge, g>;

template <class Message>
using aggregations_of_edges = type_list<edge_aggregation<Message>>;
using product = decltype(dot(dst<l>, src<r>));
using score = softmax_aggregation<decltype(dst<g> + src<g>), right>;

}  // namespace

TEST_CASE("layout: which aggregations sum over channels", "[program]") {
  CHECK(any_aggregation_sums_channels<aggregations_of_edges<product>>);
  CHECK_FALSE(any_aggregation_sums_channels<aggregations_of_edges<decltype(dst<l> + src<r>)>>);
  CHECK(any_aggregation_sums_channels<type_list<reduce_aggregation<sum, decltype(product{} * src<r>)>>>);
  CHECK_FALSE(any_aggregation_sums_channels<type_list<score>>);
  CHECK(any_softmax<type_list<score>>);
}

TEST_CASE("layout: a number's adjoint is pulled through an inner product without a sum", "[program]") {
  CHECK_FALSE(any_pull_sums_channels<aggregations_of_edges<product>,
                                     type_list<right, adjoint>>);  // the gradient of the left rows
  CHECK_FALSE(any_pull_sums_channels<aggregations_of_edges<product>, type_list<adjoint>>);
  CHECK(any_pull_sums_channels<aggregations_of_edges<product>,
                               type_list<left, right, adjoint>>);  // who reads both reads the product
  CHECK(any_pull_sums_channels<aggregations_of_edges<decltype(product{} * src<r>)>, type_list<right, adjoint>>);
  CHECK(any_pull_sums_channels<aggregations_of_edges<decltype(dot(dst<l>, product{} * src<r>))>,
                               type_list<right, adjoint>>);
  CHECK(any_pull_sums_channels<type_list<reduce_aggregation<sum, product>>, type_list<right>>);
  CHECK(any_pull_sums_channels<type_list<score>, type_list<right>>);
  CHECK_FALSE(any_pull_sums_channels<aggregations_of_edges<decltype(dst<l> + src<r>)>, type_list<right>>);
}
