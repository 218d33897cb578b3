// Matrix Market files of sparse matrices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <edgewise/io/text_file.hpp>
#include <edgewise/io/weighted_edges.hpp>

namespace edgewise {

namespace detail {

struct matrix_market_header {
  bool has_values = true;
  bool symmetric = false;
};

inline std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

inline matrix_market_header read_matrix_market_header(text_file& file) {
  if (!file.next_line()) file.fail_at_end("must begin with %%MatrixMarket");
  auto const& words = file.fields();
  if (words.size() != 5 || lower_case(words[0]) != "%%matrixmarket" || lower_case(words[1]) != "matrix") {
    file.fail("must be \"%%MatrixMarket matrix coordinate FIELD SYMMETRY\"");
  }
  auto const format = lower_case(words[2]);
  auto const field = lower_case(words[3]);
  auto const symmetry = lower_case(words[4]);
  if (format != "coordinate") file.fail(text("format is ", format, ", must be coordinate"));
  if (field != "pattern" && field != "real" && field != "integer") {
    file.fail(text("field is ", field, ", must be pattern, real or integer"));
  }
  if (symmetry != "general" && symmetry != "symmetric") {
    file.fail(text("symmetry is ", symmetry, ", must be general or symmetric"));
  }
  return {.has_values = field != "pattern", .symmetric = symmetry == "symmetric"};
}

}  // namespace detail

/// The matrix A in a Matrix Market file (coordinate; pattern, real or integer; general or symmetric) as a graph whose
/// sum over incoming edges is A x: entry (i, j) is the edge from source j - 1 to destination i - 1, with its value as
/// weight (none for pattern). Edges come in the order of the file; in a symmetric file, which lists the lower triangle,
/// the mirror image follows each entry off the diagonal. Throws `io_error` naming file and line, and returns nothing
/// then; `invalid_argument` for counts that Index or Offset cannot hold. Source:
/// https://math.nist.gov/MatrixMarket/formats.html.
template <class Index = std::int32_t, class Offset = std::int32_t>
weighted_edges<Index, Offset> read_matrix_market(std::filesystem::path const& path) {
  detail::text_file file(path);
  auto const header = detail::read_matrix_market_header(file);
  if (!file.next_line_with_fields("%")) file.fail_at_end("must go on with a line of rows, columns and entries");
  if (file.fields().size() != 3) file.fail("must be three numbers: rows, columns and entries");
  auto const num_rows = file.number<std::int64_t>(0, "the number of rows");
  auto const num_columns = file.number<std::int64_t>(1, "the number of columns");
  auto const num_entries = file.number<std::int64_t>(2, "the number of entries");
  if (num_rows < 0 || num_columns < 0 || num_entries < 0) file.fail("rows, columns and entries must not be negative");
  if (header.symmetric && num_rows != num_columns) {
    file.fail(
        detail::text("a symmetric matrix of ", num_rows, " rows and ", num_columns, " columns, must have as many"));
  }
  detail::checked_count<Index>("read_matrix_market", "rows", num_rows);
  detail::checked_count<Index>("read_matrix_market", "columns", num_columns);

  detail::edge_collector<Index> edges;
  for (std::int64_t entry = 0; entry < num_entries; ++entry) {
    if (!file.next_line_with_fields("%")) {
      file.fail_at_end(detail::text("has ", entry, " entries, must have ", num_entries));
    }
    std::size_t const num_fields = header.has_values ? 3 : 2;
    if (file.fields().size() != num_fields) {
      file.fail(detail::text("has ", file.fields().size(), " fields, must have ", num_fields));
    }
    auto const row = file.number<std::int64_t>(0, "the row");
    auto const column = file.number<std::int64_t>(1, "the column");
    if (row < 1 || row > num_rows) file.fail(detail::text("row ", row, ", must be in [1, ", num_rows, "]"));
    if (column < 1 || column > num_columns)
      file.fail(detail::text("column ", column, ", must be in [1, ", num_columns, "]"));
    if (header.symmetric && column > row) {
      file.fail(detail::text("entry (", row, ", ", column, ") is above the diagonal of a symmetric matrix"));
    }
    bool const mirrored = header.symmetric && row != column;
    if (header.has_values) {
      auto const value = file.number<double>(2, "the value");
      edges.add(column - 1, row - 1, value);
      if (mirrored) edges.add(row - 1, column - 1, value);
    } else {
      edges.add(column - 1, row - 1);
      if (mirrored) edges.add(row - 1, column - 1);
    }
  }
  if (file.next_line_with_fields("%")) file.fail(detail::text("goes on after its ", num_entries, " entries"));
  return edges.template take<Offset>({.sources = num_columns, .destinations = num_rows});
}

}  // namespace edgewise
