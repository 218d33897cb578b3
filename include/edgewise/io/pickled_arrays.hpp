// Arrays of NumPy and sparse matrices of SciPy as pickles of Python 2 have them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/core/memory.hpp>
#include <edgewise/format/validate.hpp>
#include <edgewise/io/features.hpp>
#include <edgewise/io/pickle.hpp>

namespace edgewise::detail {

/// What pickled arrays, sparse matrices and dictionaries of lists name; protocols 0 and 1 need the last two.
inline constexpr std::array<std::string_view, 9> array_globals = {"numpy.core.multiarray _reconstruct",
                                                                  "numpy.core.multiarray scalar",
                                                                  "numpy ndarray",
                                                                  "numpy dtype",
                                                                  "scipy.sparse.csr csr_matrix",
                                                                  "collections defaultdict",
                                                                  "__builtin__ list",
                                                                  "__builtin__ object",
                                                                  "copy_reg _reconstructor"};

/// An array in C order whose elements are still bytes, in the pickle. Shape: bytes [product of shape * element size].
struct pickled_array {
  std::size_t at = 0;
  std::string_view type;  // "i4": kind and bytes of an element
  std::vector<std::int64_t> shape;
  std::string_view bytes;
};

/// Item `k` of a tuple.
inline pickle_value const& tuple_item(pickle const& file, pickle_value const& tuple, std::size_t k, char const* what) {
  file.require(tuple, pickle_kind::tuple, what);
  if (tuple.items.size() <= k) file.fail_at(tuple.at, text(what, " has ", tuple.items.size(), " items"));
  return file[tuple.items[k]];
}

/// "i4", "f8" and so on, of little-endian numbers.
inline std::string_view read_element_type(pickle const& file, pickle_value const& type) {
  static_assert(std::endian::native == std::endian::little,
                "pickled arrays: files are little endian, and so must the host be");
  if (!file.is_made_by(type, "numpy dtype") || type.state == no_pickle_id) {
    file.fail_at(type.at, "the type of elements must be a numpy.dtype");
  }
  auto const& name = tuple_item(file, file[type.arguments], 0, "a numpy.dtype");
  file.require(name, pickle_kind::string, "the name of a numpy.dtype");
  auto const& order = tuple_item(file, file[type.state], 1, "the state of a numpy.dtype");
  file.require(order, pickle_kind::string, "the byte order of a numpy.dtype");
  if (order.bytes != "<" && order.bytes != "|") {
    file.fail_at(type.at, text("elements of byte order '", order.bytes, "', must be little endian"));
  }
  return name.bytes;
}

/// Calls `use` with a zero of the type, of which there are few; false for another type.
template <class Use>
bool with_element_type(std::string_view type, Use&& use) {
  if (type == "i4")
    use(std::int32_t{});
  else if (type == "i8")
    use(std::int64_t{});
  else if (type == "f4")
    use(float{});
  else if (type == "f8")
    use(double{});
  else
    return false;
  return true;
}

/// The elements as T. Ints are exact: only an int type is read as one.
template <class T>
std::vector<T> elements_of(pickle const& file, pickled_array const& array) {
  std::vector<T> elements;
  bool const is_known = with_element_type(array.type, [&](auto zero) {
    using stored = decltype(zero);
    if constexpr (std::is_integral_v<T> && !std::is_integral_v<stored>) {
      file.fail_at(array.at, text("elements of type '", array.type, "', must be ints"));
    }
    elements.reserve(array.bytes.size() / sizeof(stored));
    for (std::size_t byte = 0; byte < array.bytes.size(); byte += sizeof(stored)) {
      stored element;
      std::memcpy(&element, array.bytes.data() + byte, sizeof(stored));
      elements.push_back(static_cast<T>(element));
    }
  });
  if (!is_known) file.fail_at(array.at, text("elements of type '", array.type, "', must be i4, i8, f4 or f8"));
  return elements;
}

/// An int, or a scalar of a NumPy int type.
inline std::int64_t read_integer(pickle const& file, pickle_value const& value, char const* what) {
  if (!file.is_made_by(value, "numpy.core.multiarray scalar")) {
    return file.require(value, pickle_kind::integer, what).number;
  }
  auto const& arguments = file[value.arguments];
  auto const type = read_element_type(file, tuple_item(file, arguments, 0, "a NumPy scalar"));
  auto const& bytes = file.require(tuple_item(file, arguments, 1, "a NumPy scalar"), pickle_kind::string, what);
  if ((type != "i4" || bytes.bytes.size() != 4) && (type != "i8" || bytes.bytes.size() != 8)) {
    file.fail_at(value.at, text(what, " is a NumPy scalar of type '", type, "' in ", bytes.bytes.size(),
                                " bytes, must be i4 or i8"));
  }
  return elements_of<std::int64_t>(file, {value.at, type, {}, bytes.bytes}).front();
}

inline std::vector<std::int64_t> read_shape(pickle const& file, pickle_value const& tuple, char const* what) {
  std::vector<std::int64_t> shape;
  for (auto const item : file.require(tuple, pickle_kind::tuple, what).items) {
    auto const extent = read_integer(file, file[item], what);
    if (extent < 0) file.fail_at(file[item].at, text(what, " is ", extent));
    shape.push_back(extent);
  }
  return shape;
}

/// What `numpy.ndarray.__reduce__` wrote: _reconstruct(ndarray, (0,), 'b') and the state (version, shape, dtype,
/// whether in Fortran order, bytes).
inline pickled_array read_array(pickle const& file, pickle_value const& value) {
  if (!file.is_made_by(value, "numpy.core.multiarray _reconstruct") || value.state == no_pickle_id ||
      tuple_item(file, file[value.arguments], 0, "an array").bytes != "numpy ndarray") {
    file.fail_at(value.at, text("must be a numpy.ndarray, is ", name_of(value.kind)));
  }
  auto const item = [&](std::size_t k) -> pickle_value const& {
    return tuple_item(file, file[value.state], k, "the state of an array");
  };
  pickled_array array{.at = value.at,
                      .type = read_element_type(file, item(2)),
                      .shape = read_shape(file, item(1), "the shape of an array"),
                      .bytes = file.require(item(4), pickle_kind::string, "the elements of an array").bytes};
  auto const& is_fortran = file.require(item(3), pickle_kind::boolean, "the order of an array");
  if (is_fortran.number != 0 && array.shape.size() > 1) file.fail_at(value.at, "Fortran order, must be C order");

  std::size_t element_bytes = 1;
  if (!with_element_type(array.type, [&](auto zero) { element_bytes = sizeof(zero); })) return array;  // refused later
  std::uint64_t left = array.bytes.size() / element_bytes;
  bool fits = array.bytes.size() % element_bytes == 0;
  bool is_empty = false;
  for (auto const extent : array.shape) is_empty = is_empty || extent == 0;
  for (auto const extent : array.shape) {  // divides, since the product may overflow
    if (is_empty) break;
    fits = fits && left % static_cast<std::uint64_t>(extent) == 0;
    left /= static_cast<std::uint64_t>(extent);
  }
  if (!fits || left != (is_empty ? 0u : 1u)) {
    file.fail_at(value.at,
                 text("an array has ", array.bytes.size(), " bytes of elements, its shape needs another number"));
  }
  return array;
}

/// What the dictionary has under this string, if anything.
inline std::optional<pickle_id> find_item(pickle const& file, pickle_value const& dictionary, std::string_view key) {
  for (std::size_t k = 0; k < dictionary.items.size(); k += 2) {
    auto const& present = file[dictionary.items[k]];
    if (present.kind == pickle_kind::string && present.bytes == key) return dictionary.items[k + 1];
  }
  return std::nullopt;
}

/// A scipy.sparse.csr_matrix with its columns and offsets checked; explicit zeros and repeated columns are kept.
inline sparse_features read_csr_matrix(pickle const& file, pickle_value const& value) {
  constexpr std::string_view name = "scipy.sparse.csr csr_matrix";
  // Protocol 2 writes csr_matrix(), the others _reconstructor(csr_matrix, object, None).
  bool const is_reconstructed = file.is_made_by(value, "copy_reg _reconstructor") &&
                                tuple_item(file, file[value.arguments], 0, "an object").bytes == name;
  if ((!file.is_made_by(value, name) && !is_reconstructed) || value.state == no_pickle_id) {
    file.fail_at(value.at, text("must be a scipy.sparse.csr_matrix, is ", name_of(value.kind)));
  }
  auto const& state = file.require(file[value.state], pickle_kind::dictionary, "the state of a csr_matrix");
  auto const item = [&](std::string_view key) -> pickle_value const& {
    auto const found = find_item(file, state, key);
    if (!found) file.fail_at(state.at, text("the csr_matrix has no ", key));
    return file[*found];
  };
  auto const shape = read_shape(file, item("_shape"), "the shape of a csr_matrix");
  auto const offsets = elements_of<std::int64_t>(file, read_array(file, item("indptr")));
  auto const columns = elements_of<std::int64_t>(file, read_array(file, item("indices")));
  auto const values = elements_of<float>(file, read_array(file, item("data")));
  try {
    if (shape.size() != 2) throw invalid_argument(text("the shape has ", shape.size(), " axes, must have 2"));
    auto const num_rows = checked_count<std::int32_t>("csr_matrix", "rows", shape[0]);
    auto const num_columns = checked_count<std::int32_t>("csr_matrix", "columns", shape[1]);
    auto const num_values = static_cast<std::int64_t>(values.size());
    require_size("csr_matrix", "indices", columns.size(), "the size of data", values.size());
    require_size("csr_matrix", "indptr", offsets.size(), "rows + 1", static_cast<std::size_t>(shape[0]) + 1);
    validate_offsets("csr_matrix", grouping_view<std::int32_t, std::int64_t>{offsets.data(), nullptr, nullptr, num_rows,
                                                                             num_columns, num_values});
    require_in_range("csr_matrix", "indices", columns.data(), num_values, std::int64_t{num_columns}, "columns",
                     "the matrix");
  } catch (invalid_argument const& refusal) {
    file.fail_at(value.at, refusal.what());
  }
  std::vector<std::int32_t> const narrow_columns(columns.begin(), columns.end());
  return {.num_rows = shape[0],
          .num_columns = shape[1],
          .offsets = copy_of(std::span(offsets)),
          .columns = copy_of(std::span(narrow_columns)),
          .values = copy_of(std::span(values))};
}

}  // namespace edgewise::detail
