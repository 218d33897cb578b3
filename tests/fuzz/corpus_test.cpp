// The fuzzers over their corpus, without libFuzzer.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/catch.hpp"

#include "target.hpp"

namespace edgewise::testing {
namespace {

using named_target = std::pair<char const*, void (*)(std::string_view)>;

constexpr named_target targets[] = {
    {"conversions", fuzz_conversions},
    {"edge_list", fuzz_edge_list},
    {"graph", fuzz_graph},
    {"json_counts", fuzz_json_counts},
    {"linqs", fuzz_linqs},
    {"matrix_market", fuzz_matrix_market},
    {"npy", fuzz_npy},
    {"npy_folder", fuzz_npy_folder},
    {"number_text", fuzz_number_text},
    {"pickle", fuzz_pickle},
    {"planetoid", fuzz_planetoid},
    {"wsb_file", fuzz_wsb_file},
};

std::vector<std::string> corpus_of(std::string const& target) {
  std::vector<std::string> inputs;
  for (auto const& entry : std::filesystem::directory_iterator(std::string(EDGEWISE_FUZZ_CORPUS) + "/" + target)) {
    std::ifstream file(entry.path(), std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

TEST_CASE("every input of the corpus, whole") {
  for (auto const& [name, run] : targets) {
    CAPTURE(name);
    auto const inputs = corpus_of(name);
    CHECK(!inputs.empty());
    for (auto const& input : inputs) {
      CAPTURE(input);
      CHECK_NOTHROW(run(input));
    }
  }
}

TEST_CASE("inputs cut off, and with a byte changed") {
  for (auto const& [name, run] : targets) {
    CAPTURE(name);
    for (auto const& input : corpus_of(name)) {
      auto const step = std::max<std::size_t>(input.size() / 16, 1);
      for (std::size_t at = 0; at < input.size(); at += step) {
        CAPTURE(input, at);
        CHECK_NOTHROW(run(std::string_view(input).substr(0, at)));
        auto changed = input;
        changed[at] = static_cast<char>(changed[at] ^ (1 << at % 8));
        CHECK_NOTHROW(run(changed));
      }
    }
  }
}

}  // namespace
}  // namespace edgewise::testing
