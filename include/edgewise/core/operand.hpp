// Operand views: a pointer, its extents and its kind, which says over which axes an operand varies and what broadcasts.
#pragma once

#include <cstdint>
#include <type_traits>

#include <edgewise/core/config.hpp>

namespace edgewise::inline v0 {

/// Over which axes of [rows, heads, channels] an operand varies; the others broadcast.
enum class operand_kind {
  wide,         ///< [rows, heads, channels]
  per_head,     ///< [rows, heads]
  per_channel,  ///< [rows, channels], shared by the heads
  per_row       ///< [rows]
};

/// A non-owning strided operand. Rows are `row_stride` elements apart; within a row heads and channels are contiguous:
/// element (row, head, channel) of a wide operand is data[row * row_stride + head * channels + channel].
/// A row stride larger than the row serves packed tensors (queries, keys and values in one array), and rows of odd
/// widths: where address and row stride are multiples of 16 bytes, a device may read the gap behind a row, the last
/// row's too, up to the next such multiple. What the gap holds takes no part, and it is written only where the view
/// says that it is the tensor's own (`padded`).
template <class T, operand_kind Kind>
struct operand_view {
  using value_type = T;
  static constexpr operand_kind kind = Kind;

  T* data = nullptr;
  std::int64_t rows = 0;
  std::int32_t heads = 1;
  std::int32_t channels = 1;
  std::int64_t row_stride = 0;
  bool is_padded = false;    ///< may gaps behind rows be written? (`padded`)
  bool is_constant = false;  ///< may a plan keep rows of edges in another order? (`constant_rows`)

  /// Elements of one row.
  EDGEWISE_HD std::int64_t row_size() const {
    return (Kind == operand_kind::wide || Kind == operand_kind::per_head ? std::int64_t{heads} : 1) *
           (Kind == operand_kind::wide || Kind == operand_kind::per_channel ? std::int64_t{channels} : 1);
  }
};

/// [rows, heads, channels]; `row_stride` 0 means contiguous rows.
template <class T>
operand_view<T, operand_kind::wide> wide(T* data, std::int64_t rows, std::int32_t heads, std::int32_t channels,
                                         std::int64_t row_stride = 0) {
  return {data, rows, heads, channels, row_stride ? row_stride : std::int64_t{heads} * channels};
}
/// [rows, channels] with one head.
template <class T>
operand_view<T, operand_kind::wide> wide(T* data, std::int64_t rows, std::int32_t channels) {
  return {data, rows, 1, channels, channels};
}
/// [rows, heads]; `row_stride` 0 means contiguous rows.
template <class T>
operand_view<T, operand_kind::per_head> per_head(T* data, std::int64_t rows, std::int32_t heads,
                                                 std::int64_t row_stride = 0) {
  return {data, rows, heads, 1, row_stride ? row_stride : heads};
}
/// [rows, channels], the same for every head; `row_stride` 0 means contiguous rows.
template <class T>
operand_view<T, operand_kind::per_channel> per_channel(T* data, std::int64_t rows, std::int32_t channels,
                                                       std::int64_t row_stride = 0) {
  return {data, rows, 1, channels, row_stride ? row_stride : channels};
}
/// [rows]; `row_stride` 0 means 1.
template <class T>
operand_view<T, operand_kind::per_row> per_row(T* data, std::int64_t rows, std::int64_t row_stride = 0) {
  return {data, rows, 1, 1, row_stride ? row_stride : 1};
}

/// A view of an output or gradient whose gaps behind rows are padding: what a pass leaves there, up to four elements
/// (two of `double`) from where the last begins, the last row's too, means nothing. Rows of odd widths then move as
/// words, `padded(wide(p, rows, 1, 7, 8))` in the time of 8 floats, where a device reads the other rows of the pass so,
/// too: address and stride of all of them are multiples of 16 bytes, and there is more than one; sums of messages
/// without an epilogue over grouped edges, their extents known at run time, and gradients of what has channels
/// (docs/kernels.md). Elsewhere it changes nothing but what overlaps.
template <class T, operand_kind Kind>
operand_view<T, Kind> padded(operand_view<T, Kind> view) {
  view.is_padded = true;
  return view;
}

/// A view of an operand of edges whose contents stay as they are: normalisation weights, features that nothing trains.
/// A plan over grouped edges may then keep copies of its rows in the order of each grouping that numbers its edges
/// otherwise, and passes read those one after the other, where rows by edge id lie anywhere. Memory: a copy for each
/// such grouping, counted in `workspace_bytes`, made with the plan: contents must be there then, and a change in place
/// is not noticed. `plan.update_constants(exec, in)` tells a plan of other contents.
/// Nothing is copied unless all operands of edges that the program reads are constant. Passes that also need edge ids,
/// for masks, gradients of edges or values of theirs that are kept, read by id; so do programs of edges, edges in tiles
/// and plans for a capacity.
template <class T, operand_kind Kind>
operand_view<T, Kind> constant_rows(operand_view<T, Kind> view) {
  view.is_constant = true;
  return view;
}

namespace detail {

template <class C>
concept array_container = requires(C& c) {
  c.data();
}
|| requires(C& c) {  // a pointer of another library
  c.get();
};
template <class C>
struct require_pointer_of {
  static_assert(sizeof(C) == 0,
                "wide, per_head, per_channel, per_row: take a pointer, the data() of a container, or of a "
                "thrust::device_vector thrust::raw_pointer_cast(v.data())");
};

}  // namespace detail

// Chosen for containers in place of pointers, to say so.
template <detail::array_container C, class... Extent>
auto wide(C const&, Extent...) {
  return detail::require_pointer_of<C>{};
}
template <detail::array_container C, class... Extent>
auto per_head(C const&, Extent...) {
  return detail::require_pointer_of<C>{};
}
template <detail::array_container C, class... Extent>
auto per_channel(C const&, Extent...) {
  return detail::require_pointer_of<C>{};
}
template <detail::array_container C, class... Extent>
auto per_row(C const&, Extent...) {
  return detail::require_pointer_of<C>{};
}

/// The name of a kind as messages print it.
inline char const* kind_name(operand_kind kind) {
  switch (kind) {
    case operand_kind::wide:
      return "wide [rows, heads, channels]";
    case operand_kind::per_head:
      return "per_head [rows, heads]";
    case operand_kind::per_channel:
      return "per_channel [rows, channels]";
    case operand_kind::per_row:
      return "per_row [rows]";
  }
  return "unknown";
}

}  // namespace edgewise::inline v0
