#include "guarded_output.hpp"

#include <cmath>

#include "support/catch.hpp"

using namespace edgewise::testing;

TEST_CASE("guarded output: starts poisoned and aligned", "[support]") {
  guarded_output<float> output(10);
  CHECK(reinterpret_cast<std::uintptr_t>(output.data()) % 256 == 0);
  CHECK(count_poison(output.values()) == 10);
  for (float x : output.values()) CHECK(std::isnan(x));
  output.data()[4] = NAN;  // a NaN that a kernel computed is not poison
  CHECK(count_poison(output.values()) == 9);
  output.poison();
  CHECK(count_poison(output.values()) == 10);
  CHECK(guarded_output<int>(1).values()[0] < -1);
  CHECK(output.damage().empty());
}

TEST_CASE("guarded output: writes outside are seen and located", "[support]") {
  guarded_output<float> output(10);
  for (int i = 0; i < 10; ++i) output.data()[i] = 1;
  CHECK(output.damage().empty());
  auto* bytes = reinterpret_cast<unsigned char*>(output.data());

  SECTION("one element after") {
    bytes[40] = 0;
    CHECK(output.damage() == "guard zone damaged: byte 1 after the last element was written");
  }
  SECTION("the end of the guard after") {
    bytes[40 + 1023] = 0;
    CHECK(output.damage() == "guard zone damaged: byte 1024 after the last element was written");
  }
  SECTION("one byte before") {
    bytes[-1] = 0;
    CHECK(output.damage() == "guard zone damaged: byte 1 before the first element was written");
  }
  SECTION("the far end before") {
    bytes[-1024] = 0;
    CHECK(output.damage() == "guard zone damaged: byte 1024 before the first element was written");
  }
  output.poison();
  CHECK_FALSE(output.damage().empty());
}

TEST_CASE("guarded output: may be empty", "[support]") {
  guarded_output<double> output(0);
  CHECK(output.values().empty());
  CHECK(output.damage().empty());
  *reinterpret_cast<unsigned char*>(output.data()) = 0;
  CHECK_FALSE(output.damage().empty());
}
