// What a forward pass over a part keeps for its backward pass.
#pragma once

#include <cstddef>

#include <edgewise/plan/plan_mark.hpp>

namespace edgewise::inline v0::detail {

/// The saved states (plan/saved_state.hpp) of the interior and of the boundary, and the rows of sources that were
/// received.
template <class Saved, class Tables>
struct parts_saved {
  Saved interior;
  Saved boundary;
  Tables tables;

  std::size_t size_bytes() const { return interior.size_bytes() + boundary.size_bytes() + tables.size_bytes(); }

  template <int Gather = 0>
  void argument() const {
    static_assert(Gather < 0, "argument: is not to be had over a distributed graph, whose edges are on several ranks");
  }
  void check_maker(shared_mark const& plan, char const* call) const { interior.check_maker(plan, call); }
  void check_filled(shared_mark const& plan, char const* call) const {
    interior.check_filled(plan, call);
    boundary.check_filled(plan, call);
  }
  template <class Adjoint>
  void check_output_type(char const* call) const {
    interior.template check_output_type<Adjoint>(call);
  }
  template <class... Request>
  void check_output_stays(Request const&... requests) const {
    interior.check_output_stays(requests...);
    boundary.check_output_stays(requests...);
  }
  void keep() {
    interior.keep();
    boundary.keep();
  }
};

}  // namespace edgewise::inline v0::detail
