// Which process has which vertices, and what processes do not train together.
#pragma once

#include <string>

#include <edgewise/distributed/ownership.hpp>

#include "train/task.hpp"

namespace edgewise::train {

/// By --partition. Throws `invalid_argument` for one that this program was built without.
ownership owners_of(task const& data, std::string const& partition_by, int num_ranks);

/// Throws `invalid_argument` that says why ranks do not train a model.
[[noreturn]] void refuse_for_ranks(std::string const& model);

}  // namespace edgewise::train
