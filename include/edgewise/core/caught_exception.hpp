// What functions of users throw inside of a parallel region, which nothing may leave.
#pragma once

#include <atomic>
#include <exception>

namespace edgewise::inline v0::detail {

/// The first exception that the threads of a region throw. `enter` and `run` inside the region, `rethrow` after it.
class caught_exception {
public:
  /// Calls work(argument...) unless something was thrown before. Where it cannot throw, nothing is left of this but a
  /// load.
  template <class Work, class... Argument>
  void run(Work const& work, Argument... argument) noexcept {
    if (!is_thrown_.load(std::memory_order_relaxed)) enter(work, argument...);
  }
  /// Calls work(argument...) in any case: for what all threads of a region come to, such as a loop that they share.
  template <class Work, class... Argument>
  void enter(Work const& work, Argument... argument) noexcept {
    try {
      work(argument...);
    } catch (...) {
      if (!is_thrown_.exchange(true)) exception_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

private:
  std::atomic<bool> is_thrown_ = false;
  std::exception_ptr exception_;
};

}  // namespace edgewise::inline v0::detail
