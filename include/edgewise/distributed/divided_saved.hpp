// What a forward pass over a part in two pieces keeps for its backward pass.
#pragma once

#include <cstddef>

#include <edgewise/plan/plan_mark.hpp>

namespace edgewise::inline v0::detail {

/// The saved states (plan/saved_state.hpp) of the pieces, and the rows of sources that were received.
template <class Local, class Remote, class Tables>
struct divided_saved {
  Local local;
  Remote remote;
  Tables tables;

  std::size_t size_bytes() const { return local.size_bytes() + remote.size_bytes() + tables.size_bytes(); }

  template <int Gather = 0>
  void argument() const {
    static_assert(Gather < 0, "argument: is not to be had over a distributed graph, whose edges are on several ranks");
  }
  void check_maker(shared_mark const& plan, char const* call) const { local.check_maker(plan, call); }
  void check_filled(shared_mark const& plan, char const* call) const {
    local.check_filled(plan, call);
    remote.check_filled(plan, call);
  }
  template <class Adjoint>
  void check_output_type(char const* call) const {
    remote.template check_output_type<Adjoint>(call);
  }
  template <class... Request>
  void check_output_stays(Request const&... requests) const {
    local.check_output_stays(requests...);
    remote.check_output_stays(requests...);
  }
  void keep() {
    local.keep();
    remote.keep();
  }
};

}  // namespace edgewise::inline v0::detail
