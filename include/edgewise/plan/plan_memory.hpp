// The scratch memory of a plan: prepared fields and slots, counters of arrivals, and sums of parameters.
#pragma once

#include <cstddef>
#include <cstdint>

#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/engine/concept.hpp>

namespace edgewise::detail {

/// Bytes of each part.
struct plan_memory_sizes {
  std::size_t scratch = 0;       ///< prepared fields, and slots behind them
  std::size_t num_counters = 0;  ///< zero between launches
  std::size_t partials = 0;
};

template <class Exec>
class plan_memory {
public:
  plan_memory() = default;
  plan_memory(Exec const& exec, plan_memory_sizes sizes)
      : scratch_(sizes.scratch, engine<Exec>::memory(exec), stream_of(exec)),
        arrivals_(sizes.num_counters, engine<Exec>::memory(exec), stream_of(exec)),
        partials_(sizes.partials, engine<Exec>::memory(exec), stream_of(exec)) {
    if (arrivals_.size() > 0) engine<Exec>::clear(exec, arrivals_.data(), arrivals_.size_bytes());
  }

  std::size_t size_bytes() const { return scratch_.size_bytes() + arrivals_.size_bytes() + partials_.size_bytes(); }
  /// As a pass sees it whose slots begin at a byte of the scratch part.
  workspace_view view(std::size_t first_slot_byte) const {
    return {const_cast<char*>(scratch_.data()) + first_slot_byte, const_cast<std::uint32_t*>(arrivals_.data()),
            const_cast<char*>(partials_.data())};
  }

private:
  buffer<char, typename Exec::space> scratch_;
  buffer<std::uint32_t, typename Exec::space> arrivals_;
  buffer<char, typename Exec::space> partials_;
};

}  // namespace edgewise::detail
