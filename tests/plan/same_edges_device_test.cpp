#include "same_edges_device_test.hpp"

#include "same_edges_check.hpp"
#include "support/device.hpp"

using namespace edgewise::testing;

TEST_CASE("same edges on a device: plans refuse groupings of others", "[plan][gpu]") {
  skip_without_cuda_device();
  check_refusals(refusal_of_weighted_sum, refusal_of_plain_sum, refusal_of_maximum);
}

TEST_CASE("same edges on a device: wide offsets", "[plan][gpu]") {
  skip_without_cuda_device();
  auto const large = random_skewed(3000, 40000);
  CHECK(refusal_of_wide_offsets(large) == "no error");
  CHECK(
      refusal_of_wide_offsets(changed(large, [](auto& rows) { std::swap(rows.edge_ids[17], rows.edge_ids[31000]); })) ==
      "graph: csr and csc hold different edges; make one from the other, with to_csc or to_csr, or give both the ids "
      "of the edges");
}
