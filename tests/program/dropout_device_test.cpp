#include "dropout_device_test.hpp"

#include "dropout_cases.hpp"
#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("dropout on a device: values and gradients on the battery", "[program][gpu]", dropped_messages,
                   dropped_layer) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
}

TEST_CASE("dropout on a device: rows that are cut, into pieces and into tiles", "[program][gpu]") {
  skip_without_cuda_device();
  check_cut_rows<dropped_messages, float>(run_on_device<dropped_messages, float>);
  check_wide_rows<dropped_messages, float>(run_on_device<dropped_messages, float>);
}

TEST_CASE("dropout on a device: a captured graph draws another mask at every step", "[program][gpu]") {
  skip_without_cuda_device();
  int const vertices = 64, channels = 32;
  auto const replays = masks_by_replay(vertices, channels, 5);
  REQUIRE(replays.size() == 5);
  for (std::size_t step = 0; step < replays.size(); ++step) {
    INFO("step " << step);
    for (int v = 0; v < vertices; ++v) {
      for (int l = 0; l < channels; ++l) {
        auto const number = static_cast<std::uint64_t>(v);
        double const expected = mask_factor({mask_state.seed, step}, 9, random_owner::edge, number, l, 0.5);
        REQUIRE(replays[step][static_cast<std::size_t>(v * channels + l)] == static_cast<float>(expected));
      }
    }
    if (step > 0) CHECK_FALSE(same_bits(replays[step], replays[step - 1]));
  }
}
