#include "models/gt.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include "attention_model.hpp"
#include "host_matrix.hpp"
#include "support/graphs.hpp"

namespace edgewise::models {
namespace {

using testing::host_context;
using gt_type = gt<double, host_context>;
using problem = testing::model_problem<gt_type>;

TEST_CASE("the gradient of every graph transformer parameter equals central differences") {
  for (auto const& edges : {testing::symmetric(), testing::directed(), testing::multi_edges()}) {
    for (double dropout : {0.0, 0.4}) {
      INFO(edges.name << ", dropout " << dropout);
      problem p(edges, dropout, testing::random_stream("gt gradient"));
      testing::check_parameter_gradients(p);
    }
  }
}

TEST_CASE("inference of a graph transformer is the training pass without dropout") {
  problem without(testing::symmetric(), 0.0, testing::random_stream("gt inference"));
  problem with(testing::symmetric(), 0.5, testing::random_stream("gt inference"));
  auto const expected = testing::elements_of(without.model.forward(without.context, without.features.view()));
  CHECK(testing::elements_of(with.model.infer(with.context, with.features.view())) == expected);
  CHECK(testing::elements_of(with.model.forward(with.context, with.features.view())) != expected);
}

TEST_CASE("a graph transformer draws other masks at every step and the same ones in every repeat") {
  problem p(testing::symmetric(), 0.5, testing::random_stream("gt steps"));
  double const first = p.evaluate();
  CHECK(p.evaluate() == first);
  p.context.for_each(1, advance_step{&p.state});
  CHECK(p.evaluate() != first);
}

TEST_CASE("a graph transformer finds communities, allocates nothing, and repeats to the bit on any number of threads") {
  auto const first = testing::train_on_communities<gt>(1, 5);
  CHECK(first.accuracy >= 0.9);  // a guess is right on a third
  CHECK(first.num_allocations == 0);
  CHECK(first.losses.front() == Approx(std::log(3)).margin(0.1));
  CHECK(testing::train_on_communities<gt>(1, 5).losses == first.losses);
  CHECK(testing::train_on_communities<gt>(3, 5).losses == first.losses);
  CHECK(testing::train_on_communities<gt>(1, 6).losses != first.losses);
}

TEST_CASE("the graph transformer names what does not fit") {
  problem p(testing::symmetric(), 0.5, testing::random_stream("gt shapes"));
  auto const narrow = testing::make_host_matrix<double>(p.context, 60, 4, std::vector<double>(240));
  CHECK_THROWS_WITH(p.model.forward(p.context, narrow.view()), "gt: x is [60, 4], expected [60, 5]");
  CHECK_THROWS_WITH(p.model.infer(p.context, narrow.view()), "gt: x is [60, 4], expected [60, 5]");
  CHECK_THROWS_WITH(p.model.backward(p.context, narrow.view()), "gt: dlogits is [60, 4], expected [60, 3]");
  CHECK_THROWS_WITH(gt_type(p.context, p.graph, {.num_features = 5, .num_heads = 0, .num_classes = 3}, &p.state),
                    "gt: 5 features, 0 heads of 8 and 3 classes: each must be at least 1");
  CHECK_THROWS_AS(gt_type(p.context, p.graph, {.num_features = 5, .num_classes = 3, .dropout = 1.5}, &p.state),
                  invalid_argument);
  CHECK_THROWS_AS(gt_type(p.context, p.graph, {.num_features = 5, .num_classes = 3, .attention_dropout = 1}, &p.state),
                  invalid_argument);
}

}  // namespace
}  // namespace edgewise::models
