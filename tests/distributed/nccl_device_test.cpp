// Programs over several GPUs are those over the whole graph: scripts/launch-ranks 2 test_distributed.nccl_device.
#include "nccl_device_test.hpp"

#include "nccl_ranks.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("distributed on several devices: values and gradients", "[distributed][gpu]",
                   first_set<sum_of_differences>, first_set<gat>) {
  check_on_gpus<TestType>();
}

TEST_CASE("nccl_communicator: a rank that sends nothing is no hang", "[distributed][gpu]") {
  skip_without_cuda_device();
  auto const found = error_of_missing_rank();
  bool const waits = num_gpu_ranks() > 1 && gpu_rank() != num_gpu_ranks() - 1;
  CHECK(found == (waits ? edgewise::detail::text("nccl_communicator: the messages of rank ", gpu_rank(),
                                                 " are not there after 0.5 s")
                        : ""));
}

TEST_CASE("nccl_communicator: ranks meet at an address", "[distributed][gpu]") {
  skip_without_cuda_device();
  CHECK(sum_by_address() == num_gpu_ranks() * (num_gpu_ranks() - 1) / 2);
}

TEST_CASE("nccl_communicator: direct messages arrive, whatever memory they are of", "[distributed][gpu]") {
  skip_without_cuda_device();
  CHECK(wrong_bytes_of_direct_messages() == 0);
}

TEST_CASE("nccl_communicator: ranks transfer messages in one way", "[distributed][gpu]") {
  skip_without_cuda_device();
  auto const found = error_of_other_transfer();
  if (num_gpu_ranks() == 1) {
    CHECK(found.empty());
  } else {
    CHECK_THAT(found, Catch::Contains("nccl_communicator: messages of rank ") && Catch::Contains(" are not"));
  }
}

TEST_CASE("nccl_communicator: one exchange at a time", "[distributed][gpu]") {
  skip_without_cuda_device();
  CHECK(error_of_second_start() == "nccl_communicator: an exchange is under way; finish it first");
}
