// Do two views share memory?
#pragma once

#include <cstdint>

namespace edgewise::inline v0::detail {

/// Rows of memory, by addresses.
struct memory_rows {
  std::int64_t first = 0;
  std::int64_t num_rows = 0;
  std::int64_t stride_bytes = 0;
  std::int64_t row_bytes = 0;

  bool is_empty() const { return num_rows <= 0 || row_bytes <= 0; }
  bool is_one_piece() const { return num_rows == 1 || stride_bytes == row_bytes; }
  std::int64_t end() const { return first + (num_rows - 1) * stride_bytes + row_bytes; }
};

template <class View>
memory_rows memory_of(View const& view) {
  auto const element = static_cast<std::int64_t>(sizeof(*view.data));
  return {static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(view.data)), view.rows,
          (view.rows > 1 ? view.row_stride : view.row_size()) * element, view.row_size() * element};
}
/// The memory of a view with the padding that a pass may write: to the end of the last chunk, of four elements or 16
/// bytes, of rows that begin at multiples of 16 bytes.
template <class View>
memory_rows padded_memory_of(View const& view) {
  memory_rows rows = memory_of(view);
  if constexpr (requires { view.is_padded; }) {
    bool const moves_words = rows.first % 16 == 0 && rows.stride_bytes % 16 == 0;
    if (view.is_padded && view.rows > 1 && moves_words) {
      constexpr std::int64_t chunk = sizeof(*view.data) < 4 ? 4 * sizeof(*view.data) : 16;
      std::int64_t const whole = (rows.row_bytes + chunk - 1) / chunk * chunk;
      if (whole <= rows.stride_bytes) rows.row_bytes = whole;
    }
  }
  return rows;
}

/// Is there a byte of rows in [begin, end)?
inline bool touches(memory_rows const& rows, std::int64_t begin, std::int64_t end) {
  if (rows.is_empty() || begin >= end || end <= rows.first || begin >= rows.end()) return false;
  if (rows.num_rows == 1 || begin <= rows.first) return true;
  // The row that `begin` lies in or behind; if behind, the interval has to reach the next one.
  std::int64_t const before = (begin - rows.first) / rows.stride_bytes;
  std::int64_t const inside = begin - rows.first - before * rows.stride_bytes;
  return inside < rows.row_bytes || rows.first + (before + 1) * rows.stride_bytes < end;
}

/// Do two lists of rows share a byte? Exact where they have one stride or one of them is one piece, as slices of one
/// array have. Of others only whether both begin at one address.
inline bool overlap(memory_rows const& a, memory_rows const& b) {
  if (a.is_empty() || b.is_empty() || a.end() <= b.first || b.end() <= a.first) return false;
  if (b.is_one_piece()) return touches(a, b.first, b.end());
  if (a.is_one_piece()) return touches(b, a.first, a.end());
  if (a.stride_bytes != b.stride_bytes) return a.first == b.first;
  // Their ranges meet: some row of the one that begins later lies within or between rows of the other, as all do.
  memory_rows const& early = a.first <= b.first ? a : b;
  memory_rows const& late = a.first <= b.first ? b : a;
  return touches(early, late.first, late.first + late.row_bytes);
}

/// Do two views share memory, their padding included?
template <class A, class B>
bool share_memory(A const& a, B const& b) {
  return overlap(padded_memory_of(a), padded_memory_of(b));
}
template <class A, class B>
bool begin_together(A const& a, B const& b) {
  return static_cast<void const*>(a.data) == static_cast<void const*>(b.data) && a.rows > 0 && b.rows > 0;
}

/// What one view is to another that it shares memory with, for messages.
template <class A, class B>
char const* shared_memory_text(A const& a, B const& b) {
  if (begin_together(a, b)) return "is the array of ";
  return overlap(memory_of(a), memory_of(b)) ? "overlaps " : "overlaps, with padding, ";
}

}  // namespace edgewise::inline v0::detail
