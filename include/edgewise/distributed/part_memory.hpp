// Arrays of a part where passes run: on the host those that are there, on a GPU copies.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>

namespace edgewise::inline v0::detail {

/// How such arrays are made. `place`, `make`: they stay, as parts of graphs and plans; `show`, `make_passing`: they go
/// before the call ends that makes them. Copies run on the stream of a resource: what is shown or copied outlives them.
/// For `cuda`: distributed/device.cuh.
template <class Exec>
struct part_memory;
template <>
struct part_memory<cpu> {
  template <class T>
  static host_buffer<T> place(cpu const&, host_buffer<T> values) {
    return values;
  }
  template <class T>
  static host_buffer<T> make(cpu const& exec, std::size_t size) {
    return host_buffer<T>(size, exec.memory);
  }
  /// Numbers of the host, to be read.
  template <class T>
  static std::span<T const> show(cpu const&, std::span<T const> values) {
    return values;
  }
  template <class T>
  static host_buffer<T> make_passing(cpu const& exec, std::size_t size) {
    return make<T>(exec, size);
  }
  /// Numbers of the host.
  template <class T>
  static void copy(cpu const&, std::span<T const> from, T* to) {
    if (!from.empty()) std::memcpy(to, from.data(), from.size_bytes());
  }
  /// The numbers, for the host to read. Waits for the stream.
  template <class T>
  static std::span<T const> read(cpu const&, host_buffer<T> const& values) {
    return {values.data(), values.size()};
  }
  static void wait(cpu const&) {}
};

template <class T>
host_buffer<T> buffer_of_list(std::vector<T> const& values) {
  return copy_of(std::span<T const>(values));
}
template <class T>
std::span<T const> span_of(host_buffer<T> const& values) {
  return {values.data(), values.size()};
}

}  // namespace edgewise::inline v0::detail
