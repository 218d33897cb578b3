// NumPy's array files, formats 1.0 and 2.0.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>

namespace edgewise {

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
  static_assert(std::endian::native == std::endian::little,
                "read_npy: files are little endian, and so must the host be");
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

struct npy_header {
  std::string type;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

[[noreturn]] inline void fail_npy(std::filesystem::path const& path, std::string const& reason) {
  throw io_error(text(path.string(), ": ", reason));
}

/// What follows `'key':` in a header such as {'descr': '<i4', 'fortran_order': False, 'shape': (2, 10556), }.
inline std::string_view npy_value(std::filesystem::path const& path, std::string_view header, std::string_view key) {
  auto const at = header.find(key);
  auto const colon = at == header.npos ? at : header.find(':', at);
  auto const value = colon == header.npos ? colon : header.find_first_not_of(' ', colon + 1);
  if (value == header.npos) fail_npy(path, text("npy header has no ", key, ": ", header));
  return header.substr(value);
}

inline std::vector<std::int64_t> parse_npy_shape(std::filesystem::path const& path, std::string_view value) {
  std::vector<std::int64_t> shape;
  auto const close = value.find(')');
  if (value.empty() || value.front() != '(' || close == value.npos) {
    fail_npy(path, text("npy header has no tuple as shape: ", value));
  }
  auto rest = value.substr(1, close - 1);
  for (;;) {
    auto const begin = rest.find_first_not_of(" ,");
    if (begin == rest.npos) return shape;
    rest.remove_prefix(begin);
    std::int64_t extent = -1;
    auto const [end, status] = std::from_chars(rest.data(), rest.data() + rest.size(), extent);
    if (status != std::errc() || extent < 0) fail_npy(path, text("npy header has a bad extent in its shape: ", rest));
    shape.push_back(extent);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  }
}

/// Reads magic, version and header, and leaves the stream at the first element.
inline npy_header read_npy_header(std::filesystem::path const& path, std::istream& file) {
  char start[8];
  if (!file.read(start, 8) || std::memcmp(start, "\x93NUMPY", 6) != 0) fail_npy(path, "not an npy file");
  int const version = start[6];
  if (version != 1 && version != 2)
    fail_npy(path, text("npy format ", version, ".", int{start[7]}, ", must be 1.0 or 2.0"));
  std::uint32_t size = 0;  // two bytes in 1.0, four in 2.0
  if (!file.read(reinterpret_cast<char*>(&size), version == 1 ? 2 : 4)) fail_npy(path, "npy header is cut off");
  constexpr std::uint32_t largest = 1 << 20;  // a real header has some hundred bytes
  if (size > largest) fail_npy(path, text("npy header of ", size, " bytes, must be at most ", largest));
  std::string header(size, '\0');
  if (!file.read(header.data(), static_cast<std::streamsize>(size))) fail_npy(path, "npy header is cut off");

  auto const type = npy_value(path, header, "'descr'");
  auto const quote = type.find('\'', 1);
  if (type.front() != '\'' || quote == type.npos)
    fail_npy(path, text("npy elements are not of one plain type: ", type));
  auto const order = npy_value(path, header, "'fortran_order'");
  return {.type = std::string(type.substr(1, quote - 1)),
          .fortran_order = order.substr(0, 4) == "True",
          .shape = parse_npy_shape(path, npy_value(path, header, "'shape'"))};
}

}  // namespace detail

/// The array in an .npy file (format 1.0 or 2.0, C order, little endian). T is int32_t, int64_t, float, double or
/// uint8_t and must be the file's type: nothing is converted. Throws `io_error` naming the file for a missing or cut
/// off one, for one that goes on after the array, and for another type or order. Source:
/// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
template <class T>
npy_array<T> read_npy(std::filesystem::path const& path, memory_resource* memory = host_memory()) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw io_error(detail::text(path.string(), ": cannot be opened"));
  auto header = detail::read_npy_header(path, file);
  if (header.type != detail::npy_name<T>()) {
    detail::fail_npy(path, detail::text("elements of type '", header.type, "', must be '", detail::npy_name<T>(), "'"));
  }
  if (header.fortran_order && header.shape.size() > 1) detail::fail_npy(path, "Fortran order, must be C order");

  auto const begin = file.tellg();
  file.seekg(0, std::ios::end);
  auto const present = static_cast<std::uint64_t>(file.tellg() - begin);
  file.seekg(begin);
  std::uint64_t size = 1;
  bool const is_empty = std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end();
  for (auto const extent : header.shape) {
    // More elements than the file has bytes: stop before the product overflows.
    if (!is_empty && size > present / static_cast<std::uint64_t>(extent)) {
      detail::fail_npy(path, detail::text("cut off: ", present, " bytes of elements, the shape needs more"));
    }
    size *= static_cast<std::uint64_t>(extent);
  }
  if (is_empty) size = 0;
  if (present != size * sizeof(T)) {
    detail::fail_npy(path, detail::text(present < size * sizeof(T) ? "cut off: " : "", present,
                                        " bytes of elements, the shape needs ", size * sizeof(T)));
  }
  npy_array<T> array{std::move(header.shape), host_buffer<T>(size, memory)};
  if (size > 0 &&
      !file.read(reinterpret_cast<char*>(array.values.data()), static_cast<std::streamsize>(size * sizeof(T)))) {
    detail::fail_npy(path, "cannot be read");
  }
  return array;
}

}  // namespace edgewise
