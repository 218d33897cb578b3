// The kernels of the gradients of max and min: a thread takes a chunk of channels of a row, and tiles of channels run
// one after the other, so that the sums of one tile stay in the level-2 cache.
#pragma once

#include <cuda_runtime_api.h>

#include <edgewise/engine/argument_concept.hpp>
#include <edgewise/pass/fixed_sum.hpp>
#include <edgewise/pass/slots.hpp>
#include <edgewise/program/argument_plan.hpp>
#include <edgewise/program/gradient_pointer.hpp>

namespace edgewise::inline v0::detail {

inline constexpr int argument_block_threads = 256;

/// How channels are tiled: tiles of `tile_channels`, a power of two of chunks, 2^chunk_shift.
struct argument_tiles {
  std::int64_t num_elements;
  std::int32_t tile_channels;
  std::int32_t chunk_shift;
  std::int32_t first_tile;  ///< of the launch
};

/// The chunk of a thread of a block that takes `round` as its number.
struct argument_place {
  std::int64_t row;
  std::int64_t first;  ///< of the tile
  std::int64_t element;
  int valid;  ///< channels of the chunk that lie in the row
};
template <int Channels>
EDGEWISE_DEVICE argument_place place_of_thread(argument_tiles const& t, std::int64_t round) {
  std::int64_t const thread = round * argument_block_threads + threadIdx.x;
  argument_place p;
  p.row = thread >> t.chunk_shift;
  p.first = std::int64_t{t.first_tile + static_cast<int>(blockIdx.y)} * t.tile_channels;
  p.element = p.first + (thread & ((1 << t.chunk_shift) - 1)) * Channels;
  std::int64_t const left = t.num_elements - p.element;
  p.valid = left <= 0 ? 0 : (left < Channels ? static_cast<int>(left) : Channels);
  return p;
}

/// A thread adds the terms of one channel of several rows: a warp's threads that picked one source meet in its sectors
/// and go there together, and their loads are all on the way before the first term is added.
inline constexpr int rows_of_thread = 4;
using argument_rows = argument_geometry<rows_of_thread, access::element, true>;

template <class Pass>
EDGEWISE_DEVICE argument_channels<argument_rows, typename Pass::index_type> rows_of(Pass const& pass,
                                                                                    argument_tiles const& t,
                                                                                    argument_place const& p) {
  using index_type = typename Pass::index_type;
  std::int64_t const step = argument_block_threads >> t.chunk_shift;
  std::int64_t const left = (pass.num_rows - p.row + step - 1) / step;
  int const valid = left < rows_of_thread ? static_cast<int>(left) : rows_of_thread;
  return {static_cast<index_type>(p.row), p.element, valid, static_cast<index_type>(step)};
}

/// What the kernels share besides sums: the magnitude of the largest term of each gradient, as bits, and how many
/// blocks have read it for the last time. Zero between runs.
struct fixed_header {
  std::uint32_t largest[most_argument_gradients];
  std::uint32_t readers[most_argument_gradients];
};

/// Finds the largest magnitude of the terms of each gradient of sources. Rows: chunks that a thread takes.
template <int Rows, class Geometry, class Pass>
__global__ void __launch_bounds__(argument_block_threads)
    find_largest_terms(__grid_constant__ Pass const pass, __grid_constant__ argument_tiles const tiles,
                       fixed_header* header) {
  constexpr int count = Pass::source_targets::size;
  __shared__ std::uint32_t shared[count];
  if (threadIdx.x < count) shared[threadIdx.x] = 0;
  __syncthreads();
  std::uint32_t largest[count] = {};
  EDGEWISE_UNROLL
  for (int r = 0; r < Rows; ++r) {
    argument_place const p = place_of_thread<Geometry::channels_per_chunk>(tiles, std::int64_t{blockIdx.x} * Rows + r);
    if (p.row < pass.num_rows && p.valid > 0) {
      using index_type = typename Pass::index_type;
      argument_channels<Geometry, index_type> const channels{static_cast<index_type>(p.row), p.element, p.valid};
      pass.visit_terms(channels, [&]<class Bound>(type_tag<Bound>, float x) {
        std::uint32_t& mine = largest[position_of<Bound, typename Pass::source_targets>];
        std::uint32_t const size = finite_magnitude(x);
        mine = size > mine ? size : mine;
      });
    }
  }
  EDGEWISE_UNROLL
  for (int i = 0; i < count; ++i) {
    EDGEWISE_UNROLL
    for (int m = 1; m < 32; m <<= 1) {
      std::uint32_t const other = __shfl_xor_sync(0xffffffffu, largest[i], m);
      largest[i] = other > largest[i] ? other : largest[i];
    }
    if (threadIdx.x % 32 == 0) atomicMax(&shared[i], largest[i]);
  }
  __syncthreads();
  if (threadIdx.x < count && shared[threadIdx.x] > __ldcg(&header->largest[threadIdx.x])) {
    atomicMax(&header->largest[threadIdx.x], shared[threadIdx.x]);
  }
}

/// Adds to words of one tile, [gradients, sources, tile_channels].
template <class Pass>
struct leave_fixed {
  Pass const& pass;
  fixed_word* sums;
  std::int64_t gradient_size;
  std::int32_t tile_channels;
  std::int64_t first;
  int const* exponents;

