// autotune: measures a few schedules of a kernel on the caller's own tensors, remembers the fastest, and pins it.
#pragma once

#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/version.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/engine/cuda/engine.cuh>
#include <edgewise/mapping/schedule_policy.hpp>
#include <edgewise/plan/check_arrays.hpp>
#include <edgewise/plan/fuse.hpp>
#include <edgewise/plan/split_groupings.hpp>
#include <edgewise/schedule/sizing.hpp>
#include <edgewise/tuning/schedule_search.hpp>
#include <edgewise/tuning/tuning_cache.hpp>
#include <edgewise/tuning/tuning_clock.cuh>

namespace edgewise::inline v0 {

/// What autotune chose. Times are of one forward pass, with the backward pass if that was asked for; 0 where the choice
/// was remembered.
template <class Split>
struct tuned {
  schedule_policy<Split> policy;
  double milliseconds = 0;      ///< with `policy`
  double own_milliseconds = 0;  ///< with what the kernel's mapping decides
  int num_measured = 0;
};

/// What autotune has measured last.
struct tuning_progress {
  std::string policy;       ///< as `parse_policy` reads it
  double milliseconds = 0;  ///< with it, of what `of_sources` says; infinity where it got no memory or does not fit
  bool of_sources = false;  ///< of the backward pass alone, whose grouping by source is searched, else as in `tuned`
  int num_measured = 0;     ///< schedules until now, this one included
};
/// Called behind every measurement. What it throws ends the search.
using tuning_listener = std::function<void(tuning_progress const&)>;

namespace detail {

template <class... T>
constexpr std::string_view types_text() {
  return __PRETTY_FUNCTION__;
}
/// FNV-1a of the names of types: what a program is, but for its numbers.
template <class... T>
std::uint64_t hash_types() {
  std::uint64_t hash = 14695981039346656037ull;
  for (char const c : types_text<T...>()) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return hash;
}

template <class View>
concept has_row_shape = requires(View const& view) {
  view.heads;
  view.channels;
  view.row_stride;
};
/// Shape of a row, where rows begin, how the first is aligned, and whether a plan keeps its own order of rows: all
/// decide which kernel runs.
template <class View>
std::string row_text(View const& view) {
  if constexpr (has_row_shape<View>) {
    auto const address = reinterpret_cast<std::uintptr_t>(view.data);
    return joined(' ', view.heads, 'x', view.channels, '/', view.row_stride, '@', address % 16,
                  view.is_constant ? " constant" : "");
  } else {
    return "";
  }
}

inline std::string degrees_text(degree_histogram const& degrees) {
  std::string result = joined(degrees.work().num_rows, " rows, ", degrees.work().num_edges, " edges, at most ",
                              degrees.max_degree(), ", by digits");
  auto const bins = degrees.by_digits();
  std::size_t last = bins.size();
  while (last > 0 && bins[last - 1] == 0) --last;
  for (std::size_t k = 0; k < last; ++k) result += joined(' ', bins[k]);
  return result + joined(", spread ", std::round(100 * degrees.distinct_neighbors()), " and ",
                         std::round(100 * degrees.distinct_in_window()));
}

/// The current device: its name and compute capability.
inline std::string device_text() {
  int device = 0;
  check_cuda(cudaGetDevice(&device), "autotune: which device");
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, device), "autotune: read the device");
  return joined(properties.name, " sm_", properties.major, properties.minor);
}

/// What is run to measure: a forward pass that keeps what the backward pass needs, and that pass.
template <class Kernel, class In, class OutView, class... Backward>
class tuning_step {
public:
  using policy_type =
      typename decltype(std::declval<Kernel const&>().plan(cuda{}, std::declval<In const&>()))::policy_type;

  tuning_step(cuda const& exec, tuning_clock const& clock, tuning_listener const& listener, Kernel const& kernel,
              In const& in, output<OutView> const& result, policy_type const& own, Backward const&... backward)
      : exec_{.stream = clock.stream(), .memory = exec.memory},
        clock_(clock),
        listener_(listener),
        kernel_(kernel),
        in_(in),
        out_(result),
        own_(own),
        backward_(make_pack(backward...)) {}

