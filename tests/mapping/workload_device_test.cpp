#include "workload_device_test.hpp"

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/graphs.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("workload on a device: threads of the group of half the threads, by width and type", "[mapping][gpu]") {
  skip_without_cuda_device();
  auto const graph = symmetric();
  auto const is = [](told const& answer, std::int64_t half) {
    std::int64_t const expected = has_half_groups_at_all() ? half : 0;
    return answer.half_of_destinations == expected && answer.half_of_sources == expected && !answer.has_softmax;
  };
  CHECK(is(told_of_sum(graph, {1, 32}), 0));
  CHECK(is(told_of_sum(graph, {1, 36}), 8));
  CHECK(is(told_of_sum(graph, {1, 64}), 8));
  CHECK(is(told_of_sum(graph, {4, 16}), 8));
  CHECK(is(told_of_sum(graph, {1, 128}), 16));
  CHECK(is(told_of_sum(graph, {1, 132}), 0));
  CHECK(is(told_of_sum(graph, {1, 65}), 0));  // rows that do not move as words
  CHECK(is(told_of_bfloat16_sum(graph, {1, 128}), 0));
  CHECK(is(told_of_bfloat16_sum(graph, {1, 256}), 16));
  CHECK(is(told_of_float16_sum(graph, {1, 256}), 0));  // to widen it takes the registers
}

TEST_CASE("workload on a device: that such groups walk a softmax", "[mapping][gpu]") {
  skip_without_cuda_device();
  auto const graph = symmetric();
  for (width const rows : {width{1, 64}, width{4, 16}, width{1, 128}}) {
    INFO(rows.heads << " x " << rows.channels);
    told const answer = told_of_transformer(graph, rows);
    std::int64_t const half = has_half_groups_at_all() ? rows.heads * rows.channels / 8 : 0;
    CHECK(answer.half_of_destinations == half);
    CHECK(answer.half_of_sources == half);
    CHECK(answer.has_softmax == has_half_groups_at_all());
  }
  CHECK(told_of_transformer(graph, {4, 64}).half_of_destinations == 0);
}
