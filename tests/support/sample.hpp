// A sample of the cases of long tests, for tools that make every kernel a hundred times slower.
#pragma once

#include <cstdlib>

namespace edgewise::testing {

/// True once in EDGEWISE_TEST_SAMPLE calls, and always without that variable.
inline bool is_sampled() {
  static int const period = [] {
    char const* const text = std::getenv("EDGEWISE_TEST_SAMPLE");
    int const number = text ? std::atoi(text) : 1;
    return number > 1 ? number : 1;
  }();
  static int calls = 0;
  return calls++ % period == 0;
}

}  // namespace edgewise::testing
