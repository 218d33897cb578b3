// The graph transformer over tiles on tensor cores, written by hand: what a mapping that walks tiles has to reach. One
// warp has a window of 16 rows and a head. It walks the window's columns `Columns` at a time; their rows are copied to
// shared memory while the ones before are multiplied (cp.async), and scores, weights and their gradients stay in the
// registers where mma.sync leaves them. No atomics: gradients of sources come from the transposed tiles.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>
#include <vector>

#include <edgewise/format/wsb.hpp>

#include "../harness/device_array.cuh"

namespace edgewise::bench::by_hand {

/// The tiles of a wsb, `Columns` wide. Column c of row r of tile t: bit c of masks[16 t + r].
template <int Columns>
struct wide_tiles {
  int num_windows;
  int num_rows;
  int const* window_tiles;
  int const* columns;
  std::uint32_t const* masks;
};

/// Q, K, V [rows, heads, Channels] and the tables of the gradients; pairs: log-sum of the scores (base 2) and the sum
/// of output times its adjoint, of each row and head.
struct tables {
  __half const* query;
  __half const* key;
  __half const* value;
  __half const* adjoint;
  float2 const* pairs;
  int heads;
  float scale;  ///< of scores

  __device__ float scale2() const { return scale * 1.4426950408889634f; }
};

inline constexpr int block_threads = 128;
inline constexpr int warps = block_threads / 32;

__device__ inline std::uint32_t shared_address(void const* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void start_copy_16(std::uint32_t to, void const* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to), "l"(from));
}
__device__ inline void start_copy_8(std::uint32_t to, void const* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;\n" ::"r"(to), "l"(from));
}
__device__ inline void end_group() { asm volatile("cp.async.commit_group;\n"); }
template <int Pending>
__device__ void wait_for_groups() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(Pending));
}
__device__ inline void load_matrices(std::uint32_t (&r)[4], std::uint32_t from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(from));
}
__device__ inline void load_transposed(std::uint32_t (&r)[4], std::uint32_t from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(from));
}
/// c += a b; a is 16 x 16, b 16 x 8.
__device__ inline void multiply_add(float (&c)[4], std::uint32_t const (&a)[4], std::uint32_t b0, std::uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ inline std::uint32_t packed(float low, float high) {
  __half2 const both = __floats2half2_rn(low, high);
  return *reinterpret_cast<std::uint32_t const*>(&both);
}
__device__ inline float exp2_of(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// A stage of a warp's pipeline: a tile's rows of two tables, and its pairs. Of row r the 16 bytes number c are at
/// place c ^ (r & 7), so that the 8 rows that a load of matrices takes lie in different banks.
template <int Channels, int Columns>
struct stage {
  static constexpr int table_bytes = Columns * Channels * 2;
  static constexpr int bytes = 2 * table_bytes + Columns * 8;
  __device__ static std::uint32_t place(int row, int chunk) { return row * Channels * 2 + (chunk ^ (row & 7)) * 16; }
};

/// Starts to copy the rows that the lanes' `column`s name.
template <int Channels, int Columns, bool HasPairs>
__device__ void load_tile(int column, char* to, __half const* first, __half const* second, tables const& t, int head) {
  using stage_type = stage<Channels, Columns>;
  constexpr int chunks = Channels / 8;
  constexpr int rows_at_once = 32 / chunks;
  int const lane = threadIdx.x % 32;
  std::uint32_t const base = shared_address(to);
#pragma unroll
  for (int i = 0; i < Columns / rows_at_once; ++i) {
    int const row = lane / chunks + i * rows_at_once;
    int const source = __shfl_sync(~0u, column, row);
    std::int64_t const at = (std::int64_t{source} * t.heads + head) * Channels + lane % chunks * 8;
    std::uint32_t const place = base + stage_type::place(row, lane % chunks);
    start_copy_16(place, first + at);
    start_copy_16(place + stage_type::table_bytes, second + at);
  }
  if (HasPairs && lane < Columns) {
    start_copy_8(base + 2 * stage_type::table_bytes + lane * 8, t.pairs + std::int64_t{column} * t.heads + head);
  }
}

/// A window's rows of a table as operand a of products over channels.
template <int Channels>
__device__ void load_rows(std::uint32_t (&a)[Channels / 16][4], __half const* table, int first, int num_rows, int heads,
                          int head) {
  int const g = threadIdx.x % 32 / 4, q = threadIdx.x % 4;
#pragma unroll
  for (int k = 0; k < Channels / 16; ++k) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      int const row = first + g + i % 2 * 8;
      std::int64_t const at = (std::int64_t{row} * heads + head) * Channels + k * 16 + q * 2 + i / 2 * 8;
      a[k][i] = row < num_rows ? *reinterpret_cast<std::uint32_t const*>(table + at) : 0u;
    }
  }
}

