// Arrays of other libraries: an address, extents and strides, and the operands that they are.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>

#include <edgewise/core/error.hpp>
#include <edgewise/core/operand.hpp>

namespace edgewise::inline v0 {

/// An array of at most four axes, non-owning: element (i, j, ...) is address[i * strides[0] + j * strides[1] + ...].
/// Comes from an mdspan (`strided`) or a DLPack tensor (interop/dlpack.hpp).
template <class T>
struct strided_array {
  using value_type = T;
  static constexpr int most_axes = 4;

  T* address = nullptr;
  int num_axes = 0;
  std::array<std::int64_t, most_axes> extents{};
  std::array<std::int64_t, most_axes> strides{};  ///< in elements

  std::int64_t num_elements() const {
    std::int64_t count = 1;
    for (int axis = 0; axis < num_axes; ++axis) count *= extents[static_cast<std::size_t>(axis)];
    return count;
  }
};

/// What std::mdspan, cuda::std::mdspan and Kokkos' have in common.
template <class Mdspan>
concept mdspan_like = requires(Mdspan const& m) {
  m.data_handle();
  { m.extent(0) } -> std::convertible_to<std::int64_t>;
  { m.stride(0) } -> std::convertible_to<std::int64_t>;
  { Mdspan::rank() } -> std::convertible_to<std::size_t>;
};

namespace detail {

template <class Mdspan, class T>
struct reference_of {
  using type = T&;
};
template <class Mdspan, class T>
requires requires { typename Mdspan::reference; }
struct reference_of<Mdspan, T> {
  using type = typename Mdspan::reference;
};

}  // namespace detail

/// An mdspan as a `strided_array`: `wide(strided(m))`. Its accessor must be the default one, or one that reads the same
/// elements: what an accessor scales, converts or moves is not seen.
template <mdspan_like Mdspan>
auto strided(Mdspan const& m) {
  using handle = std::remove_cvref_t<decltype(m.data_handle())>;
  using T = std::remove_pointer_t<handle>;
  static_assert(Mdspan::rank() <= strided_array<T>::most_axes, "strided: takes at most four axes");
  static_assert(
      std::is_pointer_v<handle> && std::is_same_v<typename detail::reference_of<Mdspan, T>::type, T&>,
      "strided: takes an mdspan whose elements are those in memory, not one whose accessor scales or converts "
      "them (interop/strided_array.hpp)");
  strided_array<T> array{m.data_handle(), static_cast<int>(Mdspan::rank()), {}, {}};
  for (std::size_t axis = 0; axis < Mdspan::rank(); ++axis) {
    array.extents[axis] = static_cast<std::int64_t>(m.extent(axis));
    array.strides[axis] = static_cast<std::int64_t>(m.stride(axis));
  }
  return array;
}

/// Row `number` of an array: sources and destinations of an edge_index [2, E]. Throws `invalid_argument`.
template <class T>
strided_array<T> row_of(strided_array<T> const& array, std::int64_t number) {
  if (array.num_axes < 1 || number < 0 || number >= array.extents[0]) {
    throw invalid_argument(detail::text("row_of: there is no row ", number, " in an array of ", array.num_axes,
                                        " axes, ", array.num_axes < 1 ? 0 : array.extents[0], " rows"));
  }
  strided_array<T> row{array.address + number * array.strides[0], array.num_axes - 1, {}, {}};
  for (std::size_t axis = 1; axis < static_cast<std::size_t>(array.num_axes); ++axis) {
    row.extents[axis - 1] = array.extents[axis];
    row.strides[axis - 1] = array.strides[axis];
  }
  return row;
}

/// An array as one row of another axis before it: a bias [channels], `per_channel(one_row(array))`. Throws
/// `invalid_argument` where there are four axes already.
template <class T>
strided_array<T> one_row(strided_array<T> const& array) {
  if (array.num_axes >= strided_array<T>::most_axes) {
    throw invalid_argument("one_row: the array has four axes, there is no room for another");
  }
  strided_array<T> row{array.address, array.num_axes + 1, {1}, {array.num_elements()}};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(array.num_axes); ++axis) {
    row.extents[axis + 1] = array.extents[axis];
    row.strides[axis + 1] = array.strides[axis];
  }
  return row;
}

