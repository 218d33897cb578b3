#include "edge_feature_cases.hpp"

#include "laws/check_adjoint_identity.hpp"
#include "plan/check_case.hpp"
#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("edge features: bias, keys, values, dropout and heads together", "[program]") {
  check_case<attention_of_edge_features, float>(run_on_host<attention_of_edge_features, float>);
  check_adjoint_identity<attention_of_edge_features>();
}

TEST_CASE("edge features: several heads on a graph with more destinations than sources", "[program]") {
  random_stream random("edge features: bipartite");
  auto const graph = bipartite(37, 53, 0.2);
  for (width const w : {width{4, 8}, width{2, 33}}) {
    auto const request = draw_request<attention_of_edge_features, float>(graph, w, random);
    check_request<attention_of_edge_features, float>(run_on_host<attention_of_edge_features, float>, request);
  }
}
