#include "max_cases.hpp"

#include "laws/check_locality.hpp"
#include "plan/check_case.hpp"
#include "plan/device_run.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("max on a device: values and gradients on the battery", "[gather][gpu]",
                   extremum_of_neighbors<edgewise::max>, extremum_of_weighted<edgewise::max>, max_of_differences) {
  skip_without_cuda_device();
  check_case<TestType, float>(run_on_device<TestType, float>);
  check_cut_rows<TestType, float>(run_on_device<TestType, float>);
}

TEST_CASE("max on a device: NaN reaches who depends on it", "[gather][gpu]") {
  skip_without_cuda_device();
  check_locality<extremum_of_weighted<edgewise::max>>(run_on_device<extremum_of_weighted<edgewise::max>, float>,
                                                      std::numeric_limits<double>::quiet_NaN(), false);
}
