// What goes wrong between GPUs.
#pragma once

#include <string>

namespace edgewise::testing {

/// The last rank sends nothing to the others, which wait for it half a second: what they are told, empty at that rank.
std::string error_of_missing_rank();
/// What two starts without a finish are told.
std::string error_of_second_start();

}  // namespace edgewise::testing
