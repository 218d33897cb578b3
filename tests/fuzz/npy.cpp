// NumPy's array files, read as every type.
#include <edgewise/io/npy.hpp>

#include <cstdint>

#include "invariants.hpp"

namespace edgewise::testing {

namespace {

/// Reads the file as Ts, with conversions and without; whether that went through.
template <class T>
bool read_both(std::string const& path, npy_array<T>& array) {
  npy_array<T> own;
  bool const is_own = accepts([&] { own = read_npy<T>(path); });
  if (!accepts([&] { array = read_npy_as<T>(path); })) {
    require(!is_own, "what is read without conversions is read with them");
    return false;
  }
  std::uint64_t size = 1;
  for (auto const extent : array.shape) {
    require(extent >= 0, "extents are not negative");
    if (extent == 0) size = 0;
    size *= static_cast<std::uint64_t>(extent);
  }
  require(array.values.size() == size, "an array has the elements of its shape");
  if (is_own) {
    require(own.shape == array.shape && same_bytes(own.values, array.values), "a type of its own is not converted");
  }
  return true;
}

}  // namespace

void fuzz_npy(std::string_view bytes) {
  auto const path = fuzz_folder().write("a.npy", bytes);
  npy_array<std::int32_t> ints;
  npy_array<std::int64_t> longs;
  npy_array<float> floats;
  npy_array<double> doubles;
  npy_array<std::uint8_t> small;
  bool const is_ints = read_both(path, ints), is_longs = read_both(path, longs), is_floats = read_both(path, floats),
             is_doubles = read_both(path, doubles), is_small = read_both(path, small);
  if (is_small) require(is_ints && same_numbers(small.values, ints.values), "types agree on the numbers");
  if (is_ints) require(is_longs && same_numbers(ints.values, longs.values), "types agree on the numbers");
  if (is_longs) require(is_floats && is_doubles, "integers are numbers");
  if (is_floats) require(is_doubles && doubles.shape == floats.shape, "floats are numbers");
}

}  // namespace edgewise::testing
