// Arrays of NumPy and sparse matrices of SciPy as pickles of Python 2 and 3 have them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <edgewise/core/memory.hpp>
#include <edgewise/format/validate.hpp>
#include <edgewise/io/element_type.hpp>
#include <edgewise/io/features.hpp>
#include <edgewise/io/pickle.hpp>

namespace edgewise::inline v0::detail {

/// What pickled arrays, sparse matrices and dictionaries of lists name, by `old_global`. Protocols 0 and 1 need the
/// last two before bytes; those up to 2 the bytes of Python 3; protocol 5 _frombuffer.
inline constexpr std::array<std::string_view, 13> array_globals = {"numpy.core.multiarray _reconstruct",
                                                                   "numpy.core.multiarray scalar",
                                                                   "numpy.core.numeric _frombuffer",
                                                                   "numpy ndarray",
                                                                   "numpy dtype",
                                                                   "scipy.sparse.csr csr_matrix",
                                                                   "scipy.sparse.csr csr_array",
                                                                   "collections defaultdict",
                                                                   "__builtin__ list",
                                                                   "__builtin__ object",
                                                                   "copy_reg _reconstructor",
                                                                   "_codecs encode",
                                                                   "__builtin__ bytes"};

/// The type of an array's elements, and how messages name it; nothing where there is no such type here.
struct pickled_type {
  std::string_view name;  // "i4"
  std::optional<element_type> type;
};

/// An array whose elements are still bytes, in the pickle. Shape: bytes [product of shape * element size].
struct pickled_array {
  std::size_t at = 0;
  pickled_type element;
  std::vector<std::int64_t> shape;
  std::string_view bytes;
  bool fortran_order = false;
};

/// Item `k` of a tuple.
inline pickle_value const& tuple_item(pickle const& file, pickle_value const& tuple, std::size_t k, char const* what) {
  file.require(tuple, pickle_kind::tuple, what);
  if (tuple.items.size() <= k) file.fail_at(tuple.at, text(what, " has ", tuple.items.size(), " items"));
  return file[tuple.items[k]];
}

/// What `numpy.dtype.__reduce__` wrote: dtype('i4', ...) and the state (version, byte order, ...).
inline pickled_type read_element_type(pickle const& file, pickle_value const& type) {
  if (!file.is_made_by(type, "numpy dtype") || type.state == no_pickle_id) {
    file.fail_at(type.at, "the type of elements must be a numpy.dtype");
  }
  auto const& name = tuple_item(file, file[type.arguments], 0, "a numpy.dtype");
  file.require(name, pickle_kind::string, "the name of a numpy.dtype");
  auto const& order = tuple_item(file, file[type.state], 1, "the state of a numpy.dtype");
  file.require(order, pickle_kind::string, "the byte order of a numpy.dtype");
  bool const is_known = order.bytes == "<" || order.bytes == ">" || order.bytes == "|" || order.bytes == "=";
  if (!is_known) file.fail_at(type.at, text("elements of byte order '", shown(order.bytes), "', must be <, >, | or ="));
  return {name.bytes, name.bytes.size() > 2 ? std::nullopt : parse_element_type(order.bytes + name.bytes)};
}

/// The elements as T, in C order. Ints are exact: only an int type is read as one.
template <class T>
std::vector<T> elements_of(pickle const& file, pickled_array const& array) {
  auto const name = array.element.name;
  auto const& type = array.element.type;
  if (!type) file.fail_at(array.at, text("elements of type '", shown(name), "', must be bools, integers or floats"));
  std::vector<T> elements(array.bytes.size() / type->num_bytes);
  bool const transposed = array.fortran_order && array.shape.size() > 1 && !elements.empty();
  fortran_walk walk(transposed ? array.shape : std::vector<std::int64_t>{});
  with_stored_type(*type, [&](auto zero) {
    using stored = decltype(zero);
    if constexpr (!is_convertible_element<T, stored>) {
      file.fail_at(array.at, text("elements of type '", shown(name), "', must be ints"));
    } else {
      for (std::size_t k = 0; k < elements.size(); ++k) {
        auto const element = load_element<stored>(array.bytes.data() + k * sizeof(stored), type->big_endian);
        auto const value = convert_element<T>(element);
        if (!value)
          file.fail_at(array.at, text("element ", k, " is ", printed_element(element), ", which is too large"));
        elements[transposed ? static_cast<std::size_t>(walk.position()) : k] = *value;
        if (transposed) walk.next();
      }
    }
  });
  return elements;
}

/// An int, or a scalar of a NumPy int type.
inline std::int64_t read_integer(pickle const& file, pickle_value const& value, char const* what) {
  if (!file.is_made_by(value, "numpy.core.multiarray scalar")) {
    return file.require(value, pickle_kind::integer, what).number;
  }
  auto const& arguments = file[value.arguments];
  auto const element = read_element_type(file, tuple_item(file, arguments, 0, "a NumPy scalar"));
  auto const& bytes = file.require(tuple_item(file, arguments, 1, "a NumPy scalar"), pickle_kind::string, what);
  bool const is_integer = element.type && (element.type->kind == 'i' || element.type->kind == 'u');
  if (!is_integer || bytes.bytes.size() != element.type->num_bytes) {
    file.fail_at(value.at, text(what, " is a NumPy scalar of type '", shown(element.name), "' in ", bytes.bytes.size(),
                                " bytes, must be an int"));
  }
  return elements_of<std::int64_t>(file, {value.at, element, {}, bytes.bytes}).front();
}

inline std::vector<std::int64_t> read_shape(pickle const& file, pickle_value const& tuple, char const* what) {
  std::vector<std::int64_t> shape;
  for (auto const item : file.require(tuple, pickle_kind::tuple, what).items) {
    auto const extent = read_integer(file, file[item], what);
    if (extent < 0) file.fail_at(file[item].at, text(what, " is ", extent));
    shape.push_back(extent);
  }
  constexpr std::size_t most_axes = 64;  // NumPy's limit
  if (shape.size() > most_axes) {
    file.fail_at(tuple.at, text(what, " has ", shape.size(), " axes, must have at most ", most_axes));
  }
  return shape;
}

/// Throws unless the array has as many bytes as its shape needs.
inline void require_whole(pickle const& file, pickled_array const& array) {
  if (!array.element.type) return;  // refused by whoever reads the elements
  auto const element_bytes = array.element.type->num_bytes;
  std::uint64_t left = array.bytes.size() / element_bytes;
  bool fits = array.bytes.size() % element_bytes == 0;
  bool const is_empty = std::find(array.shape.begin(), array.shape.end(), 0) != array.shape.end();
  for (auto const extent : array.shape) {  // divides, since the product may overflow
    if (is_empty) break;
    fits = fits && left % static_cast<std::uint64_t>(extent) == 0;
    left /= static_cast<std::uint64_t>(extent);
  }
  if (!fits || left != (is_empty ? 0u : 1u)) {
    file.fail_at(array.at,
                 text("an array has ", array.bytes.size(), " bytes of elements, its shape needs another number"));
  }
}

/// What `numpy.ndarray.__reduce__` wrote: _reconstruct(ndarray, (0,), 'b') and the state (version, shape, dtype,
/// whether in Fortran order, bytes); in protocol 5, _frombuffer(bytes, dtype, shape, 'C' or 'F').
inline pickled_array read_array(pickle const& file, pickle_value const& value) {
  bool const is_buffer = file.is_made_by(value, "numpy.core.numeric _frombuffer") && value.state == no_pickle_id;
  if (!is_buffer && (!file.is_made_by(value, "numpy.core.multiarray _reconstruct") || value.state == no_pickle_id ||
                     tuple_item(file, file[value.arguments], 0, "an array").bytes != "numpy ndarray")) {
    file.fail_at(value.at, text("must be a numpy.ndarray, is ", name_of(value.kind)));
  }
  auto const item = [&](std::size_t k) -> pickle_value const& {
    return is_buffer ? tuple_item(file, file[value.arguments], k, "the arguments of an array")
                     : tuple_item(file, file[value.state], k, "the state of an array");
  };
  auto const& bytes = item(is_buffer ? 0 : 4);
  auto const& order = item(3);
  pickled_array array{.at = value.at,
                      .element = read_element_type(file, item(is_buffer ? 1 : 2)),
                      .shape = read_shape(file, item(is_buffer ? 2 : 1), "the shape of an array"),
                      .bytes = file.require(bytes, pickle_kind::string, "the elements of an array").bytes};
  if (is_buffer) {
    array.fortran_order = file.require(order, pickle_kind::string, "the order of an array").bytes == "F";
    if (!array.fortran_order && order.bytes != "C") {
      file.fail_at(value.at, text("order '", shown(order.bytes), "', must be C or F"));
    }
  } else {
    array.fortran_order = file.require(order, pickle_kind::boolean, "the order of an array").number != 0;
  }
  require_whole(file, array);
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

/// Whether the value is an object of this class: class(), or _reconstructor(class, object, None) in protocols 0 and 1.
inline bool is_object_of(pickle const& file, pickle_value const& value, std::string_view name) {
  return file.is_made_by(value, name) || (file.is_made_by(value, "copy_reg _reconstructor") &&
                                          tuple_item(file, file[value.arguments], 0, "an object").bytes == name);
}

/// A scipy.sparse.csr_matrix or csr_array with its columns and offsets checked; explicit zeros and repeated columns are
/// kept.
inline sparse_features read_csr_matrix(pickle const& file, pickle_value const& value) {
  bool const is_matrix = is_object_of(file, value, "scipy.sparse.csr csr_matrix") ||
                         is_object_of(file, value, "scipy.sparse.csr csr_array");
  if (!is_matrix || value.state == no_pickle_id) {
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

}  // namespace edgewise::inline v0::detail
