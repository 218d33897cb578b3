#include "masked_scores.hpp"

#include "plan/host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("softmax: scores of -inf mask edges and rows", "[program]") {
  check_masked_scores(run_on_host<edge_values, float>);
}

TEST_CASE("softmax: the value of a masked edge may be NaN or infinite", "[program]") {
  check_masked_scores(run_on_host<edge_values, float>, std::numeric_limits<float>::quiet_NaN());
  check_masked_scores(run_on_host<edge_values, float>, std::numeric_limits<float>::infinity());
}

TEST_CASE("softmax: weights and gradients do not depend on how large all scores of a row are", "[program]") {
  check_far_scores(run_on_host<edge_values, float>);
}

TEST_CASE("softmax: large scores overflow nowhere", "[program]") {
  check_large_scores(run_on_host<edge_scores, float>);
}
