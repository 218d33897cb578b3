#include "device_test.hpp"

#include "support/catch.hpp"

#include "device.hpp"
#include "graphs.hpp"
#include "guarded_output.hpp"

using namespace edgewise::testing;

TEST_CASE("device: vectors survive the round trip", "[support][gpu]") {
  skip_without_cuda_device();
  random_stream random("device: round trip");
  for (int size : {0, 1, 1000}) {
    auto const values = uniform_values<float>(size, random);
    CHECK(round_trip(values) == values);
  }
}

TEST_CASE("device: an output shows what was written and what was not", "[support][gpu]") {
  skip_without_cuda_device();
  std::vector<float> const input{1, 2, 3, 4, 5};

  auto const whole = doubled(input, 0, 5);
  CHECK(whole.values == std::vector<float>{2, 4, 6, 8, 10});
  CHECK(whole.damage.empty());

  auto const part = doubled(input, 1, 3);
  CHECK(count_poison(part.values) == 3);
  CHECK(part.values[1] == 4);
  CHECK(part.damage.empty());

  CHECK(doubled(input, 0, 6).damage == "guard zone damaged: byte 1 after the last element was written");
  CHECK(doubled(input, -1, 5).damage == "guard zone damaged: byte 1 before the first element was written");
  CHECK(count_poison(poisoned_again(5).values) == 5);
  CHECK(poisoned_again(5).damage.empty());
  CHECK(doubled({}, 0, 0).values.empty());
  CHECK_FALSE(doubled({}, 0, 1).damage.empty());
}

TEST_CASE("device: the battery arrives whole", "[support][gpu]") {
  skip_without_cuda_device();
  for (auto const& graph : battery()) {
    INFO(graph.name);
    CHECK(edges_of_csr(graph).rows == graph.destinations);
    CHECK(edges_of_csr(graph).neighbors == graph.sources);
    CHECK(edges_of_csc(graph).rows == graph.sources);
    CHECK(edges_of_csc(graph).neighbors == graph.destinations);
    CHECK(edges_of_coo(graph).rows == graph.destinations);
    CHECK(edges_of_coo(graph).neighbors == graph.sources);
  }
}
