// One run of each model on each device. Each is compiled in a file of its own (CMakeLists.txt), side by side.
#pragma once

#include <cstdint>

#include <edgewise/core/error.hpp>
#include <edgewise/core/type_list.hpp>

#include "train/options.hpp"
#include "train/record.hpp"
#include "train/task.hpp"

namespace edgewise::models {

struct agnn_architecture;
struct gat_architecture;
struct gatv2_architecture;
struct gcn_architecture;
struct gt_architecture;
struct sage_architecture;
struct sgc_architecture;

}  // namespace edgewise::models

namespace edgewise::train {

using run_function = run_record(task const&, options const&, std::uint64_t seed, epoch_observer const&);

/// Train once, as `train_on_cpu` (on_cpu.cpp) and `train_on_cuda` (on_cuda.cu) do.
template <class Architecture>
run_record run_on_cpu(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe);
template <class Architecture>
run_record run_on_cuda(task const& data, options const& options, std::uint64_t seed, epoch_observer const& observe);

/// Calls f(name, type_tag<Architecture>) for each model that can be trained.
template <class F>
void for_each_model(F const& f) {
  f("agnn", type_tag<models::agnn_architecture>{});
  f("gat", type_tag<models::gat_architecture>{});
  f("gatv2", type_tag<models::gatv2_architecture>{});
  f("gcn", type_tag<models::gcn_architecture>{});
  f("gt", type_tag<models::gt_architecture>{});
  f("sage", type_tag<models::sage_architecture>{});
  f("sgc", type_tag<models::sgc_architecture>{});
}

}  // namespace edgewise::train
