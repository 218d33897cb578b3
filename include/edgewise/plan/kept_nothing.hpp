// What a forward pass keeps that keeps nothing: that it ran.
#pragma once

#include <cstddef>
#include <cstdint>

#include <edgewise/core/error.hpp>
#include <edgewise/plan/plan_mark.hpp>

namespace edgewise::inline v0::detail {

/// The saved state (plan/saved_state.hpp) of a plan or unit whose backward pass reads its operands alone.
class kept_nothing {
public:
  kept_nothing() = default;
  explicit kept_nothing(shared_mark const& maker) : maker_(maker) {}
  std::size_t size_bytes() const { return 0; }

  /// A pass begins, which may throw.
  void begin() {
    is_filled_ = false;
    num_rebuilds_ = maker_->num_rebuilds;
  }
  void keep() { is_filled_ = true; }
  void check_maker(shared_mark const& plan, char const* call) const {
    if (!maker_) throw invalid_argument(text(call, ": saved is empty; it is made by make_saved of the plan"));
    if (maker_ != plan)
      throw invalid_argument(text(call, ": saved was made by another plan; use make_saved of this one"));
  }
  void check_filled(shared_mark const& plan, char const* call) const {
    check_maker(plan, call);
    if (!is_filled_) throw invalid_argument(text(call, ": saved holds nothing; pass it to forward first"));
    if (num_rebuilds_ != plan->num_rebuilds) {
      throw invalid_argument(
          text(call, ": saved was filled before rebuild, of another graph; pass it to forward again"));
    }
  }
  template <class Adjoint>
  void check_output_type(char const*) const {}
  template <class... Request>
  void check_output_stays(Request const&...) const {}
  template <int Gather = 0>
  void argument() const {
    static_assert(Gather < 0, "argument: the unit that makes the output gathers nothing");
  }

private:
  shared_mark maker_;
  bool is_filled_ = false;
  std::uint64_t num_rebuilds_ = 0;
};

}  // namespace edgewise::inline v0::detail