namespace detail {

template <class T>
std::string extents_text(strided_array<T> const& array) {
  std::string result = "[";
  for (int axis = 0; axis < array.num_axes; ++axis) {
    result += joined(axis == 0 ? "" : ", ", array.extents[static_cast<std::size_t>(axis)]);
  }
  return result + "]";
}

/// The rows, heads and channels of an array with these axes, the first of which is rows. Throws unless a row's elements
/// are neighbors.
template <class T>
struct operand_rows {
  std::int64_t rows = 0;
  std::int32_t first = 1;   ///< extent behind rows
  std::int32_t second = 1;  ///< extent behind that
  std::int64_t row_stride = 0;

  operand_rows(char const* kind, char const* axes, strided_array<T> const& array, int num_axes) {
    if (array.num_axes != num_axes) {
      throw invalid_argument(text(kind, ": takes ", axes, ", the array has shape ", extents_text(array),
                                  array.num_axes + 1 == num_axes ? "; a parameter of one row is one_row(array)" : ""));
    }
    rows = array.extents[0];
    std::int64_t elements = 1;
    for (int axis = num_axes - 1; axis > 0; --axis) {
      auto const a = static_cast<std::size_t>(axis);
      if (array.extents[a] < 1 || array.extents[a] > std::numeric_limits<std::int32_t>::max()) {
        throw invalid_argument(
            text(kind, ": axis ", axis, " of shape ", extents_text(array), " must have 1 to 2^31 - 1 elements"));
      }
      if (array.extents[a] > 1 && array.strides[a] != elements) {
        throw invalid_argument(text(kind, ": axis ", axis, " of shape ", extents_text(array), " has stride ",
                                    array.strides[a], ", the elements of a row must be neighbors, at stride ", elements,
                                    "; copy the array first"));
      }
      elements *= array.extents[a];
    }
    row_stride = rows > 1 ? array.strides[0] : elements;
    if (row_stride < elements) {
      throw invalid_argument(text(kind, ": rows of shape ", extents_text(array), " are ", row_stride,
                                  " elements apart, they have ", elements, "; copy the array first"));
    }
    if (num_axes > 1) first = static_cast<std::int32_t>(array.extents[1]);
    if (num_axes > 2) second = static_cast<std::int32_t>(array.extents[2]);
  }
};

}  // namespace detail

/// An array as an operand [rows, heads, channels], or [rows, channels] of one head. Rows are its first axis and may be
/// apart from each other, what is in a row may not. Throws `invalid_argument`, which names axis, shape and stride.
template <class T>
operand_view<T, operand_kind::wide> wide(strided_array<T> const& array) {
  if (array.num_axes == 2) {
    detail::operand_rows<T> const of("wide", "[rows, channels] or [rows, heads, channels]", array, 2);
    return {array.address, of.rows, 1, of.first, of.row_stride};
  }
  detail::operand_rows<T> const of("wide", "[rows, channels] or [rows, heads, channels]", array, 3);
  return {array.address, of.rows, of.first, of.second, of.row_stride};
}
/// An array as an operand [rows, heads]. Rows and errors are those of `wide`.
template <class T>
operand_view<T, operand_kind::per_head> per_head(strided_array<T> const& array) {
  detail::operand_rows<T> const of("per_head", "[rows, heads]", array, 2);
  return {array.address, of.rows, of.first, 1, of.row_stride};
}
/// An array as an operand [rows, channels]. Rows and errors are those of `wide`.
template <class T>
operand_view<T, operand_kind::per_channel> per_channel(strided_array<T> const& array) {
  detail::operand_rows<T> const of("per_channel", "[rows, channels]", array, 2);
  return {array.address, of.rows, 1, of.first, of.row_stride};
}
/// An array as an operand [rows]. Rows and errors are those of `wide`.
template <class T>
operand_view<T, operand_kind::per_row> per_row(strided_array<T> const& array) {
  detail::operand_rows<T> const of("per_row", "[rows]", array, 1);
  return {array.address, of.rows, 1, 1, of.row_stride};
}

/// An array of one axis whose elements are neighbors, for `view_csr` and its like. Throws `invalid_argument`.
template <class T>
std::span<T> flat(strided_array<T> const& array) {
  if (array.num_axes != 1 || (array.extents[0] > 1 && array.strides[0] != 1)) {
    throw invalid_argument(detail::text(
        "flat: takes [elements] that are neighbors, the array has shape ", [&] { return detail::extents_text(array); },
        " and stride ", array.num_axes == 0 ? 0 : array.strides[0], "; copy the array first"));
  }
  return {array.address, static_cast<std::size_t>(array.extents[0])};
}

}  // namespace edgewise::inline v0
