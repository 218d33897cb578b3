// What a geometry is: which elements of a row one thread holds, and how threads that hold one row add up.
#pragma once

#include <concepts>

#include <edgewise/register/value.hpp>

namespace edgewise::inline v0::detail {

/// Where an expression can be evaluated: a thread holds up to `max_chunks` runs of `channels_per_chunk` elements, of
/// which `chunks()` are in use. `access_of`: do chunks move as words (`access::chunk`), or element by element? Rows of
/// scores and argument edges are visited by such geometries (pass/thread_scores.hpp, pass/argument_pass.hpp).
template <class G>
concept geometry = requires(G const& geo) {
  { G::max_chunks } -> std::convertible_to<int>;
  { G::channels_per_chunk } -> std::convertible_to<int>;
  { G::access_of } -> std::convertible_to<access>;
  { geo.chunks() } -> std::convertible_to<int>;
};

/// A geometry of rows: a group of `group_size` threads holds a tile of a row of `heads` x `channels` elements; on a
/// host the group is one thread. chunk: of this thread.
///   packing_of                   are heads dense in the row's chunks, or padded to whole ones?
///   capacity_chunks              of the group
///   head(chunk), channel_in_head(chunk), offset(chunk)   where a chunk starts: its head, its channel there, and its
///                                element of the row
///   valid(chunk), valid_head(chunk), valid_channels(chunk)   is it in the tile, is its head, how many channels are
///   leads_head(chunk), leads_row(), leads_channels(chunk)   is it the first chunk that holds a number of its head, of
///                                the row, of its channels? It stores that number
///   owns_head(chunk), owns_row() the same among all tiles of the row
///   sum_heads_in_place(x), sum_over_heads_in_place(x), sum_row_in_place(x)   sums over the channels of each head,
///                                over the heads of each channel, over the row, for each block of x: all get them
///   for_each_head_sum(x, f), for_each_row_sum(x, f)   f(block, chunk, sum) where one thread alone needs each sum
template <class G>
concept row_geometry = geometry<G> && requires(G const& geo, int chunk) {
  { G::group_size } -> std::convertible_to<int>;
  { G::packing_of } -> std::convertible_to<packing>;
  { G::capacity_chunks } -> std::convertible_to<int>;
  { geo.heads } -> std::convertible_to<int>;
  { geo.channels } -> std::convertible_to<int>;
  { geo.head(chunk) } -> std::convertible_to<int>;
  { geo.channel_in_head(chunk) } -> std::convertible_to<int>;
  { geo.offset(chunk) } -> std::convertible_to<int>;
  { geo.valid(chunk) } -> std::convertible_to<bool>;
  { geo.valid_head(chunk) } -> std::convertible_to<bool>;
  { geo.valid_channels(chunk) } -> std::convertible_to<int>;
  { geo.leads_head(chunk) } -> std::convertible_to<bool>;
  { geo.leads_row() } -> std::convertible_to<bool>;
  { geo.leads_channels(chunk) } -> std::convertible_to<bool>;
  { geo.owns_head(chunk) } -> std::convertible_to<bool>;
  { geo.owns_row() } -> std::convertible_to<bool>;
};

/// Says what a geometry of rows lacks.
template <class G>
struct require_row_geometry {
  static_assert(geometry<G>,
                "geometry: needs max_chunks, channels_per_chunk, access_of and chunks() "
                "(register/geometry_concept.hpp)");
  static_assert(row_geometry<G>,
                "geometry: lacks a member of row_geometry, which the compiler's note names "
                "(register/geometry_concept.hpp)");
  static constexpr bool ok = true;
};

}  // namespace edgewise::inline v0::detail
