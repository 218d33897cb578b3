// Citation networks in two text files.
#include <edgewise/io/linqs.hpp>

#include "invariants.hpp"

namespace edgewise::testing {

void fuzz_linqs(std::string_view archive) {
  std::string content, cites;
  for (auto const& [name, bytes] : files_of(archive)) (name == "content" ? content : cites) = bytes;
  auto const content_path = fuzz_folder().write("x.content", content);
  auto const cites_path = fuzz_folder().write("x.cites", cites);
  for (auto const unknown : {unknown_papers::refuse, unknown_papers::skip}) {
    linqs_options const options{.direction = edge_direction::both, .unknown = unknown};
    dataset data;
    if (!accepts([&] { data = read_linqs(content_path, cites_path, options); })) continue;
    check_dataset(data);
    check_same(data, read_linqs(content_path, cites_path, options));
  }
}

}  // namespace edgewise::testing
