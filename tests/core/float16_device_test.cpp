#include "float16_device_test.hpp"

#include "support/catch.hpp"

#include "float16_cases.hpp"
#include "support/device.hpp"

namespace edgewise::testing {
namespace {

TEMPLATE_TEST_CASE("16-bit storage types on a device: conversions are the host's", "[core][gpu]", bfloat16, float16) {
  skip_without_cuda_device();
  auto const values = rounding_cases();
  REQUIRE(values.size() % 2 == 0);
  for (bool in_pairs : {false, true}) {
    INFO((in_pairs ? "in pairs" : "one by one"));
    auto const bits = rounded_on_device<TestType>(values, in_pairs);
    int wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      TestType actual;
      actual.bits = bits[i];
      // Which NaN a NaN becomes is each processor's own.
      wrong += std::isnan(values[i]) ? !std::isnan(static_cast<float>(actual)) : bits[i] != TestType(values[i]).bits;
    }
    CHECK(wrong == 0);
  }
  auto const widened = widened_on_device<TestType>();
  int wrong = 0;
  for (std::size_t pattern = 0; pattern < widened.size(); ++pattern) {
    TestType x;
    x.bits = static_cast<std::uint16_t>(pattern);
    auto const expected = static_cast<float>(x);
    wrong += std::isnan(expected) ? !std::isnan(widened[pattern])
                                  : std::memcmp(&expected, &widened[pattern], sizeof(float)) != 0;
  }
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace edgewise::testing
