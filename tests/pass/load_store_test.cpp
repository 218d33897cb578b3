#include <edgewise/pass/load_store.hpp>

#include "support/catch.hpp"

using edgewise::detail::pick_entry;

TEST_CASE("load_store: pick_entry finds every entry", "[pass]") {
  int const one[1] = {7};
  CHECK(pick_entry(one, 0) == 7);
  int const two[2] = {7, 11};
  int const four[4] = {7, 11, 13, 17};
  int const eight[8] = {7, 11, 13, 17, 19, 23, 29, 31};
  for (int i = 0; i < 2; ++i) CHECK(pick_entry(two, i) == two[i]);
  for (int i = 0; i < 4; ++i) CHECK(pick_entry(four, i) == four[i]);
  for (int i = 0; i < 8; ++i) CHECK(pick_entry(eight, i) == eight[i]);
}
