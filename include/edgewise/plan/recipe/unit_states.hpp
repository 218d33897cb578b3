// What the forward pass of a chain of units keeps for backward.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include <edgewise/core/memory.hpp>
#include <edgewise/plan/plan_mark.hpp>
#include <edgewise/plan/plan_memory.hpp>

namespace edgewise::inline v0::detail {

/// What the forward pass of a chain keeps: the state of each unit, and the values between them, which backward reads.
template <class Types, class Space>
class unit_states {
  /// A unit that does not run, whose value is another's or a part of it, has nothing of its own.
  struct no_state {
    std::size_t size_bytes() const { return 0; }
    void check_filled(shared_mark const&, char const*) const {}
    void keep() {}
  };
  template <int K, bool Runs>
  struct state_of {
    using type = typename Types::template unit<K>::recipe::saved_type;
  };
  template <int K>
  struct state_of<K, false> {
    using type = no_state;
  };
  template <class Sequence>
  struct states_of;
  template <int... K>
  struct states_of<std::integer_sequence<int, K...>> {
    using type = std::tuple<typename state_of<K, Types::template runs<K>>::type...>;
  };

public:
  typename states_of<std::make_integer_sequence<int, Types::num_units>>::type states;
  std::array<buffer<typename Types::T, Space>, static_cast<std::size_t>(Types::num_values)> values;

  std::size_t size_bytes() const {
    std::size_t bytes = 0;
    for (auto const& x : values) bytes += x.size_bytes();
    return std::apply([&](auto const&... state) { return (bytes + ... + state.size_bytes()); }, states);
  }
  /// Of the gathers of the last unit, as `explain` counts them.
  template <int Gather = 0>
  auto argument() const {
    return last().template argument<Gather>();
  }

  void check_maker(shared_mark const& plan, char const* call) const { last().check_maker(plan, call); }
  /// A pass that threw in one unit has left the others' states of two passes.
  void check_filled(shared_mark const& plan, char const* call) const {
    std::apply([&](auto const&... state) { (state.check_filled(plan, call), ...); }, states);
  }
  template <class Adjoint>
  void check_output_type(char const* call) const {
    last().template check_output_type<Adjoint>(call);
  }
  template <class... Request>
  void check_output_stays(Request const&... requests) const {
    last().check_output_stays(requests...);
  }
  void keep() {
    std::apply([](auto&... state) { (state.keep(), ...); }, states);
  }

private:
  auto const& last() const { return std::get<static_cast<std::size_t>(Types::num_values)>(states); }
};

}  // namespace edgewise::inline v0::detail
