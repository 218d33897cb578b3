#include <edgewise/program/overlap.hpp>

#include <set>

#include "support/catch.hpp"

#include <edgewise/core/float16.hpp>
#include <edgewise/core/operand.hpp>
#include <edgewise/core/vec.hpp>

using namespace edgewise;
using edgewise::detail::memory_rows;
using edgewise::detail::overlap;

namespace {

std::set<std::int64_t> bytes_of(memory_rows const& rows) {
  std::set<std::int64_t> bytes;
  for (std::int64_t r = 0; r < rows.num_rows; ++r) {
    for (std::int64_t k = 0; k < rows.row_bytes; ++k) bytes.insert(rows.first + r * rows.stride_bytes + k);
  }
  return bytes;
}

bool share_a_byte(memory_rows const& a, memory_rows const& b) {
  auto const of_b = bytes_of(b);
  for (std::int64_t const byte : bytes_of(a)) {
    if (of_b.count(byte)) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("overlap: exact for rows of one stride, and for one piece of memory", "[program]") {
  int num_compared = 0;
  for (int const stride : {3, 4, 7}) {
    for (int width = 0; width <= stride; ++width) {
      for (int rows = 0; rows <= 4; ++rows) {
        memory_rows const a{100, rows, stride, width};
        for (int first = 100 - 5 * stride; first <= 100 + 5 * stride; ++first) {
          for (int other_width = 0; other_width <= stride; ++other_width) {
            for (int other_rows = 0; other_rows <= 4; ++other_rows) {
              memory_rows const b{first, other_rows, stride, other_width};
              bool const expected = share_a_byte(a, b);
              if (overlap(a, b) != expected || overlap(b, a) != expected) {
                FAIL("rows " << rows << " x " << width << ", " << other_rows << " x " << other_width << " from "
                             << first - 100 << ", stride " << stride << ": expected " << expected);
              }
              memory_rows const piece{first, 1, 1000, other_rows * other_width};
              if (overlap(a, piece) != share_a_byte(a, piece) || overlap(piece, a) != share_a_byte(a, piece)) {
                FAIL("rows " << rows << " x " << width << ", stride " << stride << ", a piece of " << piece.row_bytes
                             << " from " << first - 100);
              }
              memory_rows const packed{first, other_rows, other_width, other_width};
              if (overlap(a, packed) != share_a_byte(a, packed) || overlap(packed, a) != share_a_byte(a, packed)) {
                FAIL("rows " << rows << " x " << width << ", stride " << stride << ", packed rows from "
                             << first - 100);
              }
              ++num_compared;
            }
          }
        }
      }
    }
  }
  CHECK(num_compared > 10000);
}

TEST_CASE("overlap: rows of different strides overlap where they begin together, at least", "[program]") {
  CHECK(overlap({0, 4, 10, 3}, {0, 4, 8, 2}));
  CHECK_FALSE(overlap({0, 4, 10, 3}, {40, 4, 8, 2}));
  CHECK_FALSE(overlap({0, 0, 10, 3}, {0, 4, 8, 2}));
}

TEST_CASE("overlap: slices of one array are told apart", "[program]") {
  float array[60] = {};
  auto const slice = [&](int first, int channels) { return wide(array + first, 5, 1, channels, 12); };
  CHECK_FALSE(detail::share_memory(slice(0, 4), slice(4, 4)));
  CHECK(detail::share_memory(slice(0, 5), slice(4, 4)));
  CHECK_FALSE(detail::share_memory(slice(8, 4), slice(0, 8)));
  CHECK(detail::share_memory(slice(0, 4), per_row(array + 15, 1)));
  CHECK_FALSE(detail::share_memory(slice(0, 4), per_row(array + 16, 1)));
}

TEST_CASE("overlap: a view's rows are those of its kind and type", "[program]") {
  double array[40] = {};
  auto const rows = detail::memory_of(per_head(array, 5, 3, 8));
  CHECK(rows.num_rows == 5);
  CHECK(rows.stride_bytes == 64);
  CHECK(rows.row_bytes == 24);
  CHECK(detail::memory_of(vec_per_head<2>(array, 5, 3)).row_bytes == 48);
  CHECK(detail::memory_of(per_channel(reinterpret_cast<float16*>(array), 5, 3)).row_bytes == 6);
}

TEST_CASE("overlap: padding counts as far as it may be written", "[program]") {
  alignas(16) float array[80] = {};
  auto const bytes = [](auto const& view) { return detail::padded_memory_of(view).row_bytes; };
  CHECK(bytes(padded(wide(array, 5, 1, 7, 8))) == 32);
  CHECK(bytes(padded(wide(array, 5, 1, 7, 12))) == 32);
  CHECK(bytes(padded(wide(array, 5, 1, 8, 12))) == 32);
  CHECK(bytes(wide(array, 5, 1, 7, 8)) == 28);
  CHECK(bytes(padded(wide(array, 1, 1, 7, 8))) == 28);      // a single row
  CHECK(bytes(padded(wide(array, 5, 1, 7, 9))) == 28);      // rows begin anywhere
  CHECK(bytes(padded(wide(array + 1, 5, 1, 7, 8))) == 28);  // in the middle of words
  CHECK(bytes(padded(wide(array, 5, 1, 7))) == 28);
  auto* const doubles = reinterpret_cast<double*>(array);
  CHECK(bytes(padded(wide(doubles, 5, 1, 3, 4))) == 32);
  auto* const halves = reinterpret_cast<float16*>(array);
  CHECK(bytes(padded(wide(halves, 5, 1, 3, 8))) == 8);  // four elements per chunk
  CHECK(bytes(padded(wide(halves, 5, 1, 9, 16))) == 24);
}

TEST_CASE("overlap: padded slices of one array", "[program]") {
  alignas(16) float array[120] = {};
  auto const slice = [&](int first, int channels) { return wide(array + first, 5, 1, channels, 24); };
  CHECK_FALSE(detail::share_memory(padded(slice(0, 7)), padded(slice(8, 7))));
  CHECK_FALSE(detail::share_memory(padded(slice(8, 7)), padded(slice(16, 7))));
  CHECK_FALSE(detail::share_memory(slice(0, 7), slice(7, 7)));
  CHECK(detail::share_memory(padded(slice(0, 7)), slice(7, 7)));
  CHECK(detail::share_memory(slice(7, 7), padded(slice(0, 7))));
  CHECK_THAT(detail::shared_memory_text(padded(slice(0, 7)), slice(7, 7)), Catch::Equals("overlaps, with padding, "));
  CHECK_THAT(detail::shared_memory_text(padded(slice(0, 7)), slice(6, 7)), Catch::Equals("overlaps "));
}
