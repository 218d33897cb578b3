// Products by cuBLAS.
#include "vendor_cublas_device_test.hpp"

#include <edgewise/engine/cpu/engine.hpp>

#include "engine/multiply_device.hpp"
#include "program/check_linear.hpp"
#include "support/device.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("cublas: products", "[vendor][gpu]", float, double) {
  skip_without_cuda_device();
  check_products<TestType>([](product_request const& request, auto const& a, auto const& b, auto const& c) {
    auto const found = multiply_by_cublas<TestType>(request, a, b, c);
    CHECK(found.empty() == (request.terms == 0));
    if (found.empty()) {  // sums of nothing
      auto none = c.data;
      edgewise::detail::engine<cpu>::multiply<TestType>(cpu{}, a.shape, b.shape, at(c.shape, none.data()), request.adds,
                                                        static_cast<TestType*>(nullptr));
      return none;
    }
    CHECK(multiply_by_cublas<TestType>(request, a, b, c) == found);
    return found;
  });
}

TEST_CASE("cublas: a program's products", "[vendor][gpu]") {
  skip_without_cuda_device();
  check_linear<aggregated_first>(run_by_cublas, 2e-5);
  check_linear<aggregated_first>(run_by_cublas_in_16_bits, 1e-2, true);
}
