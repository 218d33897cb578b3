#include "feature_split_device_test.hpp"

#include "support/device.cuh"
#include "thread_ranks.cuh"

namespace edgewise::testing {

std::vector<split_rows> split_on_device_ranks(vertex_owners const& owners, int heads, int channels) {
  std::vector<split_rows> found(static_cast<std::size_t>(owners.num_ranks()));
  run_ranks(owners.num_ranks(), [&](int rank, thread_group& group) {
    thread_communicator<cuda> comm(group, rank);
    device_stream const stream;
    cuda const exec{.stream = stream.get()};
    feature_split<thread_communicator<cuda>, float> const split(comm, exec, owners, heads, channels);
    std::vector<float> own;
    for (auto const v : owners.vertices_of(rank)) {
      for (int k = 0; k < heads * channels; ++k) own.push_back(static_cast<float>(1000 * v + k));
    }
    auto const sliced = static_cast<std::size_t>(split.num_rows() * split.own_heads() * split.own_channels());
    device_array<float> const from(own);
    device_array<float> slices(std::vector<float>(sliced, -7.0f)), back(std::vector<float>(own.size(), -7.0f));
    auto const of_heads = wide(slices.data(), split.num_rows(), split.own_heads(), split.own_channels());
    split.to_heads(exec, wide(from.data(), split.num_own_rows(), heads, channels), of_heads);
    split.to_rows(exec, of_heads, wide(back.data(), split.num_own_rows(), heads, channels));
    stream.synchronize();
    found[static_cast<std::size_t>(rank)] = {slices.values(), back.values()};
  });
  return found;
}

}  // namespace edgewise::testing
