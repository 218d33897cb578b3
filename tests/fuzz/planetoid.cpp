// Citation networks in eight files, seven of them pickles.
#include <edgewise/io/planetoid.hpp>

#include <filesystem>

#include "invariants.hpp"

namespace edgewise::testing {

void fuzz_planetoid(std::string_view archive) {
  constexpr std::string_view names[] = {"x", "tx", "allx", "y", "ty", "ally", "graph", "test.index"};
  for (auto const name : names) std::filesystem::remove(fuzz_folder().file("ind.f." + std::string(name)));
  for (auto const& [name, bytes] : files_of(archive)) {
    for (auto const known : names) {
      if (name == known) fuzz_folder().write("ind.f." + name, bytes);
    }
  }
  dataset data;
  if (!accepts([&] { data = read_planetoid(fuzz_folder().path(), "f"); })) return;
  check_dataset(data);
  check_same(data, read_planetoid(fuzz_folder().path(), "f"));
}

}  // namespace edgewise::testing
