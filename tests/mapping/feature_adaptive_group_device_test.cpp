#include "check_mapping.hpp"
#include "plan/device_run.hpp"
#include "program/attention_cases.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("feature_adaptive_group on a device: takes every edge once", "[mapping][gpu]") {
  skip_without_cuda_device();
  check_every_edge_once<exact_sum>(run_on_device<exact_sum, float>);  // automatic
  check_every_edge_once<mapped<exact_sum, rows_by_degree>>(run_on_device<mapped<exact_sum, rows_by_degree>, float>);
  check_every_edge_once<mapped<exact_sum, rows_in_windows>>(run_on_device<mapped<exact_sum, rows_in_windows>, float>);
}

TEST_CASE("feature_adaptive_group on a device: the order of rows changes no bit", "[mapping][gpu]") {
  skip_without_cuda_device();
  check_same_bits<mapped<gatv2, as_stored>>(run_on_device<mapped<gatv2, as_stored>, float>,
                                            run_on_device<mapped<gatv2, rows_by_degree>, float>);
  check_same_bits<mapped<gatv2, as_stored>>(run_on_device<mapped<gatv2, as_stored>, float>,
                                            run_on_device<mapped<gatv2, rows_in_windows>, float>);
}