/// s += a times the rows of a table: a score for each row of the window and column of the tile.
template <int Channels, int Columns>
__device__ void multiply_rows(float (&s)[Columns / 8][4], std::uint32_t const (&a)[Channels / 16][4],
                              char const* table) {
  int const lane = threadIdx.x % 32;
#pragma unroll
  for (int n = 0; n < Columns / 8; ++n) {
#pragma unroll
    for (int k = 0; k < Channels / 32; ++k) {
      std::uint32_t b[4];
      load_matrices(b, shared_address(table) + stage<Channels, Columns>::place(n * 8 + lane % 8, k * 4 + lane / 8));
      multiply_add(s[n], a[2 * k], b[0], b[1]);
      multiply_add(s[n], a[2 * k + 1], b[2], b[3]);
    }
  }
}

/// o += weights of a tile times the rows of a table.
template <int Channels, int Columns>
__device__ void add_weighted(float (&o)[Channels / 8][4], float const (&weights)[Columns / 8][4], char const* table) {
  int const lane = threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < Columns / 16; ++k) {
    auto const& low = weights[2 * k];
    auto const& high = weights[2 * k + 1];
    std::uint32_t const a[4] = {packed(low[0], low[1]), packed(low[2], low[3]), packed(high[0], high[1]),
                                packed(high[2], high[3])};
#pragma unroll
    for (int n = 0; n < Channels / 16; ++n) {
      std::uint32_t b[4];
      load_transposed(b,
                      shared_address(table) + stage<Channels, Columns>::place(k * 16 + lane % 16, n * 2 + lane / 16));
      multiply_add(o[2 * n], a, b[0], b[1]);
      multiply_add(o[2 * n + 1], a, b[2], b[3]);
    }
  }
}

/// Sums of a window's rows as they leave: times a factor for rows g and one for rows g + 8.
template <int Channels>
__device__ void store_rows(__half* table, float const (&o)[Channels / 8][4], int first, int num_rows, int heads,
                           int head, float low_factor, float high_factor) {
  int const g = threadIdx.x % 32 / 4, q = threadIdx.x % 4;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    int const row = first + g + 8 * i;
    float const factor = i == 0 ? low_factor : high_factor;
    if (row >= num_rows) continue;
#pragma unroll
    for (int n = 0; n < Channels / 8; ++n) {
      std::int64_t const at = (std::int64_t{row} * heads + head) * Channels + n * 8 + 2 * q;
      *reinterpret_cast<std::uint32_t*>(table + at) = packed(o[n][2 * i] * factor, o[n][2 * i + 1] * factor);
    }
  }
}

/// Which window and head a warp has.
struct task {
  int warp = static_cast<int>(threadIdx.x) / 32;
  int lane = static_cast<int>(threadIdx.x) % 32;
  int window;
  int head;
  __device__ explicit task(int heads) {
    int const number = static_cast<int>(blockIdx.x) * warps + warp;
    window = number / heads;
    head = number % heads;
  }
};

