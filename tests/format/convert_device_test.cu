#include <edgewise/format/convert.cuh>
#include <edgewise/format/validate.cuh>

#include "../support/device.cuh"
#include "convert_device.hpp"

namespace edgewise::testing {
namespace {

template <class Offset>
device_conversions<Offset> convert(coo<std::int32_t, Offset> const& edges) {
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  device_conversions<Offset> result;
  {
    auto const on_device = to_device(exec, edges);
    auto const by_destination = to_csr(exec, on_device);
    auto const by_source = to_csc(exec, on_device);
    result.by_destination = to_host(exec, by_destination);
    result.by_source = to_host(exec, by_source);
    result.csr_to_csc = to_host(exec, to_csc(exec, by_destination));
    result.csc_to_csr = to_host(exec, to_csr(exec, by_source));
    result.csr_to_coo = to_host(exec, to_coo(exec, by_destination));
    result.csc_to_coo = to_host(exec, to_coo(exec, by_source));
  }
  stream.synchronize();
  return result;
}

template <class Validate>
std::string message_of(Validate const& run) {
  device_stream const stream;
  std::string message;
  try {
    run(cuda{.stream = stream.get()});
  } catch (invalid_argument const& refusal) {
    message = refusal.what();
  }
  stream.synchronize();
  return message;
}

}  // namespace

device_conversions<std::int32_t> convert_on_device(coo<std::int32_t, std::int32_t> const& edges) {
  return convert(edges);
}
device_conversions<std::int64_t> convert_on_device(coo<std::int32_t, std::int64_t> const& edges) {
  return convert(edges);
}

std::string validate_on_device(csr<> const& rows) {
  return message_of([&](cuda const& exec) { validate(exec, to_device(exec, rows)); });
}
std::string validate_on_device(coo<> const& edges) {
  return message_of([&](cuda const& exec) { validate(exec, to_device(exec, edges)); });
}
std::string validate_on_device(csr<> const& by_destination, csc<> const& by_source) {
  return message_of([&](cuda const& exec) {
    auto const rows = to_device(exec, by_destination);
    auto const columns = to_device(exec, by_source);
    validate(exec, graph{rows, columns});
  });
}

}  // namespace edgewise::testing
