// Tasks from files.
#pragma once

#include <string>

#include "train/task.hpp"

namespace edgewise::train {

/// The task in a folder of .npy files (io/npy_folder.hpp) or, where there is no edge_index.npy, of the files of one
/// network of Planetoid (io/planetoid.hpp), with row-normalised features; where there are none, a vertex's only feature
/// is its own identity. Throws `io_error` for what cannot be read and `invalid_argument` for a folder without labels,
/// training rows or test rows; for prediction none of them is needed. Where there are labels.npy and labels_multi.npy
/// the first counts.
task folder_task(std::string const& path, purpose use = purpose::training);

}  // namespace edgewise::train
