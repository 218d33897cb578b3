#include "exchanges_device_test.hpp"

#include <algorithm>

#include "support/catch.hpp"
#include "support/device.hpp"

using namespace edgewise::testing;

TEST_CASE("exchanges: what threads of a warp and of a block get from each other", "[emulation][gpu]") {
  skip_without_cuda_device();
  auto const got = exchange_on_device();
  for (int x = 0; x < exchange_threads; ++x) {
    INFO("thread " << x);
    int const warp = x / 32 * 32;
    int const lane = x % 32;
    auto const i = static_cast<std::size_t>(x);
    CHECK(got.neighbor[i] == warp + (lane ^ 5));
    CHECK(got.neighbor_of_8[i] == x / 8 * 8 + 3);
    CHECK(got.before[i] == (x % 16 < 2 ? x : x - 2));
    CHECK(got.product[i] == 0.5 * (warp + 7));
    unsigned multiples = 0;
    for (int l = 0; l < 32; ++l) multiples |= ((warp + l) % 3 == 0 ? 1u : 0u) << l;
    CHECK(got.thirds[i] == multiples);
    CHECK(got.same[i] == 0xfu << lane / 4 * 4);
    CHECK(got.any_and_all[i] == (warp == 32 ? 3 : warp == 0 ? 1 : 0));
    CHECK(got.half[i] == (lane < 16 ? warp + 15 - lane : -1));
    CHECK(got.reversed[i] == exchange_threads - 1 - x);
    CHECK(got.shared[i] == exchange_threads * (exchange_threads - 1) / 2);
  }
  auto order = got.order;
  std::sort(order.begin(), order.end());
  for (int x = 0; x < exchange_threads; ++x) CHECK(order[static_cast<std::size_t>(x)] == x);
}

TEST_CASE("exchanges: a grid that is larger than its work", "[emulation][gpu]") {
  skip_without_cuda_device();
  std::vector<float> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) / 3;
  CHECK(copy_on_device(values, 40) == values);
}
