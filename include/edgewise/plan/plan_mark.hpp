// By its mark a plan knows what it made, where its calls run, and that nobody else is running it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include <edgewise/core/error.hpp>
#include <edgewise/core/profiler_range.hpp>
#include <edgewise/engine/concept.hpp>

namespace edgewise::inline v0::detail {

/// One for each plan, also held by the saved states that the plan made, so that no other plan can get its address.
struct plan_mark {
  std::atomic_flag running;
  std::uint64_t num_rebuilds = 0;  ///< what a pass before the last one kept is of another graph
};
using shared_mark = std::shared_ptr<plan_mark>;

/// The mark of a plan for an engine, with the place where it was made.
template <class Exec>
struct placed_mark : plan_mark {
  typename engine<Exec>::site site;
  explicit placed_mark(Exec const& exec) : site(exec, "plan") { site.refuse_capture(exec, "plan"); }
};
template <class Exec>
using shared_place = std::shared_ptr<placed_mark<Exec>>;

/// Made first of all that a plan has: throws where none can be made, as during a capture.
template <class Exec>
shared_place<Exec> place_plan(Exec const& exec) {
  return std::make_shared<placed_mark<Exec>>(exec);
}

/// Held while a plan is called. Throws `invalid_argument` where the plan has been moved from, where another thread
/// is inside a call of it, whose work would share the plan's workspace, and where the stream is not one of the plan's
/// device. Whether two streams' work overlaps on a device cannot be told here.
/// Scope: `engine<Exec>::site::scope`, or `making` of calls that make what outlives their stream.
template <class Exec, class Scope = typename engine<Exec>::site::scope>
class plan_call {
public:
  plan_call(shared_place<Exec> const& mark, Exec const& exec, char const* call)
      : range_(call), running_(mark.get(), call), scope_(mark->site, exec, call) {}

  /// Throws `invalid_argument` where the engine cannot read an array.
  template <class Name>
  void check_array(void const* data, Name const& name) {
    scope_.check_array(data, name);
  }

private:
  class running {
  public:
    running(plan_mark* mark, char const* call) : mark_(mark) {
      if (!mark_) throw invalid_argument(text(call, ": the plan was moved from; call the one that it was moved to"));
      if (mark_->running.test_and_set(std::memory_order_acquire)) {
        throw invalid_argument("plan: two threads run it at once, but it has one workspace; make a plan for each");
      }
    }
    running(running const&) = delete;
    running& operator=(running const&) = delete;
    ~running() { mark_->running.clear(std::memory_order_release); }

  private:
    plan_mark* mark_;
  };

  [[no_unique_address]] profiler_range range_;
  running running_;
  Scope scope_;
};
template <class Exec>
using making_call = plan_call<Exec, typename engine<Exec>::site::making>;

}  // namespace edgewise::inline v0::detail
