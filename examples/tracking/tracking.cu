// Particle tracking on a stream: scores from device pointers, compared with the host's. Exits with 77 without a device.
#include <cmath>
#include <cstddef>
#include <iostream>
#include <limits>
#include <vector>

#include <edgewise/edgewise.cuh>
#include <edgewise/format/convert.cuh>

#include "events.hpp"
#include "tracking.hpp"

namespace ew = edgewise;

int main() {
  int num_devices = 0;
  if (cudaGetDeviceCount(&num_devices) != cudaSuccess || num_devices == 0) return 77;

  auto const event = tracking::make_event({1});
  std::vector<float> values(tracking::parameters<float>::size), scores(event.is_true.size());
  for (tracking::uniform draw{2}; float& value : values) value = draw(-0.4, 0.4);

  ew::cuda const device{.stream = cudaStreamPerThread};
  auto const hits = ew::to_device(device, event.hits);
  auto const edge_index = ew::to_device(device, event.edge_index);
  auto const weights = ew::to_device(device, values);
  auto const unwritten = std::vector<float>(scores.size(), std::numeric_limits<float>::quiet_NaN());
  auto result = ew::to_device(device, unwritten);
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
