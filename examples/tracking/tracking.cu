// Particle tracking on a stream: scores from device pointers, compared with the host's. Exits with 77 without a device.
#include <cmath>
#include <cstddef>
#include <iostream>
#include <span>
#include <vector>

#include <edgewise/edgewise.cuh>
#include <edgewise/format/convert.cuh>

#include "events.hpp"
#include "tracking.hpp"

namespace ew = edgewise;

extern template void tracking::score_edges(ew::cpu const&, float const*, std::int64_t, std::int64_t const*,
                                           std::int64_t, float const*, float*);  // on_host.cpp

int main() {
  int num_devices = 0;
  if (cudaGetDeviceCount(&num_devices) != cudaSuccess || num_devices == 0) return 77;

  auto const event = tracking::make_event({1});
  std::vector<float> values(tracking::parameters<float>::size), scores(event.is_true.size());
  for (tracking::uniform draw{2}; float& value : values) value = draw(-0.4, 0.4);

  ew::cuda const device{.stream = cudaStreamPerThread};
  auto const hits = ew::to_device(device, std::span<float const>(event.hits));
  auto const edge_index = ew::to_device(device, std::span<std::int64_t const>(event.edge_index));
  auto const weights = ew::to_device(device, std::span<float const>(values));
  auto result = ew::to_device(device, std::span<float const>(scores));
  tracking::score_edges(device, hits.data(), event.num_hits(), edge_index.data(), event.num_edges(), weights.data(),
                        result.data());
  tracking::score_edges(ew::cpu{}, event.hits.data(), event.num_hits(), event.edge_index.data(), event.num_edges(),
                        values.data(), scores.data());
  auto const found = ew::to_host(device, result);
  int different = 0;
  for (std::size_t e = 0; e < scores.size(); ++e) different += !(std::abs(found[e] - scores[e]) < 1e-5f);
  std::cout << different << " of " << scores.size() << " scores differ between device and host\n";
  return different == 0 ? 0 : 1;
}
