// The geometries of passes on a device, and which one takes rows of which extents.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/engine/tiles.hpp>
#include <edgewise/mapping/work_split.hpp>
#include <edgewise/pass/pass_sizes.hpp>
#include <edgewise/pass/pass_traits.hpp>
#include <edgewise/program/static_extents.hpp>

namespace edgewise::inline v0::detail {

/// Channels of a row that the largest group holds.
inline constexpr int widest_group = 16384;

/// Rows of 4-byte loads, or of 8-byte loads where pairs are aligned. Six chunks per thread keep groups small, so that a
/// warp's loads serve several rows, and fill them well (docs/tuning.md, R30). Up to four elements are one thread's.
template <class F>
constexpr auto choose_flat_unaligned(int elements, int chunk, F const& f) {
  if (elements <= 4) return f(type_tag<cuda_geometry<1, 1, 4, access::element>>{});
  if (elements <= 8) return f(type_tag<cuda_geometry<2, 1, 4, access::element>>{});
  if (elements <= 48) return f(type_tag<cuda_geometry<8, 6, 1>>{});
  if (elements <= 96) return f(type_tag<cuda_geometry<16, 6, 1>>{});
  if (chunk >= 2) return f(type_tag<cuda_geometry<32, 3, 2>>{});
  return f(type_tag<cuda_geometry<32, 6, 1>>{});
}

template <class F>
constexpr auto choose_flat(row_extents extents, int chunk, F const& f) {
  int const elements = extents.heads * extents.channels;
  if (chunk < 4) return choose_flat_unaligned(elements, chunk, f);
  // Wider rows are cut into tiles of 256 channels: that is faster than groups that hold all of a row (docs/tuning.md,
  // R31).
  int const chunks = ceil_div(elements, 4);
  if (chunks <= 2) return f(type_tag<cuda_geometry<2, 1, 4>>{});
  if (chunks <= 4) return f(type_tag<cuda_geometry<4, 1, 4>>{});
  if (chunks <= 8) return f(type_tag<cuda_geometry<8, 1, 4>>{});
  if (chunks <= 16) return f(type_tag<cuda_geometry<16, 1, 4>>{});
  if (chunks <= 32) return f(type_tag<cuda_geometry<32, 1, 4>>{});
  return f(type_tag<cuda_geometry<32, 2, 4>>{});
}

/// Are rows of more than 256 channels cut between heads into tiles of that? Groups that hold twice as much keep fewer
/// edges in flight, or spill.
constexpr bool is_cut_by_heads(layout_need need, row_extents extents) {
  bool const may_cut = need == layout_need::whole_heads || need == layout_need::head_aware;
  return may_cut && extents.heads > 1 && power_of_two_from(ceil_div(extents.channels, 4)) <= 64;
}

/// `choose_flat` where edges read 16-bit rows: chunks of 8 channels are 16-byte words, chunks of 4 serve rows that
/// allow no more.
template <class F>
constexpr auto choose_flat_float16(row_extents extents, int chunk, F const& f) {
  int const elements = extents.heads * extents.channels;
  if (chunk < 4) {
    if (elements <= 8) return f(type_tag<cuda_geometry<2, 1, 4, access::element>>{});
    if (elements <= 48) return f(type_tag<cuda_geometry<8, 6, 1>>{});
    return f(type_tag<cuda_geometry<32, 6, 1>>{});
  }
  if (chunk < 8) {
    if (elements <= 16) return f(type_tag<cuda_geometry<4, 1, 4>>{});
    if (elements <= 64) return f(type_tag<cuda_geometry<16, 1, 4>>{});
    return f(type_tag<cuda_geometry<32, 1, 4>>{});
  }
  if (elements <= 16) return f(type_tag<cuda_geometry<2, 1, 8>>{});
  if (elements <= 32) return f(type_tag<cuda_geometry<4, 1, 8>>{});
  if (elements <= 64) return f(type_tag<cuda_geometry<8, 1, 8>>{});
  if (elements <= 128) return f(type_tag<cuda_geometry<16, 1, 8>>{});
  return f(type_tag<cuda_geometry<32, 1, 8>>{});
}

/// Rows with sums over channels that do not move as words. A warp per edge wastes most of itself on a few channels
/// (docs/tuning.md, R32).
template <class F>
constexpr auto choose_heads_unaligned(row_extents extents, F const& f) {
  if (power_of_two_from(ceil_div(extents.channels, 4)) * extents.heads <= 4) {
    return f(type_tag<cuda_geometry<4, 1, 4, access::element, packing::padded>>{});
  }
  return f(type_tag<cuda_geometry<32, 4, 1, access::chunk, packing::padded>>{});
}

template <class F>
constexpr auto choose_heads(layout_need need, row_extents extents, int chunk, F const& f) {
  if (chunk < 4) return choose_heads_unaligned(extents, f);
  int const chunks_per_head = ceil_div(extents.channels, 4);
  int const chunks = power_of_two_from(chunks_per_head) * extents.heads;
  // Where a group holds a part of every head, the parts lie apart.
  bool const is_apart = need == layout_need::all_heads && chunks > 128;
  bool const dense = extents.heads == 1 || (power_of_two_from(chunks_per_head) * 4 == extents.channels && !is_apart);
  if (!dense && chunks <= 32) return f(type_tag<cuda_geometry<32, 1, 4, access::chunk, packing::padded>>{});
  if (!dense) return f(type_tag<cuda_geometry<32, 4, 4, access::chunk, packing::padded>>{});
  if (chunks <= 4) return f(type_tag<cuda_geometry<4, 1, 4>>{});
  if (chunks <= 8) return f(type_tag<cuda_geometry<8, 1, 4>>{});
  if (chunks <= 16) return f(type_tag<cuda_geometry<16, 1, 4>>{});
  if (chunks <= 32) return f(type_tag<cuda_geometry<32, 1, 4>>{});
  if (chunks <= 64 || is_cut_by_heads(need, extents)) return f(type_tag<cuda_geometry<32, 2, 4>>{});
  return f(type_tag<cuda_geometry<32, 4, 4>>{});
}

/// `choose_heads` where edges read 16-bit rows.
template <class F>
constexpr auto choose_heads_float16(layout_need need, row_extents extents, int chunk, F const& f) {
  if (chunk < 4) return choose_heads_unaligned(extents, f);
  if (chunk < 8) {
    int const chunks = power_of_two_from(ceil_div(extents.channels, 4)) * extents.heads;
    if (chunks <= 32) return f(type_tag<cuda_geometry<32, 1, 4, access::chunk, packing::padded>>{});
    return f(type_tag<cuda_geometry<32, 4, 4, access::chunk, packing::padded>>{});
  }
  int const chunks_per_head = ceil_div(extents.channels, 8);
  int const chunks = power_of_two_from(chunks_per_head) * extents.heads;
  bool const is_apart = need == layout_need::all_heads && chunks > 64;
  bool const dense = extents.heads == 1 || (power_of_two_from(chunks_per_head) * 8 == extents.channels && !is_apart);
  if (!dense) return f(type_tag<cuda_geometry<32, 2, 8, access::chunk, packing::padded>>{});
  if (chunks <= 4) return f(type_tag<cuda_geometry<4, 1, 8>>{});
  if (chunks <= 8) return f(type_tag<cuda_geometry<8, 1, 8>>{});
  if (chunks <= 16) return f(type_tag<cuda_geometry<16, 1, 8>>{});
  if (chunks <= 32 || is_cut_by_heads(need, extents)) return f(type_tag<cuda_geometry<32, 1, 8>>{});
  return f(type_tag<cuda_geometry<32, 2, 8>>{});
}

/// Are all wide rows that vary from edge to edge stored in 16 bits?
template <class Table>
inline constexpr bool reads_float16 = false;
template <class First, class... Bound>
inline constexpr bool reads_float16<type_list<First, Bound...>> = is_float16<typename First::storage> &&
                                                                  (is_float16<typename Bound::storage> && ...);

/// The longest chunk of a pass: 8 channels where what each edge reads is 16-bit, whatever its rows are summed into,
/// else 4: chunks of 8 floats would take twice the registers.
template <class Pass>
inline constexpr int chunk_of_pass =
    reads_float16<filter_types<is_wide_bound, typename Pass::tables::needed_varying>> ? 8 : 4;

template <class Pass, class F>
constexpr auto choose_flat_of(row_extents extents, int chunk, F const& f) {
  if constexpr (chunk_of_pass<Pass> == 8) {
    return choose_flat_float16(extents, chunk, f);
  } else {
    return choose_flat(extents, chunk, f);
  }
}
template <class Pass, class F>
constexpr auto choose_heads_of(row_extents extents, int chunk, F const& f) {
  if constexpr (chunk_of_pass<Pass> == 8) {
    return choose_heads_float16(Pass::need, extents, chunk, f);
  } else {
    return choose_heads(Pass::need, extents, chunk, f);
  }
}

/// The geometry that takes rows of any width, one element per load; a whole block for what no warp holds and the pass
/// goes on with.
template <class Pass, class F>
constexpr auto choose_among_few(row_extents extents, F const& f) {
  if constexpr (Pass::need == layout_need::flat) {
    return f(type_tag<cuda_geometry<32, 6, 1>>{});
  } else {
    using warp = cuda_geometry<32, 4, 1, access::chunk, packing::padded>;
    if constexpr (Pass::sums_inside) {
      using largest = cuda_geometry<512, 8, 4, access::element, packing::padded>;
      if (lay_out_on_device<Pass, warp>(extents).layout.num_tiles == 0) return f(type_tag<largest>{});
    }
    return f(type_tag<warp>{});
  }
}

/// Calls f(type_tag<Geometry>) for the one geometry of these rows, which allow chunks of `chunk` channels and less.
template <class Pass, class F>
constexpr auto choose_among_all(row_extents extents, int chunk, F const& f) {
  if constexpr (has_few_geometries) {
    return choose_among_few<Pass>(extents, f);
  } else if constexpr (Pass::need == layout_need::flat) {
    return choose_flat_of<Pass>(extents, chunk, f);
  } else if constexpr (Pass::sums_inside) {
    using half = cuda_geometry<256, 8, 1, access::chunk, packing::padded>;
    using largest = cuda_geometry<512, 8, 4, access::element, packing::padded>;
    auto const holds = [&]<class Geometry>(type_tag<Geometry>) {
      return lay_out_on_device<Pass, Geometry>(extents).layout.num_tiles > 0;
    };
    if (choose_heads_of<Pass>(extents, chunk, holds)) return choose_heads_of<Pass>(extents, chunk, f);
    // A whole block for what no warp holds and the pass goes on with.
    return holds(type_tag<half>{}) ? f(type_tag<half>{}) : f(type_tag<largest>{});
  } else {
    return choose_heads_of<Pass>(extents, chunk, f);
  }
}

/// What `choose_among_all` may choose.
using all_geometries = type_list<
    cuda_geometry<1, 1, 4, access::element>, cuda_geometry<2, 1, 4, access::element>, cuda_geometry<8, 6, 1>,
    cuda_geometry<16, 6, 1>, cuda_geometry<32, 6, 1>, cuda_geometry<32, 3, 2>, cuda_geometry<2, 1, 4>,
    cuda_geometry<4, 1, 4>, cuda_geometry<8, 1, 4>, cuda_geometry<16, 1, 4>, cuda_geometry<32, 1, 4>,
    cuda_geometry<32, 2, 4>, cuda_geometry<32, 4, 4>, cuda_geometry<4, 1, 4, access::element, packing::padded>,
    cuda_geometry<32, 4, 1, access::chunk, packing::padded>, cuda_geometry<32, 1, 4, access::chunk, packing::padded>,
    cuda_geometry<32, 4, 4, access::chunk, packing::padded>, cuda_geometry<256, 8, 1, access::chunk, packing::padded>,
    cuda_geometry<512, 8, 4, access::element, packing::padded>, cuda_geometry<2, 1, 8>, cuda_geometry<4, 1, 8>,
    cuda_geometry<8, 1, 8>, cuda_geometry<16, 1, 8>, cuda_geometry<32, 1, 8>, cuda_geometry<32, 2, 8>,
    cuda_geometry<32, 2, 8, access::chunk, packing::padded>>;
/// Where a geometry stands among them: a number, which constant expressions can carry.
struct geometry_position {
  template <class Geometry>
  constexpr int operator()(type_tag<Geometry>) const {
    return index_of_type<Geometry, all_geometries>;
  }
};

/// Calls f(type_tag<Geometry>) for the one geometry of these rows: at most twelve for each pass and mapping, besides
/// those of a score per thread or of half the threads: widths are run-time numbers; or for the one that static
/// extents leave.
template <class Pass, class Extents, class F>
bool choose_geometry(row_extents extents, int chunk, F const& f) {
  if constexpr (is_static_extents<Extents>) {
    constexpr row_extents fixed{Extents::heads, Extents::channels};
    constexpr int most =
        Extents::channels % 8 == 0 ? 8 : (Extents::channels % 4 == 0 ? 4 : (Extents::channels % 2 == 0 ? 2 : 1));
    constexpr int longest = smaller(chunk_of_pass<Pass>, most);
    using dense = type_at<choose_among_all<Pass>(fixed, longest, geometry_position{}), all_geometries>;
    using any = type_at<choose_among_all<Pass>(fixed, 1, geometry_position{}), all_geometries>;
    return chunk >= longest ? f(type_tag<dense>{}) : f(type_tag<any>{});
  } else {
    return choose_among_all<Pass>(extents, chunk, f);
  }
}

template <class Bound>
struct is_float16_bound : std::bool_constant<std::is_same_v<std::remove_const_t<typename Bound::storage>, float16>> {};

template <class Aggregations>
inline constexpr bool is_softmax_sum = false;
template <class Score, class Value>
inline constexpr bool is_softmax_sum<type_list<softmax_aggregation<Score, Value>>> = true;

/// May a pass with a softmax be taken by groups of half the threads? One softmax sum alone may, and so may its
/// gradients, except over rows of 16 bits whose scores sum channels, where registers do not suffice (docs/tuning.md,
/// R33).
template <class Pass>
inline constexpr bool halves_softmax = [] {
  using aggregations = typename Pass::aggregation_types;
  using tables = typename Pass::tables;
  using read = typename tables::needed_varying;
  constexpr bool has_registers = chunk_of_pass<Pass> == 4
                                     ? filter_types<is_float16_bound, read>::size == 0
                                     : !(forms_gradients<Pass> && any_aggregation_sums_channels<aggregations>);
  return is_softmax_sum<aggregations> && has_registers;
}();

/// May rows of a pass be taken by groups of half the threads (`group_threads::half`)? Rows of float16 in sums without a
/// softmax or inner products may not: to widen them takes the registers that two words need (docs/tuning.md, R34).
template <class Pass, class Extents>
inline constexpr bool has_half_groups = [] {
  using tables = typename Pass::tables;
  using read = typename tables::needed_varying;
  constexpr bool widens = filter_types<is_float16_bound, read>::size > 0 && !Pass::sums_inside;
  constexpr bool may = any_softmax<typename Pass::aggregation_types> ? halves_softmax<Pass> : !widens;
  return !has_few_geometries && !is_static_extents<Extents> && may && sizeof(typename Pass::accumulator) == 4;
}();
/// Has a pass kernels of half groups? Not one that stores one row per edge: it waits for its stores.
template <class Pass, class Extents>
inline constexpr bool may_halve_groups = [] {
  if constexpr (Pass::walks_edges) {
    constexpr bool sums = Pass::wide_states > 0 || Pass::sums_inside;
    return sums && !Pass::has_parameter_targets && has_half_groups<Pass, Extents>;
  } else {
    return false;
  }
}();

/// A group of half the threads, of a pass whose chunks are words of 16 bytes.
template <class Pass, int GroupSize>
using half_group = cuda_geometry<GroupSize, 2, chunk_of_pass<Pass>>;

/// Does the fold of a row that is cut into many pieces take longer by half the threads than they save? It does where
/// its state has more than one number per channel, as that of a maximum, which also has arguments, and in softmax sums
/// of up to 64 channels at a time, whose weights leave no registers for more than two slots at a time (docs/tuning.md,
/// R35).
template <class Pass>
bool folds_slowly(row_extents extents, row_extents grouped) {
  std::int64_t const elements = std::int64_t{extents.heads} * extents.channels;
  bool const is_narrow = std::int64_t{grouped.heads} * grouped.channels <= 64;
  bool const is_wide =
      slot_bytes<Pass>(extents) >= 2 * elements * static_cast<std::int64_t>(sizeof(typename Pass::accumulator));
  return is_wide || (any_softmax<typename Pass::aggregation_types> && !forms_gradients<Pass> && is_narrow);
}

/// Threads of the group that is half as large as the one that such rows take by words of `longest` channels; 0 where
/// that one has other chunks than one such word per thread, or eight threads and fewer; of words of 8 channels sixteen
/// and fewer (docs/tuning.md, R36).
constexpr int find_half_group(layout_need need, row_extents extents, int chunk, int longest) {
  if (chunk < longest) return 0;
  row_extents const row =
      need == layout_need::flat ? row_extents{.heads = 1, .channels = extents.heads * extents.channels} : extents;
  int const chunks_per_head = power_of_two_from(ceil_div(row.channels, longest));
  int const chunks = chunks_per_head * row.heads;
  bool const is_dense = row.heads == 1 || chunks_per_head * longest == row.channels;
  if (!is_dense || chunks <= (longest == 8 ? 16 : 8) || chunks > 32) return 0;
  return chunks <= 16 ? 8 : 16;
}

/// Calls f(type_tag<Geometry>) for the group of half the threads; false where there is none.
template <class Pass, class F>
bool choose_half_geometry(row_extents extents, int chunk, F const& f) {
  int const group = find_half_group(Pass::need, extents, chunk, chunk_of_pass<Pass>);
  if constexpr (chunk_of_pass<Pass> == 4) {
    if (group == 8) return f(type_tag<half_group<Pass, 8>>{});
  }
  if (group == 16) return f(type_tag<half_group<Pass, 16>>{});
  return false;
}

/// Is a geometry one of those that take rows of 64 or 128 elements, by which the pass's inner products add up?
template <class Geometry, class Pass>
inline constexpr bool takes_dot_tiles = [] {
  constexpr int elements = Geometry::capacity_chunks * Geometry::channels_per_chunk;
  bool const may_be_chosen = Geometry::packing_of == packing::dense || chunk_of_pass<Pass> == 8;
  bool const is_half = Geometry::group_size < 32 && Geometry::max_chunks == 2;
  bool const is_tile =
      elements >= least_tile && elements <= 2 * least_tile && Geometry::channels_per_chunk >= 4 && !is_half;
  return Pass::adds_up_tiles && (has_few_geometries ? !Geometry::is_block_wide : is_tile && may_be_chosen);
}();

/// May each thread compute a score of a pass (pass/thread_scores.hpp)? Not beside rows of float16: to widen it takes
/// the registers that this needs (docs/tuning.md, R37).
template <class Pass>
inline constexpr bool may_score_by_thread = false;
template <class Pass>
requires requires { Pass::scores_by_thread; }
inline constexpr bool may_score_by_thread<Pass> =
    Pass::scores_by_thread && !has_few_geometries && sizeof(typename Pass::accumulator) == 4 &&
    filter_types<is_float16_bound, typename Pass::tables::varying_table>::size == 0 &&
    Pass::tables::needed_relations::size == 0;

/// Chunks of the group whose threads can each take a score of such rows; 0 where each thread has to compute those of
/// its chunks: heads lie apart in rows, channels or heads are summed in the epilogue, or a round would have fewer than
/// four edges, so that threads do as much as each for its own chunks. The channels of a chunk are `longest`, rows allow
/// chunks of `chunk`. has_heads: do scores differ from head to head?
constexpr int find_thread_score_group(layout_need need, bool has_heads, row_extents extents, int chunk, int longest) {
  bool const is_flat = need == layout_need::flat;
  if (chunk < longest || !(is_flat || need == layout_need::head_aware)) return 0;
  row_extents const row = is_flat ? row_extents{.heads = 1, .channels = extents.heads * extents.channels} : extents;
  int const chunks_per_head = power_of_two_from(ceil_div(row.channels, longest));
  int const chunks = chunks_per_head * row.heads;
  bool const is_dense = row.heads == 1 || chunks_per_head * longest == row.channels;
  if (!is_dense || chunks <= 8) return 0;
  int const group = chunks <= 16 ? 16 : (chunks <= 32 || longest == 8 ? 32 : 64);
  row_layout const layout = make_row_layout(need, extents.heads, extents.channels, group, longest, true);
  int const threads_an_edge = has_heads ? power_of_two_from(layout.heads_per_tile) : 1;
  return layout.num_tiles > 0 && threads_an_edge * 4 <= (group < 32 ? group : 32) ? group : 0;
}
/// Does that pay? Rows must fill rounds; and where a thread has two chunks, of which fewer warps run, all
/// neighbors must be found in the cache, so that a walk takes the time of its instructions (docs/tuning.md, R38).
constexpr bool pays_to_score_by_thread(int group, double mean_degree, std::int64_t neighbor_bytes,
                                       std::int64_t cache_bytes) {
  return mean_degree >= (group <= 32 ? 4 : 16) && (group <= 32 || neighbor_bytes <= cache_bytes);
}

/// Calls f(type_tag<Geometry>) for the group that computes a score per thread; false where there is none.
template <class Pass, class Extents, class F>
bool choose_thread_score_geometry(int group, F const& f) {
  constexpr int longest = chunk_of_pass<Pass>;
  constexpr access words = access::chunk;
  constexpr packing dense = packing::dense;
  // Of rows whose extents are known, the one that they take.
  constexpr int only = [] {
    if constexpr (is_static_extents<Extents>) {
      return find_thread_score_group(Pass::need, Pass::has_scores_by_head, {Extents::heads, Extents::channels}, longest,
                                     longest);
    } else {
      return -1;
    }
  }();
  if constexpr (only < 0 || only == 16) {
    if (group == 16) return f(type_tag<cuda_geometry<16, 1, longest, words, dense, scores::by_thread>>{});
  }
  if constexpr (only < 0 || only == 32) {
    if (group == 32) return f(type_tag<cuda_geometry<32, 1, longest, words, dense, scores::by_thread>>{});
  }
  if constexpr (longest == 4 && (only < 0 || only == 64)) {
    if (group == 64) return f(type_tag<cuda_geometry<32, 2, 4, words, dense, scores::by_thread>>{});
  }
  return false;
}

}  // namespace edgewise::inline v0::detail
