// The laws of gathers (gather/concept.hpp): a monoid over messages in edge order, cut anywhere.
#include <edgewise/gather/concept.hpp>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/gather/max.hpp>
#include <edgewise/gather/prod.hpp>
#include <edgewise/gather/stddev.hpp>
#include <edgewise/gather/sum.hpp>

#include "reference/gather.hpp"
#include "support/random.hpp"

namespace {

using namespace edgewise;
using edgewise::reference::gather_kind;
using edgewise::testing::random_stream;

template <class Gather>
constexpr gather_kind kind_of() {
  if constexpr (std::is_same_v<Gather, edgewise::sum>) return gather_kind::sum;
  if constexpr (std::is_same_v<Gather, edgewise::mean>) return gather_kind::mean;
  if constexpr (std::is_same_v<Gather, edgewise::max>) return gather_kind::max;
  if constexpr (std::is_same_v<Gather, edgewise::min>) return gather_kind::min;
  if constexpr (std::is_same_v<Gather, edgewise::prod>) return gather_kind::prod;
  return gather_kind::stddev;
}

template <class Gather>
using state_of = typename Gather::template state<double, int>;

/// The state of messages [first, last), whose edges are numbered from 100 down, so that ids and positions differ.
template <class Gather>
state_of<Gather> folded(std::vector<double> const& messages, int first, int last) {
  auto state = Gather::template identity<double, int>();
  for (int i = first; i < last; ++i) Gather::fold(state, messages[i], 100 - i);
  return state;
}
template <class Gather>
double finished(state_of<Gather> const& state, std::size_t degree) {
  return Gather::finish(state, static_cast<int>(degree));
}

/// Same number, or both NaN; regrouped sums may round differently.
bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || a == b || std::abs(a - b) <= 1e-13 * std::abs(a);
}

template <class Gather>
double expected(std::vector<double> const& messages) {
  return reference::combine(kind_of<Gather>(), {messages.begin(), messages.end()}, 1e-5).result.value;
}

/// Rows with ties, zeros, negative numbers and, in some, NaN at one place.
std::vector<std::vector<double>> rows() {
  random_stream random("laws: gathers");
  std::vector<std::vector<double>> all{{}, {0.5}, {0}, {-1, -1}, {0, 0, 2}};
  for (int size : {2, 3, 5, 8}) {
    for (int repeat = 0; repeat < 4; ++repeat) {
      std::vector<double> row(size);
      edgewise::testing::fill_integers(row, random, 2);
      for (double& x : row) x *= 0.5;
      all.push_back(row);
      row[random.below(size)] = std::numeric_limits<double>::quiet_NaN();
      all.push_back(row);
    }
  }
  return all;
}

}  // namespace

#define EVERY_GATHER edgewise::sum, edgewise::mean, edgewise::max, edgewise::min, edgewise::prod, edgewise::stddev

TEMPLATE_TEST_CASE("gather laws: folding and finishing is the definition", "[laws]", EVERY_GATHER) {
  for (auto const& row : rows()) {
    CAPTURE(row);
    CHECK(same(finished<TestType>(folded<TestType>(row, 0, static_cast<int>(row.size())), row.size()),
               expected<TestType>(row)));
  }
}

TEMPLATE_TEST_CASE("gather laws: a row may be cut at any two places and merged either way", "[laws]", EVERY_GATHER) {
  for (auto const& row : rows()) {
    int const size = static_cast<int>(row.size());
    double const whole = finished<TestType>(folded<TestType>(row, 0, size), row.size());
    for (int i = 0; i <= size; ++i) {
      for (int j = i; j <= size; ++j) {
        CAPTURE(row, i, j);
        auto const first = folded<TestType>(row, 0, i);
        auto const second = folded<TestType>(row, i, j);
        auto const third = folded<TestType>(row, j, size);
        auto left = first;
        TestType::merge(left, second);
        TestType::merge(left, third);
        CHECK(same(finished<TestType>(left, row.size()), whole));
        auto right = second;
        TestType::merge(right, third);
        auto all = first;
        TestType::merge(all, right);
        CHECK(same(finished<TestType>(all, row.size()), whole));
      }
    }
  }
}

