#include <edgewise/pass/ordered_word.hpp>

#include <limits>
#include <vector>

#include "support/catch.hpp"

using edgewise::detail::keep_larger_word;
using edgewise::detail::ordered_word;

TEMPLATE_TEST_CASE("ordered_word: orders as numbers are ordered, and gives them back", "[pass]", float, double) {
  using limits = std::numeric_limits<TestType>;
  std::vector<TestType> const ascending{
      -limits::infinity(),  limits::lowest(), -1, -limits::min(), -limits::denorm_min(), 0,
      limits::denorm_min(), limits::min(),    1,  limits::max(),  limits::infinity()};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    CHECK(ordered_word<TestType>::decode(ordered_word<TestType>::encode(ascending[i])) == ascending[i]);
    CHECK(ordered_word<TestType>::encode(ascending[i]) > 0);
    if (i > 0) CHECK(ordered_word<TestType>::encode(ascending[i - 1]) < ordered_word<TestType>::encode(ascending[i]));
  }
  CHECK(ordered_word<TestType>::decode(0) == -limits::infinity());
}

TEMPLATE_TEST_CASE("ordered_word: the largest stays", "[pass]", float, double) {
  typename ordered_word<TestType>::type word = 0;
  for (double const x : {-3.0, -5.0, 2.5, -1.0}) keep_larger_word(&word, ordered_word<TestType>::encode(TestType(x)));
  CHECK(ordered_word<TestType>::decode(word) == TestType(2.5));
}
