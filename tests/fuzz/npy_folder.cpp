// Folders of arrays.
#include <edgewise/io/npy_folder.hpp>

#include <filesystem>

#include "invariants.hpp"

namespace edgewise::testing {

void fuzz_npy_folder(std::string_view archive) {
  constexpr std::string_view names[] = {
      "meta.json",           "edge_index.npy", "features.npy",     "features_indptr.npy", "features_indices.npy",
      "features_values.npy", "labels.npy",     "labels_multi.npy", "train_idx.npy",       "val_idx.npy",
      "test_idx.npy",        "edge_type.npy",  "node_type.npy"};
  for (auto const name : names) std::filesystem::remove(fuzz_folder().file(name));
  for (auto const& [name, bytes] : files_of(archive)) {
    for (auto const known : names) {
      if (name == known) fuzz_folder().write(name, bytes);
    }
  }
  dataset data;
  if (!accepts([&] { data = read_npy_folder(fuzz_folder().path()); })) return;
  check_dataset(data);
  check_same(data, read_npy_folder(fuzz_folder().path()));
}

}  // namespace edgewise::testing
