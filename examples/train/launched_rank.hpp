// What scripts/launch-ranks tells the processes that it starts.
#pragma once

#include <optional>
#include <string>

namespace edgewise::train {

/// A process that the script started, all on one machine.
struct launched_rank {
  int rank;
  int num_ranks;
  std::string meeting_file;  // by which the processes find one another
};

/// Reads EDGEWISE_RANK, EDGEWISE_RANKS and EDGEWISE_RANKS_MEET_AT; nothing where there is no EDGEWISE_RANK. Throws
/// `invalid_argument` where another one is missing, or they are no rank and number of ranks.
std::optional<launched_rank> read_launched_rank();

}  // namespace edgewise::train