/// Calls f(first table, second table, pairs, mask of row g, mask of row g + 8) for each tile of the warp's window; bit
/// 8 n of a mask is column 8 n + 2 q of the tile, the next one the column behind it. Rows of two tables are copied
/// `Stages` - 1 tiles ahead of their use.
template <int Channels, int Columns, int Stages, bool HasPairs, class F>
__device__ void for_each_tile(wide_tiles<Columns> const& g, task const& own, __half const* first_table,
                              __half const* second_table, tables const& t, F const& f) {
  using stage_type = stage<Channels, Columns>;
  extern __shared__ __align__(128) char stages[];
  char* const mine = stages + own.warp * Stages * stage_type::bytes;
  int const first = g.window_tiles[own.window];
  int const last = g.window_tiles[own.window + 1];
  int const row = own.lane / 4;
  int const shift = own.lane % 4 * 2;
  auto const column_of = [&](int tile) {
    return tile < last && own.lane < Columns ? __ldg(g.columns + std::int64_t{tile} * Columns + own.lane) : 0;
  };
  auto const mask_of = [&](int tile, int r) {
    return tile < last ? __ldg(g.masks + std::int64_t{tile} * wsb_window_rows + r) : 0u;
  };
#pragma unroll
  for (int i = 0; i < Stages - 1; ++i) {
    int const column = column_of(first + i);
    if (first + i < last) {
      load_tile<Channels, Columns, HasPairs>(column, mine + i * stage_type::bytes, first_table, second_table, t,
                                             own.head);
    }
    end_group();
  }
  int next_column = column_of(first + Stages - 1);
  std::uint32_t low = mask_of(first, row);
  std::uint32_t high = mask_of(first, row + 8);
  int current = 0;
  for (int tile = first; tile < last; ++tile) {
    wait_for_groups<Stages - 2>();
    __syncwarp();
    std::uint32_t const low_mask = low >> shift;
    std::uint32_t const high_mask = high >> shift;
    int const free = current == 0 ? Stages - 1 : current - 1;
    if (tile + Stages - 1 < last) {
      load_tile<Channels, Columns, HasPairs>(next_column, mine + free * stage_type::bytes, first_table, second_table, t,
                                             own.head);
    }
    end_group();
    next_column = column_of(tile + Stages);
    low = mask_of(tile + 1, row);
    high = mask_of(tile + 1, row + 8);
    char const* const here = mine + current * stage_type::bytes;
    current = current == Stages - 1 ? 0 : current + 1;
    f(here, here + stage_type::table_bytes, reinterpret_cast<float2 const*>(here + 2 * stage_type::table_bytes),
      low_mask, high_mask);
  }
}

/// Element i of an mma's c, of columns 8 n to 8 n + 7: is it an edge?
__device__ inline bool is_edge(std::uint32_t low_mask, std::uint32_t high_mask, int n, int i) {
  return ((i < 2 ? low_mask : high_mask) >> (8 * n + i % 2)) & 1u;
}

