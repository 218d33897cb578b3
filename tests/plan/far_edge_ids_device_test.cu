#include "far_edge_ids_device_test.hpp"

#include "device_machine.cuh"

namespace edgewise::testing {
namespace {

struct whole_machine : device_machine {
  struct rows {
    device_bytes memory;
    long long first;
    std::size_t count;
    float* data() const { return reinterpret_cast<float*>(memory.data()); }
    std::vector<float> values() const {
      std::vector<float> window(count);
      check_cuda(cudaMemcpy(window.data(), data() + first, count * sizeof(float), cudaMemcpyDeviceToHost),
                 "far ids: download");
      return window;
    }
  };
  rows edge_rows(std::vector<float> const& values, long long first) const {
    rows result{device_bytes((static_cast<std::size_t>(first) + values.size()) * sizeof(float)), first, values.size()};
    check_cuda(cudaMemcpy(result.data() + first, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice),
               "far ids: upload");
    check_cuda(cudaDeviceSynchronize(), "far ids: upload");
    return result;
  }
  std::vector<float> download(device_array<float> const& values) const { return values.values(); }
};

}  // namespace

template <class Gather>
far_ids_result run_ids_on_device(test_graph const& edges, long long first_id) {
  return run_ids_from<Gather>(whole_machine{}, edges, first_id);
}
template far_ids_result run_ids_on_device<edgewise::sum>(test_graph const&, long long);
template far_ids_result run_ids_on_device<edgewise::max>(test_graph const&, long long);

std::size_t free_device_bytes() {
  std::size_t free = 0;
  std::size_t total = 0;
  check_cuda(cudaMemGetInfo(&free, &total), "far ids: cudaMemGetInfo");
  return free;
}

}  // namespace edgewise::testing
