// NumPy's array files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/io/element_type.hpp>
#include <edgewise/io/input_file.hpp>
#include <edgewise/io/npy_header.hpp>

namespace edgewise::inline v0 {

/// An array in C order: the last axis is contiguous. Shape: values [product of shape].
template <class T>
struct npy_array {
  std::vector<std::int64_t> shape;
  host_buffer<T> values;
};

namespace detail {

/// The type as an npy header names it; types without a name cannot be read.
template <class T>
constexpr char const* npy_name() {
  if constexpr (std::is_same_v<T, std::int32_t>)
    return "<i4";
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return "<i8";
  else if constexpr (std::is_same_v<T, float>)
    return "<f4";
  else if constexpr (std::is_same_v<T, double>)
    return "<f8";
  else if constexpr (std::is_same_v<T, std::uint8_t>)
    return "|u1";
  else
    static_assert(sizeof(T) == 0, "read_npy<T>: T must be int32_t, int64_t, float, double or uint8_t (io/npy.hpp)");
}

/// Reads elements stored as Stored into `values`, in C order.
template <class Stored, class T>
void read_npy_elements(input_file& file, npy_header const& header, bool big_endian, host_buffer<T>& values) {
  auto const cut_off = [&] { file.fail("cut off while it was read"); };
  bool const transposed = header.fortran_order && header.shape.size() > 1 && !values.empty();
  if (std::is_same_v<Stored, T> && !big_endian && !transposed) {
    if (file.read(reinterpret_cast<char*>(values.data()), values.size_bytes()) != values.size_bytes()) cut_off();
    return;
  }
  constexpr std::size_t chunk_size = 1 << 13;
  std::vector<char> chunk(std::min(values.size(), chunk_size) * sizeof(Stored));
  fortran_walk walk(transposed ? header.shape : std::vector<std::int64_t>{});
  for (std::size_t first = 0; first < values.size(); first += chunk_size) {
    auto const count = std::min(values.size() - first, chunk_size);
    if (file.read(chunk.data(), count * sizeof(Stored)) != count * sizeof(Stored)) cut_off();
    for (std::size_t k = 0; k < count; ++k) {
      auto const element = load_element<Stored>(chunk.data() + k * sizeof(Stored), big_endian);
      auto const value = convert_element<T>(element);
      if (!value) {
        file.fail(
            text("element ", first + k, " is ", printed_element(element), ", which '", npy_name<T>(), "' cannot hold"));
      }
      values[transposed ? static_cast<std::size_t>(walk.position()) : first + k] = *value;
      if (transposed) walk.next();
    }
  }
}

enum class npy_conversion { none, allowed };

template <class T>
npy_array<T> read_npy_array(std::filesystem::path const& path, npy_conversion conversion, memory_resource* memory) {
  input_file file(path);
  auto header = read_npy_header(file);
  auto const type = parse_element_type(header.type);
  auto own = *parse_element_type(npy_name<T>());
  own.big_endian = type && type->big_endian;
  if (conversion == npy_conversion::none && type != own) {
    file.fail(text("elements of type '", shown(header.type), "', must be '", npy_name<T>(), "'"));
  }
  if (!type) file.fail(text("elements of type '", shown(header.type), "', must be bools, integers or floats"));
  if (std::is_integral_v<T> && type->kind == 'f') {
    file.fail(text("elements of type '", shown(header.type), "', must be integers or bools"));
  }

  auto const present = file.num_left();  // no memory is taken for what is not there
  auto const size = npy_size(file, header, type->num_bytes, present);
  auto const needed = size * type->num_bytes;
  if (present != needed) {
    file.fail(text(present < needed ? "cut off: " : "", present, " bytes of elements, the shape needs ", needed));
  }
  npy_array<T> array{std::move(header.shape), host_buffer<T>(size, memory)};
  header.shape = array.shape;
  with_stored_type(*type, [&](auto stored) {
    using stored_type = decltype(stored);
    if constexpr (is_convertible_element<T, stored_type>) {
      read_npy_elements<stored_type>(file, header, type->big_endian, array.values);
    }
  });
  return array;
}

}  // namespace detail

/// The array in an .npy file of format 1.0, 2.0 or 3.0, in C or Fortran order and of either byte order. T is int32_t,
/// int64_t, float, double or uint8_t and must be the file's type: nothing is converted. Numbers that are not finite are
/// kept. Throws `io_error` naming the file for a missing or cut off one, for one that goes on after the array, for
/// another type, and for a header that NumPy does not read. Source:
/// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
template <class T>
npy_array<T> read_npy(std::filesystem::path const& path, memory_resource* memory = host_memory()) {
  return detail::read_npy_array<T>(path, detail::npy_conversion::none, memory);
}

/// `read_npy` for a file of bools, integers of 8 to 64 bits, or floats of 16 to 64, as Ts: integers stay exact, and
/// floats are not made integers; what becomes a float is rounded to the nearest. Also throws `io_error` for the first
/// element that T does not reach.
template <class T>
npy_array<T> read_npy_as(std::filesystem::path const& path, memory_resource* memory = host_memory()) {
  return detail::read_npy_array<T>(path, detail::npy_conversion::allowed, memory);
}

}  // namespace edgewise::inline v0
