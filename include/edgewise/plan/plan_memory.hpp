// The scratch memory of a plan: prepared fields and slots, counters of arrivals, and sums of parameters.
#pragma once

#include <cstddef>
#include <cstdint>

#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/engine/concept.hpp>

namespace edgewise::inline v0::detail {

/// Bytes of each part of a plan's scratch memory.
struct plan_memory_sizes {
  std::size_t scratch = 0;       ///< prepared fields, and slots behind them
  std::size_t num_counters = 0;  ///< zero between launches
  std::size_t partials = 0;
  std::size_t staged = 0;
};

/// Memory that calls of a plan write although they are const: a plan is the same after a call as before, and two calls
/// at once are refused (plan/plan_mark.hpp).
template <class T, class Space>
class scratch {
public:
  scratch() = default;
  template <class Exec>
  scratch(Exec const& exec, std::size_t size) : memory_(size, engine<Exec>::memory(exec), stream_of(exec)) {}

  T* data() const { return memory_.data(); }
  std::size_t size() const { return memory_.size(); }
  std::size_t size_bytes() const { return memory_.size_bytes(); }

private:
  mutable buffer<T, Space> memory_;
};

template <class Exec>
class plan_memory {
public:
  plan_memory() = default;
  plan_memory(Exec const& exec, plan_memory_sizes sizes)
      : scratch_(exec, sizes.scratch),
        arrivals_(exec, sizes.num_counters),
        partials_(exec, sizes.partials),
        staged_(exec, sizes.staged) {
    if (arrivals_.size() > 0) engine<Exec>::clear(exec, arrivals_.data(), arrivals_.size_bytes());
  }

  std::size_t size_bytes() const {
    return scratch_.size_bytes() + arrivals_.size_bytes() + partials_.size_bytes() + staged_.size_bytes();
  }
  /// The memory as a pass sees it whose slots begin at a byte of the scratch part.
  workspace_view view(std::size_t first_slot_byte) const {
    return {scratch_.data() + first_slot_byte, arrivals_.data(), partials_.data(), staged_.data(),
            static_cast<std::int64_t>(staged_.size())};
  }

private:
  scratch<char, typename Exec::space> scratch_;
  scratch<std::uint32_t, typename Exec::space> arrivals_;
  scratch<char, typename Exec::space> partials_;
  scratch<char, typename Exec::space> staged_;
};

}  // namespace edgewise::inline v0::detail
