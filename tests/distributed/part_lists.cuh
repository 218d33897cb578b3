// Lists of parts on the current device.
#pragma once

#include <edgewise/distributed.cuh>

#include "part_lists.hpp"
#include "support/device.cuh"
#include "thread_ranks.cuh"

namespace edgewise::testing {

template <>
struct list_reader<cuda> {
  template <class T>
  static std::vector<std::int64_t> read(cuda const& exec, T const* data, std::size_t size) {
    auto const copy = edgewise::detail::start_download(exec, data, size);
    edgewise::detail::wait(exec);
    return {copy.begin(), copy.end()};
  }
};

/// A stream for each rank.
inline constexpr auto on_device = [](auto const& work) {
  device_stream const stream;
  work(cuda{.stream = stream.get()});
  stream.synchronize();
};

}  // namespace edgewise::testing
