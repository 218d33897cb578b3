#include "nccl_device_test.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

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

std::size_t wrong_bytes_of_direct_messages() {
  cuda const exec{};
  nccl_id const id = share_nccl_id(gpu_world(), exec);
  int const rank = gpu_rank(), size = num_gpu_ranks();
  nccl_communicator comm(id, rank, size, std::chrono::seconds(60), nccl_transfer::direct);
  std::size_t wrong = 0;
  if (size == 1) return wrong;
  int const next = (rank + 1) % size, last = (rank + size - 1) % size;
  int round = 0;
  for (std::size_t const bytes : {std::size_t{1000}, std::size_t{3} << 20, std::size_t{5} << 20}) {
    for (int const kinds : {0, 1, 2, 3}) {  // what is sent, what is received: of which memory
      ++round;
      device_buffer<char> sent(bytes, kinds & 1 ? comm.memory() : device_memory());
      device_buffer<char> received(bytes, kinds & 2 ? comm.memory() : device_memory());
      check_cuda(cudaMemsetAsync(sent.data(), 20 * round + rank, bytes, exec.stream), "direct messages");
      check_cuda(cudaMemsetAsync(received.data(), 0, bytes, exec.stream), "direct messages");
      outgoing const send{sent.data(), bytes, next};
      incoming const receive{received.data(), bytes, last};
      comm.start(exec, {&send, 1}, {&receive, 1});
      comm.finish(exec);
      comm.wait(exec);
      std::vector<char> found(bytes);
      check_cuda(cudaMemcpy(found.data(), received.data(), bytes, cudaMemcpyDeviceToHost), "direct messages");
      for (char const x : found) wrong += x == static_cast<char>(20 * round + last) ? 0 : 1;
    }
  }
  edgewise::detail::gather_lists(gpu_world(), exec, std::vector<int>{1});  // no communicator ends before
  return wrong;
}

std::string error_of_other_transfer() {
  cuda const exec{};
  nccl_id const id = share_nccl_id(gpu_world(), exec);
  std::string found;
  try {
    nccl_communicator comm(id, gpu_rank(), num_gpu_ranks(), std::chrono::seconds(20),
                           gpu_rank() == 0 ? nccl_transfer::direct : nccl_transfer::buffered);
  } catch (communication_error const& error) {
    found = error.what();
  }
  edgewise::detail::gather_lists(gpu_world(), exec, std::vector<int>{1});
  return found;
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
