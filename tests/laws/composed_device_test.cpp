#include "composed.hpp"

#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("composed programs on a device: values and gradients are those of their definition", "[laws][gpu]") {
  skip_without_cuda_device();
  using program = composed_program<10>;  // a softmax
  random_stream random("composed program on a device");
  for (auto const& graph : small_battery()) {
    for (width const w : {width{1, 3}, width{2, 8}, width{2, 33}}) {
      check_request<program>(run_on_device<program, double>, draw_request<program, double>(graph, w, random));
    }
  }
}
