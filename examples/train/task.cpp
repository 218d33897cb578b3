#include "train/task.hpp"

#include <filesystem>

#include <edgewise/core/error.hpp>

#include "train/folder_task.hpp"
#include "train/generated_task.hpp"

namespace edgewise::train {

task load_task(std::string const& name, purpose use) {
  if (name == "karate") return karate_task();
  if (name == "sbm") return block_model_task();
  if (std::filesystem::is_directory(name)) return folder_task(name, use);
  throw invalid_argument(edgewise::detail::text("--data ", name, ": neither karate, sbm nor a folder"));
}

}  // namespace edgewise::train