  /// Milliseconds of the passes that a policy's split of one grouping decides; infinity where there is no memory, or
  /// where offsets are too narrow for another split than the mapping's own.
  double operator()(policy_type const& policy, bool of_sources) {
    double const milliseconds = measure_where_it_fits(policy, of_sources);
    ++num_measured_;
    if (listener_) listener_({to_string(policy), milliseconds, of_sources, num_measured_});
    return milliseconds;
  }

private:
  double measure_where_it_fits(policy_type const& policy, bool of_sources) const {
    try {
      return measure(policy, of_sources);
    } catch (std::bad_alloc const&) {
      return std::numeric_limits<double>::infinity();
    } catch (unfit_split const&) {
      if (policy == own_) throw;
      return std::numeric_limits<double>::infinity();
    } catch (cuda_error const& refusal) {
      if (refusal.code() != static_cast<int>(cudaErrorMemoryAllocation)) throw;
      return std::numeric_limits<double>::infinity();
    }
  }
  double measure(policy_type const& policy, bool of_sources) const {
    auto const plan = kernel_.plan(exec_, in_, policy);
    if constexpr (sizeof...(Backward) == 0) {
      return clock_.measure([&] { plan.forward(exec_, in_, out_); });
    } else {
      auto saved = plan.make_saved(exec_);
      auto const run_backward = [&] { call(plan, saved, std::make_index_sequence<sizeof...(Backward)>{}); };
      plan.forward(exec_, in_, out_, saved);
      if (of_sources) return clock_.measure(run_backward);
      return clock_.measure([&] {
        plan.forward(exec_, in_, out_, saved);
        run_backward();
      });
    }
  }
  template <class Plan, class Saved, std::size_t... I>
  void call(Plan const& plan, Saved const& saved, std::index_sequence<I...>) const {
    plan.backward(exec_, in_, saved, get<I>(backward_)...);
  }

  cuda exec_;
  tuning_clock const& clock_;
  tuning_listener const& listener_;
  Kernel const& kernel_;
  In const& in_;
  output<OutView> const& out_;
  policy_type own_;
  pack<Backward...> backward_;
  int num_measured_ = 0;
};

template <class Argument>
inline constexpr bool adds_to_gradient = false;
template <class Target, class View>
inline constexpr bool adds_to_gradient<gradient_request<Target, View, true>> = true;

}  // namespace detail

/// The fastest of at most 46 schedules of a kernel for these operands, by running it: rows cut elsewhere or not at all
/// (equal shares: of other lengths; over tiles: tiles taken or left, windows cut elsewhere), the other orders of rows,
/// pieces ahead of rows and in their place, and where features (for partitions, and what edges read by id) are larger
/// than the level-2 cache other numbers of partitions, other tiles and dot tiles, blocks of other sizes, and the other
/// number of threads per row; first of the grouping by destination, then, where a backward pass is asked for, of that
/// by source. Give the result to the kernel:
///
///   auto const choice = autotune(exec, cache, kernel, in, out(y), grad_out(dy), grad<h>(dh));
///   auto const plan = kernel.plan(exec, in, choice.policy);         // plan.explain() prints it
///
/// Without `grad_out(...)` only the forward pass is measured. Another schedule than the mapping's own is chosen where
/// it saves 2 % or more. A choice that `cache` knows is returned at once; its key is the device, the library's version,
/// whether it was built with few geometries, the degrees of both groupings (rows, edges, the largest, counts by binary
/// digits), whether neighboring rows share neighbors and edges have ids, heads, channels and strides of all rows, and
/// the types of kernel, operands, output and gradients. So an equal choice tomorrow takes a cache with a file.
///
/// Overwrites the output and the gradients. Plans that are tried take their workspace and saved state from the
/// memory resource of `exec`, one at a time; one that gets no memory is left out, as is one for which offsets are too
/// narrow. Waits for the stream of `exec` and runs on a stream of its own. Which policy wins may differ from run to run
/// where two are equally fast; what is planned with one policy gives the same bits always, unless the kernel is fused
/// with `nondeterministic`. Throws as `plan`, `forward` and `backward` do, and `cuda_error`.
/// `listener`: called behind every measurement, none for a remembered choice.
template <class Graph, class Mapping, class Program, class Extents, class Sums, class... Binding, class OutView,
          class... Backward>