/// out [rows, heads, Channels] = softmax(scores) V, and the logarithms (base 2) of the sums.
template <int Channels, int Columns, int Stages, int Blocks>
__global__ void __launch_bounds__(block_threads, Blocks)
    forward(wide_tiles<Columns> const g, tables const t, __half* out, float* log_sums) {
  task const own(t.heads);
  if (own.window >= g.num_windows) return;
  int const first_row = own.window * wsb_window_rows;
  std::uint32_t query[Channels / 16][4];
  load_rows<Channels>(query, t.query, first_row, g.num_rows, t.heads, own.head);
  float o[Channels / 8][4] = {};
  float most[2] = {-INFINITY, -INFINITY};
  float sum[2] = {0, 0};
  float const scale2 = t.scale2();
  for_each_tile<Channels, Columns, Stages, false>(
      g, own, t.key, t.value, t,
      [&](char const* keys, char const* values, float2 const*, std::uint32_t low_mask, std::uint32_t high_mask) {
        float s[Columns / 8][4] = {};
        multiply_rows<Channels, Columns>(s, query, keys);
        float here[2] = {-INFINITY, -INFINITY};
#pragma unroll
        for (int n = 0; n < Columns / 8; ++n) {
#pragma unroll
          for (int i = 0; i < 4; ++i) {
            s[n][i] = is_edge(low_mask, high_mask, n, i) ? s[n][i] * scale2 : -INFINITY;
            here[i / 2] = fmaxf(here[i / 2], s[n][i]);
          }
        }
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          here[i] = fmaxf(here[i], __shfl_xor_sync(~0u, here[i], 1));
          here[i] = fmaxf(here[i], __shfl_xor_sync(~0u, here[i], 2));
        }
        if (__any_sync(~0u, here[0] > most[0] || here[1] > most[1])) {
          float factor[2];
#pragma unroll
          for (int i = 0; i < 2; ++i) {
            here[i] = fmaxf(here[i], most[i]);
            factor[i] = here[i] == -INFINITY ? 1.0f : exp2_of(most[i] - here[i]);
            most[i] = here[i];
            sum[i] *= factor[i];
          }
#pragma unroll
          for (int n = 0; n < Channels / 8; ++n) {
#pragma unroll
            for (int i = 0; i < 4; ++i) o[n][i] *= factor[i / 2];
          }
        }
        float const base[2] = {most[0] == -INFINITY ? 0.0f : most[0], most[1] == -INFINITY ? 0.0f : most[1]};
#pragma unroll
        for (int n = 0; n < Columns / 8; ++n) {
#pragma unroll
          for (int i = 0; i < 4; ++i) {
            s[n][i] = exp2_of(s[n][i] - base[i / 2]);
            sum[i / 2] += s[n][i];
          }
        }
        add_weighted<Channels, Columns>(o, s, values);
      });
  float factor[2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    sum[i] += __shfl_xor_sync(~0u, sum[i], 1);
    sum[i] += __shfl_xor_sync(~0u, sum[i], 2);
    factor[i] = sum[i] > 0 ? 1.0f / sum[i] : 0.0f;
    int const row = first_row + own.lane / 4 + 8 * i;
    if (own.lane % 4 == 0 && row < g.num_rows) {
      log_sums[std::int64_t{row} * t.heads + own.head] = sum[i] > 0 ? most[i] + log2f(sum[i]) : INFINITY;
    }
  }
  store_rows<Channels>(out, o, first_row, g.num_rows, t.heads, own.head, factor[0], factor[1]);
}

/// pairs of rows and heads: log_sums, and output times its adjoint. Eight threads a row and head.
template <int Channels>
__global__ void make_pairs(__half const* out, __half const* adjoint, float const* log_sums, std::int64_t size,
                           float2* pairs) {
  std::int64_t const i = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 8;
  float sum = 0;
  if (i < size) {
    std::int64_t const first = i * Channels + threadIdx.x % 8 * (Channels / 8);
    for (int c = 0; c < Channels / 8; ++c) sum += __half2float(out[first + c]) * __half2float(adjoint[first + c]);
  }
  for (int m = 1; m < 8; m <<= 1) sum += __shfl_xor_sync(~0u, sum, m);
  if (i < size && threadIdx.x % 8 == 0) pairs[i] = {log_sums[i], sum};
}

