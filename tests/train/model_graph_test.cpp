// What a model's graph takes from the data, and what from the graph that the model is trained on.
#include "train/model_graph.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include "models/context.hpp"
#include "models/scaled_graph.hpp"
#include "models/typed_graph.hpp"
#include "train/batch_task.cpp"  // the trainer is a program, so there is no library to link
#include "train/feature_matrix.cpp"
#include "train/generated_task.cpp"
#include "train/model_options.hpp"

namespace edgewise::train {
namespace {

using host_context = models::context<cpu>;

/// The part of the karate club that two members are sampled with.
task two_members(task const& club) {
  std::vector<std::int32_t> const seeds{0, 33};
  std::vector<std::int64_t> const fanouts{3};
  return batch_task(club, models::sample_neighbors(club.by_destination.view(), seeds, fanouts, {1, 2}), 2);
}

TEST_CASE("model graph: degrees of a part are compared with those of the graph that is trained on", "[train]") {
  task const club = karate_task();
  auto const sizes = model_options(club, {});
  host_context const context;
  auto const part = model_graph<models::scaled_graph<double, host_context>>(context, two_members(club), sizes);
  // The members have three sampled edges each, the others none.
  double const delta = models::mean_log_degree(club.by_destination.view());
  CHECK(part.amplification()[0] == Approx(std::log(4.0) / delta));
  CHECK(part.attenuation()[1] == Approx(delta / std::log(4.0)));
  CHECK(part.amplification()[2] == 0.0);
}

TEST_CASE("model graph: the model knows its types of edges", "[train]") {
  task club = karate_task();
  auto sizes = model_options(club, {});
  sizes.num_relations = 3;
  club.edge_types[5] = 1;
  club.num_edge_types = 2;
  host_context const context;
  using typed = models::typed_graph<float, host_context>;
  CHECK(model_graph<typed>(context, club, sizes).num_types() == 3);
  club.edge_types[7] = 3;
  CHECK_THROWS_WITH(model_graph<typed>(context, club, sizes), "typed_edges: types[7] = 3, there are 3 types");
}

}  // namespace
}  // namespace edgewise::train