tuned<detail::split_of<Mapping>> autotune(cuda const& exec, tuning_cache& cache, tuning_listener const& listener,
                                          fused_kernel<Graph, Mapping, Program, Extents, Sums> const& kernel,
                                          binding_set<Binding...> const& in, output<OutView> const& result,
                                          Backward const&... backward) {
  using Kernel = fused_kernel<Graph, Mapping, Program, Extents, Sums>;
  using Split = detail::split_of<Mapping>;
  static_assert(detail::is_grouped<Graph>,
                "autotune: measures schedules of grouped edges, not of graph{coo}; convert with to_csr and to_csc");
  using traits = detail::graph_traits<Graph>;
  static_assert(
      !(detail::adds_to_gradient<Backward> || ...),
      "autotune: runs the backward pass many times, which overwrites gradients: ask with grad, not accumulate");
  detail::device_site site(exec, "autotune");
  site.refuse_capture(exec, "autotune");
  detail::device_site::scope call(site, exec, "autotune");
  detail::check_graph_arrays(call, kernel.g);
  memory_resource* const memory = detail::engine<cuda>::memory(exec);
  auto const& by_destination = traits::by_destination(kernel.g);
  auto const destination_degrees =
      detail::read_degrees(exec.stream, memory, by_destination, detail::workload_of(by_destination));
  auto source_degrees = destination_degrees;
  int has_ids = by_destination.edge_ids ? 1 : 0;
  if constexpr (traits::has_source) {
    auto const& by_source = traits::by_source(kernel.g);
    if (by_source.edge_ids) has_ids += 2;
    source_degrees = detail::read_degrees(exec.stream, memory, by_source, detail::workload_of(by_source));
  }

  std::string key =
      detail::joined(detail::device_text(), "; edgewise ", EDGEWISE_VERSION_MAJOR, '.', EDGEWISE_VERSION_MINOR, '.',
                     EDGEWISE_VERSION_PATCH, "; ", detail::degrees_text(destination_degrees), "; ",
                     detail::degrees_text(source_degrees), "; ids ", has_ids, "; rows", detail::row_text(result.view));
  [&]<std::size_t... I>(std::index_sequence<I...>) { ((key += detail::row_text(get<I>(in.items).view)), ...); }
  (std::index_sequence_for<Binding...>{});
  if constexpr (requires { by_destination.num_tiles; }) key += detail::joined("; tiles ", by_destination.num_tiles);
  if (detail::has_few_geometries) key += "; few geometries";
  key += detail::joined("; program ", detail::hash_types<Kernel, binding_set<Binding...>, OutView, Backward...>());

  tuned<Split> choice;
  if (auto const known = cache.find(key)) {
    try {
      choice.policy = parse_policy<Split>(*known);
      return choice;
    } catch (invalid_argument const& mistake) {
      cache.warn(detail::text("tuning_cache: a remembered choice is measured again: ", mistake.what()));
    }
  }
  using plan_type = std::remove_cvref_t<decltype(kernel.plan(exec, in))>;
  detail::workloads const work = plan_type::recipe_type::workloads_for(kernel.g, in);
  auto const groupings = detail::describe_groupings<cuda>(kernel.g, work);
  choice.policy = detail::split_groupings(exec, kernel.mapping, kernel.g, detail::sizing::exact, work).policy;
  check_cuda(cudaStreamSynchronize(exec.stream), "autotune: wait for the stream");  // for what it still writes
  {
    detail::tuning_clock const clock;
    detail::tuning_step step(exec, clock, listener, kernel, in, result, choice.policy, backward...);
    double ms = 0, own_ms = 0;
    auto policy = choice.policy;
    choice.policy.by_destination = detail::search_splits(
        choice.policy.by_destination, destination_degrees, groupings.front().work,
        [&](Split const& split) {
          policy.by_destination = split;
          return step(policy, false);
        },
        ms, own_ms, choice.num_measured);
    choice.milliseconds = ms;
    choice.own_milliseconds = own_ms;
    if constexpr (sizeof...(Backward) > 0 && traits::has_source) {
      policy.by_destination = choice.policy.by_destination;
      choice.policy.by_source = detail::search_splits(
          choice.policy.by_source, source_degrees, groupings.back().work,
          [&](Split const& split) {
            policy.by_source = split;
            return step(policy, true);
          },
          ms, own_ms, choice.num_measured);
      choice.milliseconds -= own_ms - ms;
    }
    check_cuda(cudaStreamSynchronize(clock.stream()), "autotune: finish");
  }
  if (choice.milliseconds < std::numeric_limits<double>::infinity()) cache.remember(key, to_string(choice.policy));
  return choice;
}
template <class Graph, class Mapping, class Program, class Extents, class Sums, class... Binding, class OutView,
          class... Backward>
tuned<detail::split_of<Mapping>> autotune(cuda const& exec, tuning_cache& cache,
                                          fused_kernel<Graph, Mapping, Program, Extents, Sums> const& kernel,
                                          binding_set<Binding...> const& in, output<OutView> const& result,
                                          Backward const&... backward) {
  return autotune(exec, cache, tuning_listener(), kernel, in, result, backward...);
}

}  // namespace edgewise::inline v0
