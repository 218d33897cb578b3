#include "train/vertex_owners.hpp"

#include <edgewise/core/error.hpp>
#include <edgewise/distributed/partition.hpp>
#ifdef EDGEWISE_TRAINS_WITH_METIS
#include <edgewise/vendor/metis.hpp>
#endif

#include "trained_models.hpp"  // EDGEWISE_RANKED_MODELS, written by CMake

namespace edgewise::train {

ownership owners_of(task const& data, std::string const& partition_by, int num_ranks) {
  if (partition_by == "edges") return partition(data.by_destination, num_ranks, by_edges{});
#ifdef EDGEWISE_TRAINS_WITH_METIS
  return partition(data.by_destination, num_ranks, metis{});
#else
  throw invalid_argument("--partition metis: this program was built without METIS");
#endif
}

void refuse_for_ranks(std::string const& model) {
  std::string names;
#define EDGEWISE_ADD_NAME(name) names += std::string(names.empty() ? "" : ", ") + #name;
  EDGEWISE_RANKED_MODELS(EDGEWISE_ADD_NAME)
#undef EDGEWISE_ADD_NAME
  throw invalid_argument("--ranks: of this program's models ranks train " + names + ", not " + model);
}

}  // namespace edgewise::train
