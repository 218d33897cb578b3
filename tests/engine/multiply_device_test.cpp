#include "multiply_device.hpp"

#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("dense products on a device", "[engine][gpu]", float, double) {
  skip_without_cuda_device();
  check_products<TestType>([](product_request const& request, auto const& a, auto const& b, auto const& c) {
    auto const first = multiply_on_device<TestType>(request, a, b, c);
    CHECK(multiply_on_device<TestType>(request, a, b, c) == first);
    return first;
  });
}
