#include "autotune_device_test.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/catch.hpp"

#include <edgewise/mapping/schedule_policy.hpp>
#include <edgewise/tuning/schedule_search.hpp>

#include "plan/check_case.hpp"
#include "support/device.hpp"
#include "support/graphs.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

struct tuning_problem {
  test_graph graph;
  std::vector<float> features, weights;

  explicit tuning_problem(test_graph edges) : graph(std::move(edges)) {
    random_stream random("autotune on " + graph.name);
    features = draw_values<float>(static_cast<std::size_t>(graph.num_sources) * 16, draw::uniform, random);
    weights = draw_values<float>(static_cast<std::size_t>(graph.num_edges()), draw::uniform, random);
  }
  tuned_run tune(std::string const& path = "") const { return tune_on_device(graph, features, weights, path); }
};

}  // namespace

TEST_CASE("autotune: measures a few schedules once, and pins one", "[tuning][gpu]") {
  skip_without_cuda_device();
  for (tuning_problem const& problem :
       {tuning_problem(one_hub(20000)), tuning_problem(random_skewed()), tuning_problem(chain())}) {
    INFO(problem.graph.name);
    auto const run = problem.tune();
    CHECK(run.num_measured >= 2);
    CHECK(run.num_measured <= 2 * edgewise::detail::most_measured_splits);
    CHECK(run.own_milliseconds > 0);
    CHECK(run.milliseconds > 0);
    CHECK(run.milliseconds <= run.own_milliseconds);
    CHECK_NOTHROW(parse_policy<row_split>(run.policy));
    CHECK(run.explanation.find("policy: " + run.policy + "\n") != std::string::npos);
    CHECK(run.policy_again == run.policy);
    CHECK(static_cast<int>(run.heard.size()) == run.num_measured);  // nothing of the remembered choice
    CHECK(run.heard_in_order);
    CHECK(std::find(run.heard.begin(), run.heard.end(), run.policy) != run.heard.end());
    CHECK(run.num_measured_again == 0);
    CHECK(run.num_measured_of_forward >= 1);  // without gradients it is another choice
    CHECK(run.num_measured_by_atomics >= 1);
    CHECK(run.num_choices == 2);
    CHECK(run.live_bytes == 0);
    CHECK(same_bits(run.out, run.out_again));
    CHECK(same_bits(run.gradient, run.gradient_again));
  }
}

TEST_CASE("autotune: a plan from the choice computes what it should", "[tuning][gpu]") {
  skip_without_cuda_device();
  tuning_problem const problem(one_hub(20000));
  auto const run = problem.tune();
  auto const& rows = problem.graph.by_destination;
  for (int v = 0; v < problem.graph.num_destinations; ++v) {
    double total = 0;
    double sum = 0;
    double magnitude = 0;
    for (int k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
      double const weight = std::exp(static_cast<double>(problem.weights[static_cast<std::size_t>(rows.edge_ids[k])]));
      double const feature = problem.features[static_cast<std::size_t>(rows.neighbors[k]) * 16 + 5];
      total += weight;
      sum += weight * feature;
      magnitude += weight * std::abs(feature);
    }
    double const expected = total > 0 ? sum / total : 0;
    double const limit = total > 0 ? 1e-5 * magnitude / total : 0;
    CHECK(std::abs(run.out[static_cast<std::size_t>(v) * 16 + 5] - expected) <= limit);
  }
}

TEST_CASE("autotune: remembers in a file, and a broken one is measured again", "[tuning][gpu]") {
  skip_without_cuda_device();
  auto const path = (std::filesystem::temp_directory_path() / "edgewise_autotune_device_test").string();
  std::filesystem::remove(path);
  tuning_problem const problem(random_skewed());
  auto const first = problem.tune(path);
  CHECK(first.num_measured > 0);
  auto const second = problem.tune(path);
  CHECK(second.num_measured == 0);
  CHECK(second.policy == first.policy);
  CHECK(second.num_measured_of_forward == 0);
  CHECK(second.warning.empty());
  CHECK(problem.tune("").num_measured > 0);                    // without the file it is not known
  CHECK(tuning_problem(chain()).tune(path).num_measured > 0);  // of another graph neither

  std::ifstream file(path);
  std::string content, line;
  while (std::getline(file, line))
    content += line.substr(0, line.find('\t')) + (line.find('\t') == std::string::npos ? "\n" : "\tlongest: 12\n");
  file.close();
  std::ofstream(path) << content;
  auto const third = problem.tune(path);
  CHECK(third.num_measured > 0);
  CHECK(third.warning.find("measured again") != std::string::npos);
  CHECK(problem.tune(path).num_measured == 0);  // the new lines count
  std::filesystem::remove(path);
}
