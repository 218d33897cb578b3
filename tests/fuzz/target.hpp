// What every fuzzer here is: a function of bytes that returns, whatever they are.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>

#include "../io/temporary_folder.hpp"

namespace edgewise::testing {

/// A reader took a file and made something of it that cannot be. No `edgewise::error`, which readers may throw.
class broken_invariant : public std::logic_error {
public:
  using std::logic_error::logic_error;
};

inline void require(bool condition, char const* invariant) {
  if (!condition) throw broken_invariant(invariant);
}

/// Whether the call went through; it may throw no other exceptions than the library's.
template <class Call>
bool accepts(Call&& call) {
  try {
    call();
    return true;
  } catch (error const& refusal) {
    require(*refusal.what() != '\0', "an error says something");
    return false;
  }
}

/// One folder for all runs of the process. The environment variable TMPDIR says where, at best in memory.
inline temporary_folder const& fuzz_folder() {
  static temporary_folder const folder;
  return folder;
}

/// The files in an archive of several: a line "@@ name" before the bytes of each, which end before the next such line.
inline std::vector<std::pair<std::string, std::string_view>> files_of(std::string_view archive) {
  constexpr std::string_view mark = "@@ ";
  std::vector<std::pair<std::string, std::string_view>> files;
  while (archive.starts_with(mark)) {
    auto const line_end = archive.find('\n');
    if (line_end == archive.npos) break;
    auto const name = archive.substr(mark.size(), line_end - mark.size());
    auto const next = archive.find("\n@@ ", line_end);
    auto const end = next == archive.npos ? archive.size() : next;
    files.emplace_back(name, archive.substr(line_end + 1, end > line_end ? end - line_end - 1 : 0));
    archive.remove_prefix(next == archive.npos ? archive.size() : next + 1);
  }
  return files;
}

// The fuzzers, one in the file of its name.
void fuzz_conversions(std::string_view bytes);
void fuzz_edge_list(std::string_view bytes);
void fuzz_graph(std::string_view bytes);
void fuzz_json_counts(std::string_view bytes);
void fuzz_linqs(std::string_view archive);
void fuzz_matrix_market(std::string_view bytes);
void fuzz_npy(std::string_view bytes);
void fuzz_npy_folder(std::string_view archive);
void fuzz_number_text(std::string_view bytes);
void fuzz_pickle(std::string_view bytes);
void fuzz_planetoid(std::string_view archive);
void fuzz_wsb_file(std::string_view bytes);

}  // namespace edgewise::testing
