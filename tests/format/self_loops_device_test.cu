#include <edgewise/format/self_loops.cuh>

#include "../support/device.cuh"
#include "self_loops_device.hpp"

namespace edgewise::testing {
namespace {

template <class Offset>
coo<std::int32_t, Offset> run(coo<std::int32_t, Offset> const& edges, self_loops policy) {
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  coo<std::int32_t, Offset> result;
  {
    auto const on_device = to_device(exec, edges);
    result = policy == self_loops::drop ? to_host(exec, remove_self_loops(exec, on_device))
                                        : to_host(exec, add_self_loops(exec, on_device, policy));
  }
  stream.synchronize();
  return result;
}

}  // namespace

coo<std::int32_t, std::int32_t> self_loops_on_device(coo<std::int32_t, std::int32_t> const& edges, self_loops policy) {
  return run(edges, policy);
}
coo<std::int32_t, std::int64_t> self_loops_on_device(coo<std::int32_t, std::int64_t> const& edges, self_loops policy) {
  return run(edges, policy);
}

std::string refusal_on_device(coo<> const& edges, self_loops policy) {
  device_stream const stream;
  std::string message;
  try {
    cuda const exec{.stream = stream.get()};
    add_self_loops(exec, to_device(exec, edges), policy);
  } catch (invalid_argument const& refusal) {
    message = refusal.what();
  }
  stream.synchronize();
  return message;
}

}  // namespace edgewise::testing
