// Tasks that need no files: the karate club and a stochastic block model.
#pragma once

#include "train/task.hpp"

namespace edgewise::train {

/// Zachary's karate club: the instructor (0) and the president (33) are labelled, every other member is a test vertex.
/// A vertex's only feature is its own identity (F = V), as in Kipf & Welling 2017, appendix A.
task karate_task();

/// Four communities of 250 vertices with about 7.5 links inside and 1.5 to others per vertex, the same in every run.
/// The first 20 vertices of each are for training, the next 30 for validation, the rest for testing; features are
/// identities.
task block_model_task();

}  // namespace edgewise::train
