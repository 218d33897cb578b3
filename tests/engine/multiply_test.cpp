#include <edgewise/engine/cpu/engine.hpp>

#include "multiply_check.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("dense products on the CPU", "[engine]", float, double) {
  check_products<TestType>([](product_request const& request, auto& a, auto& b, auto c) {
    using T = TestType;
    for (int threads : {1, 3}) {
      auto result = c.data;
      edgewise::detail::engine<cpu>::multiply<T>(cpu{.threads = threads}, at(a.shape, a.data.data()),
                                                 at(b.shape, b.data.data()), at(c.shape, result.data()), request.adds,
                                                 static_cast<T*>(nullptr));
      if (threads == 3) return result;
    }
    return c.data;
  });
}
