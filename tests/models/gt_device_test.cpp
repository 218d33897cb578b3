#include "gt_device_test.hpp"

#include "support/catch.hpp"

#include "host_matrix.hpp"
#include "models/gt.hpp"
#include "support/device.hpp"
#include "support/graphs.hpp"
#include "traced_training.hpp"

namespace edgewise::testing {
namespace {

TEST_CASE("a graph transformer on a device: twenty epochs with dropout follow the host's and allocate nothing",
          "[models][gpu]") {
  skip_without_cuda_device();
  host_context const context;
  for (auto const& edges : {random_skewed(), directed(), symmetric(), one_hub()}) {
    INFO(edges.name);
    auto const expected = training_losses<models::gt<float, host_context>>(context, edges, 20);
    auto const actual = gt_training_on_device(edges, 20);
    CHECK(actual.num_allocations == 0);
    for (std::size_t step = 0; step < expected.size(); ++step) {
      CHECK(actual.losses[step] == Approx(expected[step]).epsilon(1e-4));
    }
    CHECK(expected.back() != expected.front());
  }
}

TEST_CASE("a graph transformer on a device: a captured step goes on counting and gives the same bits",
          "[models][gpu]") {
  skip_without_cuda_device();
  auto const edges = random_skewed();
  auto const direct = gt_training_on_device(edges, 20).losses;
  CHECK(gt_training_by_replay(edges, 20) == direct);
  CHECK(gt_training_on_device(edges, 20).losses == direct);
}

}  // namespace
}  // namespace edgewise::testing
