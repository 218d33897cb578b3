#include "nccl_device_test.hpp"

#include <chrono>

#include "nccl_ranks.cuh"

namespace edgewise::testing {

template run_result<float> run_on_gpus<first_set<sum_of_differences>>(run_request<float> const&, ownership const&);
template run_result<float> run_on_gpus<first_set<gat>>(run_request<float> const&, ownership const&);

std::string error_of_missing_rank() {
  cuda const exec{};
  nccl_id const id = share_nccl_id(gpu_world(), exec);
  nccl_communicator comm(id, gpu_rank(), num_gpu_ranks(), std::chrono::seconds(20));
  // Connections are made by the first message, which may take longer.
  edgewise::detail::gather_lists(comm, exec, std::vector<int>{1});
  comm.set_timeout(std::chrono::milliseconds(500));
  int const last = num_gpu_ranks() - 1;
  std::string found;
  if (gpu_rank() != last) {
    device_buffer<char> byte(1, device_memory());
    incoming const missing{byte.data(), 1, last};
    try {
      comm.start(exec, {}, {&missing, 1});
      comm.finish(exec);
      comm.wait(exec);
    } catch (communication_error const& error) {
      found = error.what();
    }
  }
  edgewise::detail::gather_lists(gpu_world(), exec, std::vector<int>{1});  // the last rank waits for the others
  return found;
}

int sum_by_address() {
  gpu_world();  // takes the device of the rank
  nccl_communicator comm(nccl_id_at("127.0.0.1:29511"), gpu_rank(), num_gpu_ranks());
  int sum = 0;
  for (auto const& list : edgewise::detail::gather_lists(comm, cuda{}, std::vector<int>{gpu_rank()})) sum += list[0];
  return sum;
}

std::string error_of_second_start() {
  cuda const exec{};
  gpu_world().start(exec, {}, {});
  std::string found;
  try {
    gpu_world().start(exec, {}, {});
  } catch (invalid_argument const& error) {
    found = error.what();
  }
  gpu_world().finish(exec);
  return found;
}

}  // namespace edgewise::testing
