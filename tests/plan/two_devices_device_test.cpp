#include "two_devices_device_test.hpp"

#include "support/catch.hpp"
#include "support/device.hpp"

using namespace edgewise::testing;
using Catch::Contains;

TEST_CASE("two devices: a plan is called on the device where it was made", "[plan][gpu]") {
  skip_without_cuda_device();
  if (num_devices() < 2) skip_test("one CUDA device");
  auto const result = call_from_another_device();
  CHECK(result.results == "");
  CHECK(result.current == "");
  CHECK_THAT(result.other_stream, Contains("forward: the stream is one of device 1, the call works on device 0"));
  CHECK_THAT(result.other_output, Contains("out: is memory of device 1, the call works on device 0"));
  CHECK_THAT(result.other_operand, Contains("edge<w>: is memory of device 1"));
  CHECK_THAT(result.other_edges, Contains("to_csr: sources: is memory of device 1"));
  CHECK(result.afterwards == "");
}
