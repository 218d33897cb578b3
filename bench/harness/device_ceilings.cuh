// The ceilings of a device, measured when they are first asked for and kept for the run.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "copy_bandwidth.cuh"
#include "gather_bandwidth.cuh"

namespace edgewise::bench {

/// Copy bandwidth and flops at once; gathers by table size and row width. Synchronises.
class device_ceilings {
public:
  explicit device_ceilings(cudaStream_t stream)
      : stream_(stream), copy_(copy_bandwidth(stream)), flops_(multiply_add_rate(stream)) {
    check_cuda(cudaGetDevice(&device_), "device_ceilings: device");
    check_cuda(cudaDeviceGetAttribute(&l2_bytes_, cudaDevAttrL2CacheSize, device_), "device_ceilings: L2");
  }

  double copy() const { return copy_; }
  double flops() const { return flops_; }

  /// The rows of the cell's own table, and beside them, for the record, rows of that width from memory and from a table
  /// that lies in L2.
  double gather(std::int64_t table_rows, std::int64_t row_bytes) {
    measured(std::max<std::int64_t>(1, (std::int64_t{1} << 32) / row_bytes), row_bytes);
    measured(std::max<std::int64_t>(1, l2_bytes_ / 4 / row_bytes), row_bytes);
    return measured(table_rows, row_bytes);
  }
  ceilings as_bounds() {
    return {.copy_bandwidth = copy_, .flops = flops_, .gather = [this](std::int64_t rows, std::int64_t bytes) {
              return gather(rows, bytes);
            }};
  }
  std::vector<gather_ceiling> gathers() const {
    std::vector<gather_ceiling> all;
    for (auto const& [key, bandwidth] : gathers_) all.push_back({key.second, key.first, bandwidth});
    return all;
  }

private:
  double measured(std::int64_t rows, std::int64_t row_bytes) {
    auto const [at, is_new] = gathers_.try_emplace({row_bytes, rows}, 0);
    if (is_new) at->second = gather_bandwidth(rows, row_bytes, stream_);
    return at->second;
  }

  cudaStream_t stream_;
  int device_ = 0;
  int l2_bytes_ = 0;
  double copy_;
  double flops_;
  std::map<std::pair<std::int64_t, std::int64_t>, double> gathers_;  // {row bytes, rows}
};

}  // namespace edgewise::bench