  template <class Bound>
  EDGEWISE_DEVICE void source(type_tag<Bound>, std::int64_t row, std::int64_t element, float x) const {
    constexpr int k = position_of<Bound, typename Pass::source_targets>;
    add_fixed(sums + k * gradient_size + row * tile_channels + (element - first), x, exponents[k]);
  }
  template <class Bound, class T>
  EDGEWISE_DEVICE void own(type_tag<Bound>, std::int64_t row, std::int64_t element, T x) const {
    store_own(pass.own.template of<Bound>(), row, element, x);
  }
};

template <class Pass>
__global__ void __launch_bounds__(argument_block_threads)
    add_fixed_terms(__grid_constant__ Pass const pass, __grid_constant__ argument_tiles const tiles,
                    fixed_header const* header, fixed_word* sums, std::int64_t gradient_size, int count_bits) {
  argument_place const p = place_of_thread<1>(tiles, std::int64_t{blockIdx.x} * rows_of_thread);
  if (p.row >= pass.num_rows || p.valid == 0) return;
  int exponents[Pass::source_targets::size];
  EDGEWISE_UNROLL
  for (int i = 0; i < Pass::source_targets::size; ++i) exponents[i] = fixed_exponent(header->largest[i], count_bits);
  leave_fixed<Pass> const leave{pass, sums, gradient_size, tiles.tile_channels, p.first, exponents};
  pass.visit(rows_of(pass, tiles, p), leave);
}

/// Turns the words of one tile into a gradient and clears them. `readers`: blocks that read the largest magnitude in
/// this run; the last one clears it too.
template <int Channels, access Access, class Bound>
__global__ void __launch_bounds__(argument_block_threads)
    store_fixed_sums(__grid_constant__ gradient_pointer<Bound> const to, __grid_constant__ argument_tiles const tiles,
                     std::int64_t num_rows, fixed_header* header, int gradient, fixed_word* sums, int count_bits,
                     std::uint32_t readers) {
  int const exponent = fixed_exponent(__ldcg(&header->largest[gradient]), count_bits);
  argument_place const p = place_of_thread<Channels>(tiles, blockIdx.x);
  if (p.row < num_rows && p.valid > 0) {
    fixed_word* const from = sums + p.row * tiles.tile_channels + (p.element - p.first);
    fixed_word words[Channels];
    if constexpr (Access == access::chunk) {
      read_shared_words<Channels>(from, words);
    } else {
      EDGEWISE_UNROLL
      for (int l = 0; l < Channels; ++l) words[l] = l < p.valid ? from[l] : 0;
    }
    float x[Channels];
    fixed_word const zeros[Channels] = {};
    EDGEWISE_UNROLL
    for (int l = 0; l < Channels; ++l) x[l] = fixed_value(words[l], exponent);
    store_chunk<Access>(from, p.valid, zeros);
    typename Bound::storage* const place = to.data + p.row * to.row_stride + p.element;
    if (to.accumulate) {
      EDGEWISE_UNROLL
      for (int l = 0; l < Channels; ++l) {
        if (l < p.valid) x[l] += static_cast<float>(place[l]);
      }
    }
    store_chunk<Access>(place, p.valid, x);
  }
  __syncthreads();
  if (threadIdx.x == 0 && atomicAdd(&header->readers[gradient], 1u) + 1 == readers) {
    header->largest[gradient] = 0;
    header->readers[gradient] = 0;
  }
}

/// Adds floats to the gradients themselves, which were cleared before.
template <class Pass>
struct leave_floats {
  Pass const& pass;

  template <class Bound>
  EDGEWISE_DEVICE void source(type_tag<Bound>, std::int64_t row, std::int64_t element, float x) const {
    auto const& to = pass.sources.template of<Bound>();
    atomicAdd(to.data + row * to.row_stride + element, x);
  }
  template <class Bound>
  EDGEWISE_DEVICE void own(type_tag<Bound>, std::int64_t row, std::int64_t element, float x) const {
    auto const& to = pass.own.template of<Bound>();
    if constexpr (Pass::template is_shared<Bound>) {
      atomicAdd(to.data + row * to.row_stride + element, x);
    } else {
      store_own(to, row, element, x);
    }
  }
};

/// blockIdx.y is the tile: all rows of one tile before those of the next.
template <class Pass>
__global__ void __launch_bounds__(argument_block_threads)
    add_float_terms(__grid_constant__ Pass const pass, __grid_constant__ argument_tiles const tiles) {
  argument_place const p = place_of_thread<1>(tiles, std::int64_t{blockIdx.x} * rows_of_thread);
  if (p.row >= pass.num_rows || p.valid == 0) return;
  pass.visit(rows_of(pass, tiles, p), leave_floats<Pass>{pass});
}

}  // namespace edgewise::inline v0::detail
