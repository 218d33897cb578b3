// Host arrays in a context's memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include <edgewise/core/memory.hpp>

namespace edgewise::models {

/// A copy of a host array, which has `data` and `size`, in the context's memory. Does not wait for it; the array
/// may go away on return unless it is pinned (context.cuh).
template <class Context, class Array>
auto uploaded(Context const& context, Array const& host) {
  using T = std::remove_cvref_t<decltype(*host.data())>;
  auto const size = static_cast<std::int64_t>(host.size());
  buffer<T, typename Context::space> result = context.template make_buffer<T>(size);
  context.upload(host.data(), size, result.data());
  return result;
}

}  // namespace edgewise::models
