// By its mark a plan knows what it made, and that nobody else is running it.
#pragma once

#include <atomic>
#include <memory>

#include <edgewise/core/error.hpp>

namespace edgewise::detail {

/// One for each plan, also held by the saved states that the plan made, so that no other plan can get its address.
struct plan_mark {
  std::atomic_flag running;
};
using shared_mark = std::shared_ptr<plan_mark>;

/// Held while a plan is called. Throws `invalid_argument` where another thread is inside a call of the same plan: their
/// work would share the plan's workspace. Whether two streams' work overlaps on a device cannot be told here.
class plan_call {
public:
  explicit plan_call(shared_mark const& mark) : mark_(*mark) {
    if (mark_.running.test_and_set(std::memory_order_acquire)) {
      throw invalid_argument("plan: two threads run it at once, but it has one workspace; make a plan for each");
    }
  }
  plan_call(plan_call const&) = delete;
  plan_call& operator=(plan_call const&) = delete;
  ~plan_call() { mark_.running.clear(std::memory_order_release); }

private:
  plan_mark& mark_;
};

}  // namespace edgewise::detail
