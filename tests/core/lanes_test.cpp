#include <edgewise/core/lanes.hpp>

#include <cmath>

#include "support/catch.hpp"

using edgewise::detail::lanes;

TEMPLATE_TEST_CASE("lanes: arithmetic is that of each number", "[core]", float, double) {
  constexpr int count = lanes<TestType>::count;
  TestType a[count + 1], b[count + 1], result[count];
  for (int i = 0; i <= count; ++i) {
    a[i] = TestType(i) - 3;
    b[i] = TestType(2 * i + 1) / 4;
  }
  auto const x = lanes<TestType>::load(a + 1), y = lanes<TestType>::load(b + 1);  // at any address
  auto const check = [&](lanes<TestType> const& value, auto const& expected) {
    value.store(result);
    for (int i = 0; i < count; ++i) CHECK(result[i] == expected(a[i + 1], b[i + 1]));
  };
  using T = TestType;
  check(x + y, [](T p, T q) { return p + q; });
  check(x - y, [](T p, T q) { return p - q; });
  check(x * y, [](T p, T q) { return p * q; });
  check(x / y, [](T p, T q) { return p / q; });
  check(-x, [](T p, T) { return -p; });
  check(lanes<T>(T(7)), [](T, T) { return T(7); });
  lanes<T>(-T(0)).store(result);
  for (T const number : result) CHECK(std::signbit(number));
  T total = 0;
  for (int i = 1; i <= count; ++i) total += a[i];
  CHECK(x.sum() == total);  // exact: small integers
  auto sum = x;
  sum += y;
  sum *= y;
  check(sum, [](T p, T q) { return (p + q) * q; });
}
