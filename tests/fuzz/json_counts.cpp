// JSON texts, and counts in them.
#include <edgewise/io/json_counts.hpp>

#include <array>
#include <optional>

#include "target.hpp"

namespace edgewise::testing {

void fuzz_json_counts(std::string_view bytes) {
  constexpr std::array<std::string_view, 2> keys = {"num_nodes", "n"};
  accepts([&] {
    edgewise::detail::json_object const object("meta.json", bytes, keys);
    for (auto const key : keys) {
      accepts([&] {
        auto const count = object.count(key);
        require(!count || (*count >= 0 && *count <= 2147483647), "a count fits 32 bits");
      });
    }
  });
}

}  // namespace edgewise::testing
