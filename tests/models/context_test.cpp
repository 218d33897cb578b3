#include "context_test.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"

#include "host_matrix.hpp"
#include "models/column_sum.hpp"
#include "models/dropout.hpp"
#include "models/gcn.hpp"
#include "support/device.hpp"
#include "support/graphs.hpp"
#include "traced_training.hpp"

namespace edgewise::testing {
namespace {

TEST_CASE("device context: a replay runs each time, whatever a run before threw", "[models][gpu]") {
  skip_without_cuda_device();
  CHECK(device_replay(1, -1) == 1);
  CHECK(device_replay(7, -1) == 7);
  CHECK(device_replay(3, 0) == 4);  // launched, then threw
  CHECK(device_replay(3, 1) == 3);  // threw while it was recorded: nothing ran
}

TEST_CASE("device context: dropout masks are the host's, to the bit", "[models][gpu]") {
  skip_without_cuda_device();
  host_context const context;
  random_stream random("device dropout");
  models::random_state const state{0x123456789abcdef0, 41};
  for (double probability : {0.0, 0.3, 0.5}) {
    auto x = random_host_matrix<float>(context, random, 1, 100003);
    auto const input = elements_of(x.view());
    models::dropout(context, models::dropout_mask<float>(&state, 3, probability), x.view(), x.view());
    CHECK(device_dropout(state.seed, state.step, 3, probability, input) == elements_of(x.view()));
  }
}

TEST_CASE("device context: column sums are the host's, to the bit", "[models][gpu]") {
  skip_without_cuda_device();
  host_context const context;
  random_stream random("device column sum");
  for (std::int64_t rows : {0, 1, 33, 2708}) {
    auto const x = random_host_matrix<float>(context, random, rows, 16);
    auto sums = make_host_matrix<float>(context, 1, 16, std::vector<float>(16));
    models::column_sum<float, host_context> sum(context, rows, 16);
    sum(context, x.view(), sums.view());
    CHECK(device_column_sum(rows, 16, elements_of(x.view())) == elements_of(sums.view()));
  }
}

TEST_CASE("device context: a captured step sees the learning rate that was set last", "[models][gpu]") {
  skip_without_cuda_device();
  std::vector<double> const rates{0.1, 0.1, 0.4, 0.05, 0.05, 0.2};
  auto const values = device_adam(rates);
  double expected = 1;
  for (std::size_t step = 0; step < rates.size(); ++step) {
    expected -= rates[step];  // of a constant gradient a step is the rate
    CHECK(values[step] == Approx(expected).epsilon(1e-5));
  }
}

TEST_CASE("device context: twenty epochs with dropout follow the host's and allocate nothing", "[models][gpu]") {
  skip_without_cuda_device();
  host_context const context;
  for (auto const& edges : {random_skewed(), directed(), symmetric(), one_hub()}) {
    INFO(edges.name);
    auto const expected = training_losses<models::gcn<float, host_context>>(context, edges, 20);
    auto const actual = gcn_training_on_device(edges, 20);
    CHECK(actual.num_allocations == 0);
    for (std::size_t step = 0; step < expected.size(); ++step) {
      CHECK(actual.losses[step] == Approx(expected[step]).epsilon(1e-4));
    }
    CHECK(expected.back() != expected.front());
  }
}

TEST_CASE("device context: a captured step goes on counting and gives the same bits", "[models][gpu]") {
  skip_without_cuda_device();
  auto const edges = random_skewed();
  auto const direct = gcn_training_on_device(edges, 20).losses;
  CHECK(gcn_training_by_replay(edges, 20) == direct);
  CHECK(gcn_training_on_device(edges, 20).losses == direct);
}

}  // namespace
}  // namespace edgewise::testing
