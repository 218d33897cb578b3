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

namespace edgewise::models {

struct agnn_architecture;
struct appnp_architecture;
struct gat_architecture;
struct gatv2_architecture;
struct gcn_architecture;
struct gin_architecture;
struct gt_architecture;
struct monet_architecture;
struct pna_architecture;
struct rgcn_architecture;
struct sage_architecture;
struct sage_max_architecture;
struct sgc_architecture;

}  // namespace edgewise::models

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
  f("agnn", type_tag<models::agnn_architecture>{});
  f("appnp", type_tag<models::appnp_architecture>{});
  f("gat", type_tag<models::gat_architecture>{});
  f("gatv2", type_tag<models::gatv2_architecture>{});
  f("gcn", type_tag<models::gcn_architecture>{});
  f("gin", type_tag<models::gin_architecture>{});
  f("gt", type_tag<models::gt_architecture>{});
  f("monet", type_tag<models::monet_architecture>{});
  f("pna", type_tag<models::pna_architecture>{});
  f("rgcn", type_tag<models::rgcn_architecture>{});
  f("sage", type_tag<models::sage_architecture>{});
  f("sage_max", type_tag<models::sage_max_architecture>{});
  f("sgc", type_tag<models::sgc_architecture>{});
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
