// Rows in narrow tiles, on a device: CPUs take rows whole.
#include "check_mapping.hpp"
#include "gather/max_cases.hpp"
#include "gather/stddev_cases.hpp"
#include "plan/device_run.hpp"
#include "program/attention_cases.hpp"
#include "program/edge_cases.hpp"
#include "program/epilogue_cases.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("tiles on a device: take every edge once", "[mapping][gpu]", tiled, tiled_and_partitioned) {
  skip_without_cuda_device();
  using of = mapped<exact_sum, TestType>;
  check_every_edge_once<of>(run_on_device<of, float>);
  check_every_edge_once<of>(run_on_device<of, float>, partitioned_graphs());
}

TEMPLATE_TEST_CASE("tiles on a device: maxima, and what needs channels together, against references", "[mapping][gpu]",
                   max_of_differences, deviation_of_weighted, relu_of_biased_sum, gat, edge_dot) {
  skip_without_cuda_device();
  using whole_neighbors = mapped<TestType, tiled>;
  using in_partitions = mapped<TestType, tiled_and_partitioned>;
  check_tiles<whole_neighbors>(run_on_device<whole_neighbors, float>, mapping_graphs());
  check_tiles<in_partitions>(run_on_device<in_partitions, float>, partitioned_graphs());
}
