#include <edgewise/format/typed_edges.cuh>
#include <edgewise/format/typed_pairs.cuh>
#include <edgewise/format/validate.cuh>

#include "../support/device.cuh"
#include "typed_edges_device.hpp"

namespace edgewise::testing {
namespace {

typed_pairs<> download(cuda const& exec, typed_pairs<int, int, device_space> const& pairs) {
  return {.offsets = to_host(exec, pairs.offsets),
          .vertices = to_host(exec, pairs.vertices),
          .edges = to_host(exec, pairs.edges),
          .members = to_host(exec, pairs.members)};
}

}  // namespace

device_types types_on_device(csr<> const& rows, coo<> const& edges, std::vector<int> const& types, int num_types) {
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  device_types result;
  {
    auto const by_destination = to_device(exec, rows);
    auto const pairs = to_device(exec, edges);
    auto const on_device = to_device(exec, std::span<int const>(types));
    auto const by_type = to_typed_edges(exec, by_destination, on_device.data(), num_types);
    validate(exec, graph{by_destination, by_type});
    result.from_csr = to_host(exec, by_type);
    result.from_coo = to_host(exec, to_typed_edges(exec, pairs, on_device.data(), num_types));
    result.copied = to_host(exec, to_device(exec, result.from_csr));
    result.by_source = download(exec, find_typed_pairs(exec, by_type, endpoint::source));
    result.by_destination = download(exec, find_typed_pairs(exec, by_type, endpoint::destination));
  }
  stream.synchronize();
  return result;
}

}  // namespace edgewise::testing
