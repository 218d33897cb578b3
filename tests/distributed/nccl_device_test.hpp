// Cases over GPUs, and what goes wrong between them.
#pragma once

#include <cstddef>
#include <string>

#include "gather/sum_cases.hpp"
#include "program/attention_cases.hpp"

namespace edgewise::testing {

/// The last rank sends nothing to the others, which wait for it half a second: what they are told, empty at that rank.
std::string error_of_missing_rank();
/// The sum of the ranks' numbers by a communicator whose ranks meet at an address.
int sum_by_address();
/// Messages of small and large arrays, of memory that a direct communicator knows and of other, go around the ranks:
/// how many bytes arrive wrong.
std::size_t wrong_bytes_of_direct_messages();
/// What ranks are told of which the first alone transfers directly.
std::string error_of_other_transfer();
/// What two starts without a finish are told.
std::string error_of_second_start();

}  // namespace edgewise::testing
