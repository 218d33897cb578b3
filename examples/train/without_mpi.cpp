// Stands in for mpi_ranks.cpp in a build without MPI.
#include <edgewise/core/error.hpp>

#include "train/ranks.hpp"

namespace edgewise::train {

std::unique_ptr<ranks> ranks_on_cpu() {
  throw invalid_argument("--ranks --device cpu: this program was built without MPI");
}

}  // namespace edgewise::train
