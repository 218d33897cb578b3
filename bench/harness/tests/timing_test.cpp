#include "../timing.hpp"

#include "support/catch.hpp"

using namespace edgewise::bench;

TEST_CASE("median and interquartile spread of unsorted samples") {
  auto const t = summarize({5, 1, 3, 2, 4}, 7);
  CHECK(t.median_ms == 3);
  CHECK(t.spread == Approx(2.0 / 3));  // quartiles 2 and 4
  CHECK(t.launches == 7);
  CHECK(t.replays == 5);
}

TEST_CASE("an even number of samples interpolates") { CHECK(summarize({1, 2, 3, 10}, 1).median_ms == 2.5); }

TEST_CASE("one slow replay does not move the spread") { CHECK(summarize({1, 1, 1, 1, 1, 1, 1, 99}, 1).spread == 0); }

TEST_CASE("no samples is an error") { CHECK_THROWS_AS(summarize({}, 1), edgewise::invalid_argument); }
