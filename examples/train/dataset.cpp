#include "train/dataset.hpp"

#include <edgewise/core/error.hpp>

#include "train/generated_dataset.hpp"

namespace edgewise::train {

dataset load_dataset(std::string const& name) {
  if (name == "karate") return karate_dataset();
  if (name == "sbm") return block_model_dataset();
  throw invalid_argument(edgewise::detail::text("--data ", name, ": not a data set, there are karate and sbm"));
}

}  // namespace edgewise::train
