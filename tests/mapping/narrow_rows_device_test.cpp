#include <edgewise/mapping/degree_aware.hpp>

#include "check_mapping.hpp"
#include "execute/device_run.hpp"
#include "program/attention_cases.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("narrow rows on a device: pieces have more threads than rows", "[mapping][gpu]",
                   pieces_of_sixty_four, pieces_of_three_hundred) {
  skip_without_cuda_device();
  auto const run = run_on_device<mapped<exact_sum, TestType>, float>;
  check_every_edge_once<mapped<exact_sum, TestType>>(run, {hubs_of_sparse_rows()});
  check_same_bits<exact_sum>(run, run, draw::uniform, {hubs_of_sparse_rows()}, {{1, 1}, {1, 7}, {1, 16}});
}

TEST_CASE("narrow rows on a device: a softmax of shared pieces", "[mapping][gpu]") {
  skip_without_cuda_device();
  check_mapping<mapped<gatv2, pieces_of_three_hundred>>(run_on_device<mapped<gatv2, pieces_of_three_hundred>, float>,
                                                        {hubs_of_sparse_rows(), one_hub(9000), border_rows()});
}