namespace {

/// Is the backward pass told the same of two states?
template <class Gather>
bool are_saved_alike(state_of<Gather> const& a, state_of<Gather> const& b, int degree) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return (same(static_cast<double>(Gather::template save<I, double>(a, degree)),
                 static_cast<double>(Gather::template save<I, double>(b, degree))) &&
            ...);
  }
  (std::make_integer_sequence<int, Gather::template saved<double, int>::size>{});
}

}  // namespace

TEMPLATE_TEST_CASE("gather laws: parts that were merged are saved as the whole row is", "[laws]", edgewise::max,
                   edgewise::min, edgewise::prod) {
  auto all = rows();
  all.push_back({0, 3, 0});  // two zeros of a product, one in each part
  all.push_back({2, 0, 0, -3, 0});
  for (auto const& row : all) {
    int const size = static_cast<int>(row.size());
    auto const whole = folded<TestType>(row, 0, size);
    for (int cut = 0; cut <= size; ++cut) {
      CAPTURE(row, cut);
      auto merged = folded<TestType>(row, 0, cut);
      TestType::merge(merged, folded<TestType>(row, cut, size));
      CHECK(are_saved_alike<TestType>(merged, whole, size));
    }
  }
}

TEMPLATE_TEST_CASE("gather laws: the empty state is neutral and finishes as 0", "[laws]", EVERY_GATHER) {
  CHECK(finished<TestType>(TestType::template identity<double, int>(), 0) == 0);
  for (auto const& row : rows()) {
    int const size = static_cast<int>(row.size());
    auto const alone = folded<TestType>(row, 0, size);
    auto before = TestType::template identity<double, int>();
    TestType::merge(before, alone);
    auto after = alone;
    TestType::merge(after, TestType::template identity<double, int>());
    CAPTURE(row);
    CHECK(same(finished<TestType>(before, row.size()), finished<TestType>(alone, row.size())));
    CHECK(same(finished<TestType>(after, row.size()), finished<TestType>(alone, row.size())));
  }
}

TEMPLATE_TEST_CASE("gather laws: the argument is the first edge that attains the value, however the row is cut",
                   "[laws]", edgewise::max, edgewise::min) {
  for (auto const& row : rows()) {
    int const size = static_cast<int>(row.size());
    int const position = reference::combine(kind_of<TestType>(), {row.begin(), row.end()}, 0).argument;
    for (int cut = 0; cut <= size; ++cut) {
      CAPTURE(row, cut);
      auto state = folded<TestType>(row, 0, cut);
      TestType::merge(state, folded<TestType>(row, cut, size));
      CHECK(TestType::template save<0, double>(state, size) == (position < 0 ? -1 : 100 - position));
    }
  }
}

TEST_CASE("gather laws: a large mean leaves the deviation most of its digits", "[laws]") {
  // The mean square, 1.7e7, has steps of 2 in float; the mean has steps of 5e-4.
  std::vector<float> const messages{4096.25F, 4096.75F, 4096.25F, 4096.75F, 4096.25F, 4096.75F};
  for (int cut = 0; cut <= 6; ++cut) {
    auto first = stddev::identity<float, int>();
    auto second = stddev::identity<float, int>();
    for (int i = 0; i < 6; ++i) stddev::fold(i < cut ? first : second, messages[i], i);
    stddev::merge(first, second);
    CHECK(stddev::finish(first, 6) == Approx(std::sqrt(0.0625 + 1e-5)).epsilon(1e-3));
  }
}

TEMPLATE_TEST_CASE("gather laws: the adjoint is linear in the gradient", "[laws]", edgewise::sum, edgewise::max,
                   edgewise::min) {
  for (double message : {-1.5, 0.0, 2.0}) {
    auto adjoint = [&](double gradient) {
      if constexpr (TestType::reads_edge) {
        return TestType::adjoint(message, 7, gradient, 7);
      } else {
        return TestType::adjoint(message, 7, gradient);
      }
    };
    CHECK(adjoint(0.0) == 0);
    CHECK(adjoint(3.0) + adjoint(-0.5) == adjoint(2.5));
  }
}