/// Gradients of the queries: rows are destinations.
template <int Channels, int Columns, int Stages, int Blocks>
__global__ void __launch_bounds__(block_threads, Blocks)
    gradients_of_rows(wide_tiles<Columns> const g, tables const t, __half* query_gradient) {
  task const own(t.heads);
  if (own.window >= g.num_windows) return;
  int const first_row = own.window * wsb_window_rows;
  std::uint32_t query[Channels / 16][4], adjoint[Channels / 16][4];
  load_rows<Channels>(query, t.query, first_row, g.num_rows, t.heads, own.head);
  load_rows<Channels>(adjoint, t.adjoint, first_row, g.num_rows, t.heads, own.head);
  float2 pair[2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    int const row = first_row + own.lane / 4 + 8 * i;
    pair[i] = row < g.num_rows ? t.pairs[std::int64_t{row} * t.heads + own.head] : float2{INFINITY, 0};
  }
  float o[Channels / 8][4] = {};
  float const scale2 = t.scale2();
  for_each_tile<Channels, Columns, Stages, false>(
      g, own, t.key, t.value, t,
      [&](char const* keys, char const* values, float2 const*, std::uint32_t low_mask, std::uint32_t high_mask) {
        float s[Columns / 8][4] = {};
        float d[Columns / 8][4] = {};
        multiply_rows<Channels, Columns>(s, query, keys);
        multiply_rows<Channels, Columns>(d, adjoint, values);
#pragma unroll
        for (int n = 0; n < Columns / 8; ++n) {
#pragma unroll
          for (int i = 0; i < 4; ++i) {
            float2 const& p = pair[i / 2];
            s[n][i] =
                is_edge(low_mask, high_mask, n, i) ? exp2_of(s[n][i] * scale2 - p.x) * (d[n][i] - p.y) * t.scale : 0.0f;
          }
        }
        add_weighted<Channels, Columns>(o, s, keys);
      });
  store_rows<Channels>(query_gradient, o, first_row, g.num_rows, t.heads, own.head, 1, 1);
}

/// Gradients of keys and values: rows are sources, over the transposed tiles.
template <int Channels, int Columns, int Stages, int Blocks>
__global__ void __launch_bounds__(block_threads, Blocks)
    gradients_of_columns(wide_tiles<Columns> const g, tables const t, __half* key_gradient, __half* value_gradient) {
  task const own(t.heads);
  if (own.window >= g.num_windows) return;
  int const first_row = own.window * wsb_window_rows;
  std::uint32_t key[Channels / 16][4], value[Channels / 16][4];
  load_rows<Channels>(key, t.key, first_row, g.num_rows, t.heads, own.head);
  load_rows<Channels>(value, t.value, first_row, g.num_rows, t.heads, own.head);
  float of_keys[Channels / 8][4] = {};
  float of_values[Channels / 8][4] = {};
  float const scale2 = t.scale2();
  int const q = own.lane % 4;
  for_each_tile<Channels, Columns, Stages, true>(
      g, own, t.query, t.adjoint, t,
      [&](char const* queries, char const* adjoints, float2 const* pairs, std::uint32_t low_mask,
          std::uint32_t high_mask) {
        float s[Columns / 8][4] = {};
        multiply_rows<Channels, Columns>(s, key, queries);
#pragma unroll
        for (int n = 0; n < Columns / 8; ++n) {
#pragma unroll
          for (int i = 0; i < 4; ++i) {
            s[n][i] =
                is_edge(low_mask, high_mask, n, i) ? exp2_of(s[n][i] * scale2 - pairs[n * 8 + 2 * q + i % 2].x) : 0.0f;
          }
        }
        add_weighted<Channels, Columns>(of_values, s, adjoints);
        float d[Columns / 8][4] = {};
        multiply_rows<Channels, Columns>(d, value, adjoints);
#pragma unroll
        for (int n = 0; n < Columns / 8; ++n) {
#pragma unroll
          for (int i = 0; i < 4; ++i) s[n][i] *= (d[n][i] - pairs[n * 8 + 2 * q + i % 2].y) * t.scale;
        }
        add_weighted<Channels, Columns>(of_keys, s, queries);
      });
  store_rows<Channels>(key_gradient, of_keys, first_row, g.num_rows, t.heads, own.head, 1, 1);
  store_rows<Channels>(value_gradient, of_values, first_row, g.num_rows, t.heads, own.head, 1, 1);
}

}  // namespace edgewise::bench::by_hand
