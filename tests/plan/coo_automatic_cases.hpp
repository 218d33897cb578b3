// Programs whose edges `automatic` may scatter.
#pragma once

#include "coo_cases.hpp"
#include "program/attention_cases.hpp"

namespace edgewise::testing {

/// As the case, where sums may be taken in any order.
template <class Case>
struct in_any_order : Case {
  using sums = nondeterministic;
};

}  // namespace edgewise::testing
