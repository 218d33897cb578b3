// The tree of a long row's sums: every leaf once, in order, whatever their number; error that grows like a logarithm.
#include <edgewise/pass/fold_tree.hpp>

#include "support/catch.hpp"

#include <cmath>

namespace {

/// Leaves [first, last), and how many merges lie above the leaf that lies deepest.
struct run {
  long first = 0;
  long last = 0;
  int depth = 0;
};

run fold(long num_leaves) {
  edgewise::detail::fold_tree<run> tree;
  bool in_order = true;
  run leaf;
  for (long k = 0; k < num_leaves; ++k) {
    leaf = {k, k + 1, 0};
    tree.take(leaf, k + 1 == num_leaves, [&](run& into, run const& later) {
      in_order = in_order && into.last == later.first;
      into = {into.first, later.last, (into.depth > later.depth ? into.depth : later.depth) + 1};
    });
  }
  CHECK(in_order);
  return leaf;
}

}  // namespace

TEST_CASE("fold_tree: takes every leaf once and in order", "[pass]") {
  for (long leaves = 1; leaves < 3000; ++leaves) {
    run const all = fold(leaves);
    REQUIRE(all.first == 0);
    REQUIRE(all.last == leaves);
  }
  for (long const leaves :
       {32L * 32 - 1, 32L * 32, 32L * 32 + 1, 32L * 32 * 32 - 1, 32L * 32 * 32, 32L * 32 * 32 + 1}) {
    CHECK(fold(leaves).last == leaves);
  }
}

TEST_CASE("fold_tree: no leaf lies below more merges than the logarithm of their number allows", "[pass]") {
  for (long leaves : {1L, 2L, 31L, 32L, 33L, 1000L, 40000L, 1000000L}) {
    double const levels = std::log(static_cast<double>(leaves)) / std::log(32.0) + 1;
    CHECK(fold(leaves).depth <= 32 * levels);
  }
}
