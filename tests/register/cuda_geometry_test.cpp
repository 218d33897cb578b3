#include <edgewise/register/cuda_geometry.hpp>

#include <vector>

#include "support/catch.hpp"

using edgewise::detail::first_of_owner;
using edgewise::detail::keepers_of_sums;
using edgewise::detail::owner_of_sum;
using edgewise::detail::owners_of_sums;

namespace {

/// The sums that a thread still has after the steps that split them: each leaves it the half that its bit names.
std::vector<int> sums_of(int thread, int count, int owners) {
  std::vector<int> sums;
  for (int i = 0; i < count; ++i) sums.push_back(i);
  for (int m = 1; m < owners; m <<= 1) {
    auto const middle = sums.begin() + static_cast<std::ptrdiff_t>(sums.size() / 2);
    sums = (thread & m) != 0 ? std::vector<int>(middle, sums.end()) : std::vector<int>(sums.begin(), middle);
  }
  return sums;
}

}  // namespace

TEST_CASE("cuda_geometry: sums are split where that saves shuffles", "[register]") {
  CHECK(owners_of_sums(4, 32) == 4);
  CHECK(owners_of_sums(8, 16) == 8);
  CHECK(owners_of_sums(2, 32) == 2);
  CHECK(owners_of_sums(1, 32) == 1);  // nothing to split
  CHECK(owners_of_sums(4, 2) == 1);   // 2 to split and 4 to fetch, instead of 4
  CHECK(owners_of_sums(6, 32) == 1);  // not a power of two
}

TEST_CASE("cuda_geometry: each sum is fetched from a thread that has it, in the place it has there", "[register]") {
  for (int count : {2, 4, 8, 16}) {
    for (int span : {2, 4, 8, 16, 32}) {
      int const owners = owners_of_sums(count, span);
      int const kept = count / owners;
      for (int i = 0; i < count; ++i) {
        INFO(count << " sums over " << span << " threads, sum " << i);
        auto const sums = sums_of(owner_of_sum(i, count, owners), count, owners);
        REQUIRE(static_cast<int>(sums.size()) == kept);
        CHECK(sums[static_cast<std::size_t>(i % kept)] == i);
      }
    }
  }
}

TEST_CASE("cuda_geometry: sums that nobody fetches are split further, and each is kept by one thread", "[register]") {
  CHECK(keepers_of_sums(4, 2) == 2);
  CHECK(keepers_of_sums(4, 32) == 4);
  CHECK(keepers_of_sums(8, 4) == 4);
  CHECK(keepers_of_sums(4, 1) == 1);
  CHECK(keepers_of_sums(6, 32) == 1);  // not a power of two
  for (int count : {1, 2, 4, 8}) {
    for (int span : {1, 2, 4, 8, 32}) {
      int const keepers = keepers_of_sums(count, span);
      for (int thread = 0; thread < keepers; ++thread) {
        INFO(count << " sums over " << span << " threads, thread " << thread);
        auto const sums = sums_of(thread, count, keepers);
        REQUIRE(static_cast<int>(sums.size()) == count / keepers);
        for (std::size_t i = 0; i < sums.size(); ++i) {
          CHECK(sums[i] == first_of_owner(thread, count, keepers) + static_cast<int>(i));
          CHECK(owner_of_sum(sums[i], count, keepers) == thread);
        }
      }
    }
  }
}
