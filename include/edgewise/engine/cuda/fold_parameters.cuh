// Gradients of parameters from the sums that blocks left: one small launch per parameter, in a fixed order.
#pragma once

#include <cuda_runtime_api.h>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/extents.hpp>
#include <edgewise/core/launch.cuh>
#include <edgewise/mapping/policy.hpp>
#include <edgewise/pass/pass_sizes.hpp>
#include <edgewise/program/row_bytes.hpp>

namespace edgewise::inline v0::detail {

/// The most blocks of a wave of a pass that sums over all edges. The number is fixed for each kernel, so that its
/// result depends on the graph alone.
inline constexpr std::int64_t num_parameter_blocks = 4 * typical_multiprocessors;

/// In how many waves so many groups take a graph: as long as each has work for a group, and its sums are few beside
/// what the pass reads (docs/tuning.md, R63).
constexpr std::int64_t count_waves(std::int64_t rows, std::int64_t edges, std::int64_t groups) {
  constexpr std::int64_t work_of_group = 128;  // edges and rows
  constexpr std::int64_t most = 32;
  std::int64_t const waves = (rows + edges) / (groups * work_of_group);
  return waves < 1 ? 1 : (waves < most ? waves : most);
}
/// The most blocks of such a pass over a graph.
constexpr std::int64_t most_parameter_blocks(std::int64_t rows, std::int64_t edges) {
  constexpr std::int64_t groups = num_parameter_blocks * (128 / 32);  // of a warp
  return num_parameter_blocks * count_waves(rows, edges, groups);
}

/// Threads of a block that folds parameters: so many elements, which fill a sector, by so many that share the partials.
inline constexpr dim3 fold_block{8, 64};

/// Folds the blocks' sums of one parameter in a fixed order. Shapes: partials [num_partials, bytes] at `offset_bytes`,
/// each [copies, num_elements], out [num_elements].
template <class Scalar, class Out>
__global__ void fold_partials(char const* partials, int num_partials, std::int64_t bytes, std::int64_t offset_bytes,
                              std::int64_t num_elements, int copies, Out* out, int out_stride, bool accumulate) {
  constexpr int parts = fold_block.y;
  __shared__ Scalar shared[parts][fold_block.x];
  std::int64_t const element = static_cast<std::int64_t>(blockIdx.x) * fold_block.x + threadIdx.x;
  Scalar sum = Scalar(0);
  if (element < num_elements) {
    for (int p = threadIdx.y; p < num_partials; p += parts) {
      auto const* const part = reinterpret_cast<Scalar const*>(partials + p * bytes + offset_bytes) + element;
      for (int copy = 0; copy < copies; ++copy) sum += part[copy * num_elements];
    }
  }
  shared[threadIdx.y][threadIdx.x] = sum;
  for (int half = parts / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.y < half) shared[threadIdx.y][threadIdx.x] += shared[threadIdx.y + half][threadIdx.x];
  }
  if (threadIdx.y == 0 && element < num_elements) {
    Out& place = out[element * out_stride];
    sum = shared[0][threadIdx.x];
    place = static_cast<Out>(accumulate ? sum + static_cast<Scalar>(place) : sum);
  }
}

/// Stores, or adds to what is there, the sum of `num_partials` blocks' sums for each parameter target of a pass.
/// Shapes: partials [num_partials, partial_bytes<Pass>(extents)]; 0 of them give 0.
template <class Pass>
void fold_parameters(stream_handle stream, Pass const& pass, row_extents extents, char const* partials,
                     std::int64_t num_partials) {
  using T = typename Pass::accumulator;
  std::int64_t place = 0;
  auto const fold_one = [&]<class Bound>(type_tag<Bound>) {
    auto const& to = pass.gradients.template of<Bound>();
    std::int64_t const elements = elements_of_kind(Bound::kind, extents);
    launch_kernel("fold_partials", fold_partials<T, std::remove_pointer_t<decltype(to.data)>>,
                  static_cast<unsigned>((elements + fold_block.x - 1) / fold_block.x), fold_block, stream, partials,
                  static_cast<int>(num_partials), partial_bytes<Pass>(extents), place, elements,
                  static_cast<int>(elements_of_sum(Bound::kind, extents) / elements), to.data,
                  element_stride<typename Bound::leaf>, to.accumulate);
    place += sums_bytes<T>(type_list<Bound>{}, extents);
  };
  [&]<class... Bound>(type_list<Bound...>) { (fold_one(type_tag<Bound>{}), ...); }(typename Pass::parameter_targets{});
}

}  // namespace edgewise::inline v0::detail
