// One run, or prediction, of each model on each device. Each is compiled in a file of its own (CMakeLists.txt), side by
// side.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/type_list.hpp>

#include "models/saved_model.hpp"
#include "train/options.hpp"
#include "train/record.hpp"
#include "train/sampling.hpp"
#include "train/task.hpp"
#include "trained_models.hpp"  // EDGEWISE_TRAINED_MODELS, written by CMake

#define EDGEWISE_DECLARE_MODEL(name) struct name##_architecture;
namespace edgewise::models {
EDGEWISE_TRAINED_MODELS(EDGEWISE_DECLARE_MODEL)
}  // namespace edgewise::models
#undef EDGEWISE_DECLARE_MODEL

namespace edgewise::train {

/// Train once, as `train_on_cpu` (on_cpu.cpp) and `train_on_cuda` (on_cuda.cu) do.
template <class Architecture>
run_record run_on_cpu(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe);
template <class Architecture>
run_record run_on_cuda(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe);

/// Logits [V, classes] of a trained model, as `predict_on_cpu` (on_cpu.cpp) and `predict_on_cuda` (on_cuda.cu) give
/// them.
template <class Architecture>
std::vector<float> logits_on_cpu(task const& data, models::saved_model<float> const& model, sampling const& how,
                                 int num_threads);
template <class Architecture>
std::vector<float> logits_on_cuda(task const& data, models::saved_model<float> const& model, sampling const& how);

/// Calls f(name, type_tag<Architecture>) for each model that can be trained.
template <class F>
void for_each_model(F const& f) {
#define EDGEWISE_CALL_FOR_MODEL(name) f(#name, type_tag<models::name##_architecture>{});
  EDGEWISE_TRAINED_MODELS(EDGEWISE_CALL_FOR_MODEL)
#undef EDGEWISE_CALL_FOR_MODEL
}

/// What f(type_tag<Architecture>) returns for the model of a name. Throws `invalid_argument` where there is none.
template <class F>
auto with_model(std::string const& name, F const& f) {
  std::optional<decltype(f(type_tag<models::gcn_architecture>{}))> result;
  for_each_model([&](char const* other, auto architecture) {
    if (name == other) result.emplace(f(architecture));
  });
  if (!result) throw invalid_argument("there is no model " + name);
  return *std::move(result);
}

}  // namespace edgewise::train
