// Rows of ranks on a device, dealt out by heads or channels and back.
#include "feature_split_device_test.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("feature_split on a device: every rank has its heads of all rows", "[distributed][gpu]") {
  skip_without_cuda_device();
  constexpr int ranks = 3;
  auto const owners = vertex_owners::of_ranges({0, 40, 40, 57});  // one rank owns nothing
  for (auto const& [heads, channels] : {std::pair(6, 4), std::pair(3, 5), std::pair(1, 12)}) {
    auto const found = split_on_device_ranks(owners, heads, channels);
    REQUIRE(found.size() == ranks);
    int const size = heads * channels, slice = size / ranks;
    for (int rank = 0; rank < ranks; ++rank) {
      INFO(heads << " x " << channels << ", rank " << rank);
      std::vector<float> of_heads, rows;
      for (int v = 0; v < 57; ++v) {
        for (int k = 0; k < slice; ++k) of_heads.push_back(static_cast<float>(1000 * v + rank * slice + k));
      }
      for (auto const v : owners.vertices_of(rank)) {
        for (int k = 0; k < size; ++k) rows.push_back(static_cast<float>(1000 * v + k));
      }
      CHECK(found[static_cast<std::size_t>(rank)].heads == of_heads);
      CHECK(found[static_cast<std::size_t>(rank)].rows == rows);
    }
  }
}
