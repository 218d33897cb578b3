// Stands in for mpi_ranks.cpp in a build without MPI.
#include <cstdlib>

#include <edgewise/core/error.hpp>

#include "train/ranks.hpp"

namespace edgewise::train {

struct ranks::world {};

ranks::ranks() { throw invalid_argument("--ranks: this program was built without MPI"); }
ranks::~ranks() = default;

int ranks::rank() const { return 0; }
void ranks::abort() const { std::abort(); }
run_record ranks::train(task const&, options const&, std::uint64_t, epoch_observer const&) { return {}; }

}  // namespace edgewise::train
