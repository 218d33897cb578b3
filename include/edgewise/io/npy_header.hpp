// The header of NumPy's array files, formats 1.0 to 3.0.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/io/input_file.hpp>

namespace edgewise::inline v0::detail {

/// `type` as NumPy names it, such as <i4.
struct npy_header {
  std::string type;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

/// Parses the Python literal that a header is, such as {'descr': '<i4', 'fortran_order': False, 'shape': (2, 10556), }:
/// a dictionary with these three keys, in any order, and nothing else.
class npy_header_parser {
public:
  /// `long_integers`: whether the header may be of Python 2, which writes 10556L.
  npy_header_parser(input_file const& file, std::string_view header, bool long_integers)
      : file_(file), header_(header), rest_(header), long_integers_(long_integers) {}

  npy_header parse() {
    npy_header parsed;
    bool has_type = false, has_order = false, has_shape = false;
    require_mark('{', "does not begin with {");
    while (!skip_mark('}')) {
      auto const key = parse_string("a key");
      require_mark(':', "has no colon after a key");
      auto const once = [&](bool& has) {
        if (std::exchange(has, true)) fail(text("has '", key, "' twice"));
      };
      if (key == "descr") {
        once(has_type);
        skip_space();
        if (!rest_.starts_with('\'') && !rest_.starts_with('"') && !rest_.starts_with('u')) {
          file_.fail(text("npy elements are not of one plain type: ", shown(rest_)));
        }
        parsed.type = parse_string("the type");
      } else if (key == "fortran_order") {
        once(has_order);
        parsed.fortran_order = parse_bool();
      } else if (key == "shape") {
        once(has_shape);
        parsed.shape = parse_shape();
      } else {
        fail(text("has the key '", shown(key), "', which NumPy does not write"));
      }
      if (skip_mark(',')) continue;
      require_mark('}', "has neither a comma nor } after a value");
      break;
    }
    skip_space();
    if (!rest_.empty()) fail(text("goes on after its dictionary: ", shown(rest_)));
    if (!has_type) fail(text("has no 'descr': ", shown(header_)));
    if (!has_order) fail(text("has no 'fortran_order': ", shown(header_)));
    if (!has_shape) fail(text("has no 'shape': ", shown(header_)));
    return parsed;
  }

private:
  [[noreturn]] void fail(std::string const& reason) const { file_.fail(text("npy header ", reason)); }

  void skip_space() {
    auto const begin = rest_.find_first_not_of(" \t\r\n\f");
    rest_.remove_prefix(begin == rest_.npos ? rest_.size() : begin);
  }
  bool skip_mark(char mark) {
    skip_space();
    if (!rest_.starts_with(mark)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void require_mark(char mark, char const* reason) {
    if (!skip_mark(mark)) fail(text(reason, ": ", shown(rest_)));
  }

  /// A string without escapes, of which no header has need; Python 2 may write a u before it.
  std::string parse_string(char const* what) {
    skip_space();
    auto string = rest_;
    if (string.starts_with('u')) string.remove_prefix(1);
    auto const quote = string.empty() ? '\0' : string.front();
    auto const end = quote == '\'' || quote == '"' ? string.find(quote, 1) : string.npos;
    if (end == string.npos) fail(text("has no string for ", what, ": ", shown(rest_)));
    std::string const plain(string.substr(1, end - 1));
    if (plain.find_first_of("\\\n\r") != plain.npos)
      fail(text("has an escape or a line end in a string: ", shown(plain)));
    rest_ = string.substr(end + 1);
    return plain;
  }

  bool parse_bool() {
    skip_space();
    for (bool const value : {true, false}) {
      std::string_view const word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    fail(text("has neither True nor False as 'fortran_order': ", shown(rest_)));
  }

  std::vector<std::int64_t> parse_shape() {
    std::vector<std::int64_t> shape;
    require_mark('(', "has no tuple as shape");
    bool is_tuple = true;  // (2) is a number in parentheses
    while (!skip_mark(')')) {
      shape.push_back(parse_extent());
      is_tuple = skip_mark(',');
      if (is_tuple) continue;
      require_mark(')', "has neither a comma nor ) after an extent of its shape");
      break;
    }
    if (shape.size() == 1 && !is_tuple) fail(text("has no tuple as shape: (", shape.front(), ")"));
    constexpr std::size_t most_axes = 64;  // NumPy's limit
    if (shape.size() > most_axes) fail(text("has ", shape.size(), " axes, must have at most ", most_axes));
    return shape;
  }

  std::int64_t parse_extent() {
    skip_space();
    std::int64_t extent = -1;
    auto const [end, status] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
    auto const num_digits = static_cast<std::size_t>(end - rest_.data());
    // Python takes 0 and 00, but no other number that begins with 0.
    if (status != std::errc() || extent < 0 || (rest_.front() == '0' && extent != 0) || rest_.front() == '-') {
      fail(text("has a bad extent in its shape: ", shown(rest_)));
    }
    rest_.remove_prefix(num_digits);
    if (long_integers_ && rest_.starts_with('L')) rest_.remove_prefix(1);
    return extent;
  }

  input_file const& file_;
  std::string_view header_;
  std::string_view rest_;
  bool long_integers_;
};

/// Reads magic, version and header, and leaves the file at the first element. Takes what NumPy takes, but for
/// expressions of Python that NumPy never writes, such as 0x10 and a key that is there twice.
inline npy_header read_npy_header(input_file& file) {
  unsigned char start[8];
  if (file.read(reinterpret_cast<char*>(start), 8) != 8 || std::memcmp(start, "\x93NUMPY", 6) != 0) {
    file.fail("not an npy file");
  }
  int const version = start[6];
  if (version < 1 || version > 3 || start[7] != 0) {
    file.fail(text("npy format ", version, ".", int{start[7]}, ", must be 1.0, 2.0 or 3.0"));
  }
  unsigned char length[4] = {};
  std::size_t const length_bytes = version == 1 ? 2 : 4;
  if (file.read(reinterpret_cast<char*>(length), length_bytes) != length_bytes) file.fail("npy header is cut off");
  std::size_t size = 0;
  for (std::size_t byte = 0; byte < length_bytes; ++byte) size |= std::size_t{length[byte]} << (8 * byte);
  constexpr std::size_t largest = 10000;  // NumPy's limit; a real header has about a hundred bytes
  if (size > largest) file.fail(text("npy header of ", size, " bytes, must be at most ", largest));
  std::string header(size, '\0');
  if (file.read(header.data(), size) != size) file.fail("npy header is cut off");
  return npy_header_parser(file, header, version < 3).parse();
}

/// The number of elements. As in NumPy, the product over axes that are not empty must be a size of memory: then no
/// product of some of them overflows either. `present`: bytes after the header.
inline std::uint64_t npy_size(input_file const& file, npy_header const& header, std::size_t element_bytes,
                              std::uint64_t present) {
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  bool const is_empty = std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end();
  std::uint64_t num_bytes = element_bytes;
  for (auto const extent : header.shape) {
    if (extent == 0) continue;
    if (num_bytes > largest / static_cast<std::uint64_t>(extent)) {
      if (is_empty) file.fail("npy header has a shape of 2^63 bytes or more beside its empty axis");
      file.fail(text("cut off: ", present, " bytes of elements, the shape needs more"));
    }
    num_bytes *= static_cast<std::uint64_t>(extent);
  }
  return is_empty ? 0 : num_bytes / element_bytes;
}

}  // namespace edgewise::inline v0::detail
