// Matrix Market files of sparse matrices.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <edgewise/format/vertex_counts.hpp>
#include <edgewise/io/number_text.hpp>
#include <edgewise/io/text_file.hpp>
#include <edgewise/io/weighted_edges.hpp>

namespace edgewise::inline v0 {

/// `non_finite`: whether values may be NaN or infinite.
struct matrix_market_options {
  non_finite_numbers non_finite = non_finite_numbers::refuse;
};

namespace detail {

enum class matrix_field { pattern, real, integer, unsigned_integer };
enum class matrix_symmetry { general, symmetric, skew_symmetric };

struct matrix_market_header {
  matrix_field field;
  matrix_symmetry symmetry;
};

inline std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

inline matrix_field matrix_field_of(text_file const& file, std::string const& word) {
  if (word == "pattern") return matrix_field::pattern;
  if (word == "real" || word == "double") return matrix_field::real;
  if (word == "integer") return matrix_field::integer;
  if (word == "unsigned-integer") return matrix_field::unsigned_integer;
  file.fail(text("field is ", shown(word), ", must be pattern, real, integer or unsigned-integer"));
}

inline matrix_symmetry matrix_symmetry_of(text_file const& file, std::string const& word) {
  if (word == "general") return matrix_symmetry::general;
  if (word == "symmetric") return matrix_symmetry::symmetric;
  if (word == "skew-symmetric") return matrix_symmetry::skew_symmetric;
  if (word == "hermitian") {
    file.fail("symmetry is hermitian, which is of complex matrices; must be general, symmetric or skew-symmetric");
  }
  file.fail(text("symmetry is ", shown(word), ", must be general, symmetric or skew-symmetric"));
}

inline matrix_market_header read_matrix_market_header(text_file& file) {
  if (!file.next_line()) file.fail_at_end("must begin with %%MatrixMarket");
  auto const& words = file.fields();
  auto const banner = words.empty() ? std::string() : lower_case(words[0]);
  bool const has_banner = banner == "%%matrixmarket" || banner == "%matrixmarket";  // SciPy takes the second too
  if (!has_banner || words.size() != 5 || lower_case(words[1]) != "matrix") {
    file.fail("must be \"%%MatrixMarket matrix coordinate FIELD SYMMETRY\"");
  }
  auto const format = lower_case(words[2]);
  if (format == "array") {
    file.fail("format is array, which lists every element of a dense matrix; a graph is read from coordinate alone");
  }
  if (format != "coordinate") file.fail(text("format is ", shown(format), ", must be coordinate"));
  matrix_market_header const header{matrix_field_of(file, lower_case(words[3])),
                                    matrix_symmetry_of(file, lower_case(words[4]))};
  if (header.symmetry == matrix_symmetry::skew_symmetric && header.field != matrix_field::real &&
      header.field != matrix_field::integer) {
    file.fail(text("a skew-symmetric matrix has values of both signs, and its field is ", lower_case(words[3]),
                   "; must be real or integer"));
  }
  return header;
}

/// Whether T holds the integer exactly: whether no more bits lie between its first and its last 1 than T has digits.
template <class T>
bool is_exact_in(std::uint64_t magnitude) {
  return magnitude == 0 || std::bit_width(magnitude) - std::countr_zero(magnitude) <= std::numeric_limits<T>::digits;
}

/// The value of an entry, which is the third field of its line.
template <class Weight>
Weight read_matrix_value(text_file const& file, matrix_field field, non_finite_numbers non_finite) {
  auto const exact = [&](auto integer, std::uint64_t magnitude) {
    if (!is_exact_in<Weight>(magnitude)) {
      file.fail(text("the value is ", integer, ", which no ", std::is_same_v<Weight, float> ? "float" : "double",
                     " holds exactly"));
    }
    return static_cast<Weight>(integer);
  };
  if (field == matrix_field::integer) {
    auto const value = file.integer<std::int64_t>(2, "the value");
    return exact(value, value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
  }
  if (field == matrix_field::unsigned_integer) {
    auto const value = file.integer<std::uint64_t>(2, "the value");
    return exact(value, value);
  }
  return file.real<Weight>(2, "the value", non_finite);
}

}  // namespace detail

/// The matrix A in a Matrix Market file as a graph whose sum over incoming edges is A x: entry (i, j) is the edge from
/// source j - 1 to destination i - 1, with its value as weight (none for pattern). Edges come in the order of the file.
/// Read are coordinate files, of the fields pattern, real (or double), integer and unsigned-integer, that are general,
/// symmetric or skew-symmetric, words in either case. The mirror image follows each entry off the diagonal of a
/// symmetric file, and of a skew-symmetric one with the negative value; as in SciPy, entries of either triangle are
/// taken, both of a pair where both are listed, and the diagonal stands as it is listed.
/// A real value is rounded to the nearest Weight, float or double, to 0 where it is too small for one; one that is NaN,
/// infinite or too large is refused unless the options accept it. The value of an integer field must be an integer that
/// a Weight holds exactly. Throws `io_error` naming file and line, and returns nothing then; `invalid_argument` for
/// counts that Index or Offset cannot hold. Source: https://math.nist.gov/MatrixMarket/formats.html.
template <class Index = std::int32_t, class Offset = std::int32_t, class Weight = double>
weighted_edges<Index, Offset, Weight> read_matrix_market(std::filesystem::path const& path,
                                                         matrix_market_options options = {}) {
  detail::text_file file(path);
  auto const [field, symmetry] = detail::read_matrix_market_header(file);
  bool const general = symmetry == detail::matrix_symmetry::general;
  bool const has_values = field != detail::matrix_field::pattern;
  if (!file.next_line_with_fields("%")) file.fail_at_end("must go on with a line of rows, columns and entries");
  if (file.fields().size() != 3) file.fail("must be three numbers: rows, columns and entries");
  auto const num_rows = file.integer<std::int64_t>(0, "the number of rows");
  auto const num_columns = file.integer<std::int64_t>(1, "the number of columns");
  auto const num_entries = file.integer<std::int64_t>(2, "the number of entries");
  if (num_rows < 0 || num_columns < 0 || num_entries < 0) file.fail("rows, columns and entries must not be negative");
  if (!general && num_rows != num_columns) {
    file.fail(
        detail::text("a symmetric matrix of ", num_rows, " rows and ", num_columns, " columns, must have as many"));
  }
  detail::checked_count<Index>("read_matrix_market", "rows", num_rows);
  detail::checked_count<Index>("read_matrix_market", "columns", num_columns);

  detail::edge_collector<Index, Weight> edges;
  for (std::int64_t entry = 0; entry < num_entries; ++entry) {
    if (!file.next_line_with_fields("%")) {
      file.fail_at_end(detail::text("has ", entry, " entries, must have ", num_entries));
    }
    std::size_t const num_fields = has_values ? 3 : 2;
    if (file.fields().size() != num_fields) {
      file.fail(detail::text("has ", file.fields().size(), " fields, must have ", num_fields));
    }
    auto const row = file.integer<std::int64_t>(0, "the row");
    auto const column = file.integer<std::int64_t>(1, "the column");
    if (row < 1 || row > num_rows) file.fail(detail::text("row ", row, ", must be in [1, ", num_rows, "]"));
    if (column < 1 || column > num_columns)
      file.fail(detail::text("column ", column, ", must be in [1, ", num_columns, "]"));
    bool const mirrored = !general && row != column;
    if (has_values) {
      auto const value = detail::read_matrix_value<Weight>(file, field, options.non_finite);
      edges.add(column - 1, row - 1, value);
      if (mirrored) {
        edges.add(row - 1, column - 1, symmetry == detail::matrix_symmetry::skew_symmetric ? -value : value);
      }
    } else {
      edges.add(column - 1, row - 1);
      if (mirrored) edges.add(row - 1, column - 1);
    }
  }
  if (file.next_line_with_fields("%")) file.fail(detail::text("goes on after its ", num_entries, " entries"));
  return edges.template take<Offset>({.sources = num_columns, .destinations = num_rows});
}

}  // namespace edgewise::inline v0
