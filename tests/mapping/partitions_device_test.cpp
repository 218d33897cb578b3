// Rows cut at the borders of source partitions, on a device: CPUs have none.
#include "check_mapping.hpp"
#include "gather/max_cases.hpp"
#include "plan/attention_weights_check.hpp"
#include "plan/device_run.hpp"
#include "program/attention_cases.hpp"
#include "program/edge_softmax_check.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// Few rows: references of edges go through a row for each of them.
std::vector<test_graph> few_rows() { return {ascending_rows(130)}; }

}  // namespace

TEST_CASE("partitions on a device: every edge once, launch after launch", "[mapping][gpu]") {
  skip_without_cuda_device();
  check_every_edge_once<mapped<exact_sum, partitioned>>(run_on_device<mapped<exact_sum, partitioned>, float>,
                                                        partitioned_graphs());
}

TEMPLATE_TEST_CASE("partitions on a device: parameters, maxima and wide offsets, against references", "[mapping][gpu]",
                   gatv2, gat, max_of_differences) {
  skip_without_cuda_device();
  using of = mapped<TestType, partitioned>;
  check_mapping<of>(run_on_device<of, float>, partitioned_graphs());
}

TEST_CASE("partitions on a device: softmax of edges, and attention weights", "[mapping][gpu]") {
  skip_without_cuda_device();
  using of_edges = mapped<edge_attention, partitioned>;
  check_edge_softmax<of_edges>(run_on_device<of_edges, float>, few_rows());
  using weights = mapped<transformer_and_weights, partitioned>;
  check_weights<weights>(run_on_device<weights, float>, few_rows());
}

TEST_CASE("partitions on a device: two plans of one policy give the same bits", "[mapping][gpu]") {
  skip_without_cuda_device();
  using of = mapped<gatv2, partitioned_by_degree>;
  check_same_bits<of>(run_on_device<of, float>, run_on_device<of, float>, draw::uniform,
                      {ascending_rows(), ascending_rows(2 * window_rows + 100)});
}
