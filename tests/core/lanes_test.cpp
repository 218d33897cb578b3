#include <edgewise/core/lanes.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

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

TEMPLATE_TEST_CASE("lanes: a condition holds for each number", "[core]", float, double, std::int32_t, std::int64_t) {
  using L = lanes<TestType>;
  constexpr int count = L::count;
  TestType a[count], result[count];
  for (int i = 0; i < count; ++i) a[i] = TestType(i % 3);
  auto const x = L::load(a);
  auto const check = [&](typename L::condition holds, auto const& expected) {
    select(holds, L(TestType(1)), L(TestType(0))).store(result);
    for (int i = 0; i < count; ++i) CHECK(result[i] == TestType(expected(i)));
  };
  L const one(TestType(1));
  check(x > one, [&](int i) { return a[i] > 1; });
  check(x < one, [&](int i) { return a[i] < 1; });
  check(x >= one, [&](int i) { return a[i] >= 1; });
  check(x <= one, [&](int i) { return a[i] <= 1; });
  check(x == one, [&](int i) { return a[i] == 1; });
  check(!(x == one), [&](int i) { return a[i] != 1; });
  check(x > one || x < one, [&](int i) { return a[i] != 1; });
  check(x >= one && x <= one, [&](int i) { return a[i] == 1; });
  for (std::uint32_t const word : {0u, 0x9c35a6d1u, ~0u}) {
    check(L::condition::of_bits(word), [&](int i) { return word >> i & 1u; });
  }
  for (int const n : {-5, 0, 1, count - 1, count, count + 7}) {
    check(L::condition::first(n), [&](int i) { return i < n; });
  }
}

TEMPLATE_TEST_CASE("lanes: the first numbers alone are read and written", "[core]", float, double, std::int32_t) {
  using L = lanes<TestType>;
  constexpr int count = L::count;
  for (int n = -1; n <= count + 1; ++n) {
    int const valid = n < 0 ? 0 : n > count ? count : n;
    std::vector<TestType> from(static_cast<std::size_t>(valid), TestType(7));  // a sanitizer sees what is read behind
    TestType numbers[count];
    L const x = L::load_first(from.data(), n);
    x.store(numbers);
    for (int i = 0; i < count; ++i) CHECK(numbers[i] == TestType(i < valid ? 7 : 0));
    std::vector<TestType> to(static_cast<std::size_t>(valid), TestType(1));
    (x + x).store_first(to.data(), n);
    CHECK(to == std::vector<TestType>(static_cast<std::size_t>(valid), TestType(14)));
  }
}
