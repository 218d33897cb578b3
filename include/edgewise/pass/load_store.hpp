// Moving rows between memory and register values: masked, as wide as the operand allows.
#pragma once

#include <cstdint>

#include <edgewise/expression/component.hpp>
#include <edgewise/program/bound_leaf.hpp>
#include <edgewise/register/edge_mask.hpp>
#include <edgewise/register/move_chunk.hpp>
#include <edgewise/register/row_address.hpp>
#include <edgewise/register/row_layout.hpp>
#include <edgewise/register/value.hpp>

namespace edgewise::inline v0::detail {

/// Element of a row at which a chunk of a wide (or per-channel) operand starts; 0 for chunks outside the row, so that
/// every load is in bounds without a predicate.
template <operand_kind Kind, class Geometry>
EDGEWISE_HD int safe_offset(Geometry const& geometry, int chunk) {
  int const offset = Kind == operand_kind::per_channel ? geometry.channel_in_head(chunk) : geometry.offset(chunk);
  return geometry.valid(chunk) ? offset : 0;
}

template <class Bound, class Geometry>
EDGEWISE_HD constexpr bool loads_dense_float16() {
#if defined(__CUDA_ARCH__)
  return Bound::kind == operand_kind::wide && is_float16<typename Bound::storage> &&
         Geometry::packing_of == packing::dense && Geometry::access_of == access::chunk;
#else
  return false;
#endif
}
/// Loads a wide operand of 16 bits whose chunks lie at constant distances. All words are on their way before the first
/// one is converted: converted behind its own predicate, each would be waited for.
template <int Edges, class Bound, class Geometry, class Row, class V>
EDGEWISE_HD void load_dense_float16(Geometry const& geometry, operand_pointer<Bound> const& operand,
                                    Row const (&rows)[Edges], V& to) {
  std::remove_const_t<typename Bound::storage> raw[Edges][Geometry::max_chunks][V::channels];
  EDGEWISE_UNROLL
  for (int b = 0; b < Edges; ++b) {
    auto const* const first = operand.row(rows[b], geometry.offset(0));
    EDGEWISE_UNROLL
    for (int c = 0; c < geometry.chunks(); ++c) {
      if (geometry.valid(c)) read_words<V::channels>(first + (geometry.offset(c) - geometry.offset(0)), raw[b][c]);
    }
  }
  EDGEWISE_UNROLL
  for (int b = 0; b < Edges; ++b) {
    EDGEWISE_UNROLL
    for (int c = 0; c < geometry.chunks(); ++c) {
      widen_chunk(raw[b][c], to.v[b][c]);
    }
  }
}

/// Loads rows[b] of an operand. Every rows[b] is a row of the operand, masked edges included; channels and heads
/// outside the row read as some element of it, and whoever sums over them leaves them out.
template <class Bound, class Geometry, class Row, class V, int Edges>
EDGEWISE_HD void load_rows(Geometry const& geometry, operand_pointer<Bound> const& operand, Row const (&rows)[Edges],
                           V& to) {
  using scalar = typename V::scalar;
  if constexpr (loads_dense_float16<Bound, Geometry>()) {
    load_dense_float16(geometry, operand, rows, to);
  } else if constexpr (V::extent_of == extent::wide) {
    auto const load_one = [&](int b, int c) EDGEWISE_INLINE_LAMBDA {
      if constexpr (Geometry::packing_of == packing::dense && Bound::kind == operand_kind::wide) {
        // One address per row; chunks lie at constant distances from it. Nothing hides the steps of one edge alone.
        auto const* const first =
            Edges == 1 ? operand.short_row(rows[b], geometry.offset(0)) : operand.row(rows[b], geometry.offset(0));
        auto const* const chunk = first + (geometry.offset(c) - geometry.offset(0));
        if (geometry.valid(c)) load_chunk<Geometry::access_of>(chunk, geometry.valid_channels(c), to.v[b][c]);
      } else {
        load_chunk<Geometry::access_of>(operand.row(rows[b], safe_offset<Bound::kind>(geometry, c)),
                                        geometry.valid_channels(c), to.v[b][c]);
      }
    };
    EDGEWISE_UNROLL
    for (int b = 0; b < Edges; ++b) {
      if constexpr (V::has_lanes) {
        for_each_chunk(geometry, [&](int c) EDGEWISE_INLINE_LAMBDA { load_one(b, c); });
      } else {
        EDGEWISE_UNROLL
        for (int c = 0; c < geometry.chunks(); ++c) load_one(b, c);
      }
    }
  } else {
    EDGEWISE_UNROLL
    for (int b = 0; b < Edges; ++b) {
      if constexpr (V::extent_of == extent::narrow) {
        EDGEWISE_UNROLL
        for (int c = 0; c < geometry.chunks(); ++c) {
          int const head = geometry.valid_head(c) ? geometry.head(c) : 0;
          to.v[b][c][0] = static_cast<scalar>(
              read_element(operand.short_row(rows[b], head * element_stride<typename Bound::leaf>)));
        }
      } else {
        to.v[b][0][0] = static_cast<scalar>(read_element(operand.short_row(rows[b])));
      }
    }
  }
}

/// Asks for this geometry's part of a row that will be loaded soon. Host only: a device has other threads to wait with.
template <class Bound, class Geometry, class Row>
EDGEWISE_HD void prefetch_row([[maybe_unused]] Geometry const& geometry,
                              [[maybe_unused]] operand_pointer<Bound> const& operand, [[maybe_unused]] Row row) {
#if !defined(__CUDA_ARCH__)
  if constexpr (Bound::kind == operand_kind::wide) {
    constexpr int line = 64 / static_cast<int>(sizeof(*operand.row(row)));
    int const elements = geometry.chunks() * Geometry::channels_per_chunk;
    auto const* const first = operand.row(row, geometry.offset(0));
    for (int i = 0; i < elements; i += line) __builtin_prefetch(first + i);
  } else {
    __builtin_prefetch(operand.row(row));
  }
#endif
}

/// Asks for this geometry's part of a row that will be stored soon; there need not be such a row. Host only.
template <class Geometry, class T, class Row>
EDGEWISE_HD void expect_store([[maybe_unused]] Geometry const& geometry, [[maybe_unused]] T* data,
                              [[maybe_unused]] std::int64_t row_stride, [[maybe_unused]] Row row) {
#if !defined(__CUDA_ARCH__)
  constexpr int line = 64 / static_cast<int>(sizeof(T));
  int const elements = geometry.chunks() * Geometry::channels_per_chunk;
  if (row_stride < elements) return;
  // A number, since the row may lie behind the array.
  auto const address = reinterpret_cast<std::uintptr_t>(data) +
                       static_cast<std::uintptr_t>(row * row_stride + geometry.offset(0)) * sizeof(T);
  for (int i = 0; i < elements; i += line) {
    __builtin_prefetch(reinterpret_cast<void const*>(address + static_cast<std::uintptr_t>(i) * sizeof(T)), 1);
  }
#endif
}

template <class T, class U>
EDGEWISE_HD void store_number(T* to, U x, [[maybe_unused]] bool accumulate) {
  if constexpr (!is_softmax_normalizer<T>) {
    if (accumulate) x += static_cast<U>(*to);
  }
  *to = static_cast<T>(x);
}

/// Elements of one row of a tensor of a kind.
template <class Geometry>
EDGEWISE_HD std::int64_t row_elements(operand_kind kind, Geometry const& geo) {
  return std::int64_t{kind == operand_kind::wide || kind == operand_kind::per_head ? geo.heads : 1} *
         (kind == operand_kind::wide || kind == operand_kind::per_channel ? geo.channels : 1);
}

/// Stores chunks of lanes, what of them lies in the row, or adds them. Loops of a few instructions, which g++ unrolls:
/// an array that anything indexes stays in memory, and with it the sums that were copied to it.
template <class Geometry, class T, class Chunk>
EDGEWISE_HD void store_lanes(Geometry const& geometry, T* to, Chunk const* chunks, bool accumulate) {
  using group_type = typename Chunk::group_type;
  constexpr int count = group_type::count;
  for_each_chunk(geometry, [&](int c) EDGEWISE_INLINE_LAMBDA {
    for (int g = 0; g < Chunk::num_groups; ++g) {
      T* const place = to + geometry.offset(c) + g * count;
      int const left = geometry.valid_channels(c) - g * count;
      if (Geometry::access_of == access::chunk || left >= count) {
        auto const earlier = accumulate ? group_type::load(place) : group_type(T(0));
        (accumulate ? chunks[c].groups[g] + earlier : chunks[c].groups[g]).store(place);
      } else {
        auto const earlier = accumulate ? group_type::load_first(place, left) : group_type(T(0));
        (accumulate ? chunks[c].groups[g] + earlier : chunks[c].groups[g]).store_first(place, left);
      }
    }
  });
}

/// Stores entry `block` of a complete value as row `row` of an array whose rows are `row_stride` elements, fewer than 2
/// GiB, apart, or adds it where `accumulate` says so, the same for the whole grid. Threads that hold copies leave the
/// store to one of them. Stride: distance of the elements of a row without channels (`element_stride`).
template <operand_kind Kind, int Stride = 1, class Geometry, class T, class Row, class V>
EDGEWISE_HD void store_row(Geometry const& geometry, T* data, std::int64_t row_stride, Row row, V const& from,
                           int block, bool accumulate = false) {
  using scalar = typename V::scalar;
  std::int32_t const row_bytes = static_cast<std::int32_t>(row_stride * static_cast<std::int64_t>(sizeof(T)));
  if constexpr (Kind == operand_kind::wide || Kind == operand_kind::per_channel) {
    T* const to = find_row(data, row, row_bytes);
    if constexpr (V::has_lanes && std::is_same_v<T, scalar> && Kind == operand_kind::wide) {
      store_lanes(geometry, to, from.v[V::edges == 1 ? 0 : block], accumulate);
      return;
    }
    EDGEWISE_UNROLL
    for (int c = 0; c < geometry.chunks(); ++c) {
      bool const speaks = Kind == operand_kind::wide || geometry.leads_channels(c);
      T* const place = to + (Kind == operand_kind::wide ? geometry.offset(c) : geometry.channel_in_head(c));
      int const valid = speaks ? geometry.valid_channels(c) : 0;
      [[maybe_unused]] auto const& whole = from.v[V::edges == 1 ? 0 : block][c];
      scalar chunk[Geometry::channels_per_chunk];
      if constexpr (V::has_lanes) {
        memcpy(chunk, &whole, sizeof(chunk));
      } else {
        EDGEWISE_UNROLL
        for (int l = 0; l < Geometry::channels_per_chunk; ++l) chunk[l] = from.at(block, c, l);
      }
      if constexpr (!is_softmax_normalizer<T>) {
        if (accumulate) add_stored_chunk<Geometry::access_of>(place, valid, chunk);
      }
      store_chunk<Geometry::access_of>(place, valid, chunk);
    }
  } else if constexpr (Kind == operand_kind::per_head) {
    EDGEWISE_UNROLL
    for (int c = 0; c < geometry.chunks(); ++c) {
      if (geometry.leads_head(c)) {
        // The head first: its place in a row is the same for all rows.
        T* const place = find_row(data + geometry.head(c) * Stride, row, row_bytes);
        store_number(place, from.at(block, c, 0), accumulate);
      }
    }
  } else if constexpr (Kind == operand_kind::per_row) {
    if (geometry.leads_row()) store_number(find_row(data, row, row_bytes), from.at(block, 0, 0), accumulate);
  }
}

/// The entry at i, which differs from thread to thread, without an array that threads could index.
template <int Count, class T>
EDGEWISE_HD T pick_entry(T const (&entries)[Count], int i) {
  if constexpr (Count == 1) {
    return entries[0];
  } else {
    static_assert(Count % 2 == 0);
    T half[Count / 2];
    EDGEWISE_UNROLL
    for (int k = 0; k < Count / 2; ++k) half[k] = (i & (Count / 2)) != 0 ? entries[k + Count / 2] : entries[k];
    return pick_entry(half, i & (Count / 2 - 1));
  }
}

/// Stores what each edge of a block has as row rows[b], or adds it, where `ok` has the edge. Of sums that are still
/// open over threads each is stored by a thread that comes to have it. The two have stores of their own, which is
/// faster than one behind a branch (docs/tuning.md, R40).
template <operand_kind Kind, int Stride = 1, class Geometry, class T, class Row, class V, int Edges, class Mask>
EDGEWISE_HD void store_edges(Geometry const& geometry, T* data, std::int64_t row_stride, bool accumulate,
                             Row const (&rows)[Edges], Mask const& ok, V const& from) {
  if constexpr (is_partial(V::extent_of) && V::edges == Edges) {
    static_assert(Kind == operand_kind::per_head || Kind == operand_kind::per_row);
    std::int32_t const row_bytes = static_cast<std::int32_t>(row_stride * static_cast<std::int64_t>(sizeof(T)));
    for_each_sum(geometry, from, [&](int b, [[maybe_unused]] int c, auto const& sum) {
      if (!ok.has(b)) return;
      T* const first = Kind == operand_kind::per_head ? data + geometry.head(c) * Stride : data;
      T* const place = find_row(first, pick_entry(rows, b), row_bytes);
      if (accumulate) {
        store_number(place, sum, true);
      } else {
        store_number(place, sum, false);
      }
    });
  } else {
    auto const whole = complete(geometry, from);
    EDGEWISE_UNROLL
    for (int b = 0; b < Edges; ++b) {
      if (!ok[b]) continue;
      if (accumulate) {
        store_row<Kind, Stride>(geometry, data, row_stride, rows[b], whole, b, true);
      } else {
        store_row<Kind, Stride>(geometry, data, row_stride, rows[b], whole, b, false);
      }
    }
  }
}

}  // namespace edgewise::inline v0::detail
