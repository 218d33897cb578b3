// Programs in which something is not chosen whose derivative is infinite or NaN: by an extremum, by weights of 0, by a
// mask, by `maximum` or a branch. None of that reaches a gradient, so that it may as well be finite.
#pragma once

#include <limits>
#include <vector>

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/dropout.hpp>
#include <edgewise/expression/functor.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/prod.hpp>
#include <edgewise/gather/stddev.hpp>
#include <edgewise/gather/sum.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct b;
struct h;
struct v;
struct w;
struct x;
struct y;
struct z;
struct drop;

/// Edges 0, 3 and 6 are those that rows choose; sources 2 and 4 lie below no other.
inline std::vector<std::pair<int, int>> const not_chosen_edges{{0, 0}, {2, 0}, {4, 0}, {3, 1}, {2, 1}, {4, 1}, {1, 2}};
inline bool is_chosen_edge(int edge) { return edge % 3 == 0; }
inline bool is_chosen_source(int source) { return source % 2 == 1 || source == 0; }

/// Values of an operand with `row_size` elements per row: `chosen` or `other`, by row.
inline std::vector<float> by_choice(int rows, std::size_t row_size, bool (*is_chosen)(int), float chosen, float other) {
  std::vector<float> values;
  for (int r = 0; r < rows; ++r) values.insert(values.end(), row_size, is_chosen(r) ? chosen : other);
  return values;
}
inline std::vector<float> of_sources(std::size_t row_size, float chosen, float other) {
  return by_choice(5, row_size, is_chosen_source, chosen, other);
}
inline std::vector<float> of_edges(std::size_t row_size, float chosen, float other) {
  return by_choice(static_cast<int>(not_chosen_edges.size()), row_size, is_chosen_edge, chosen, other);
}
inline constexpr float infinity = std::numeric_limits<float>::infinity();

// Each case has `values(extents, bad)`, its operands: in what is not chosen `bad` numbers stand, or harmless ones.

/// Through picked edges, and by traversals; what the source decides is held for the row.
struct max_of_roots {
  static constexpr char const* name = "gather<max>(sqrt(src<x>) * edge<w> + param<b>)";
  static constexpr auto program = gather<edgewise::max>(sqrt(src<x>) * edge<w> + param<b>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<x, rows_of::source, operand_kind::wide>, operand<w, rows_of::edge, operand_kind::per_row>,
                 operand<b, rows_of::parameter, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>, gradient_set<whole<0>, whole<1>, whole<2>>>;
  static std::vector<std::vector<float>> values(width at, bool bad) {
    auto const channels = at.elements(operand_kind::wide);
    auto weights = of_edges(1, 1, 1);
    if (bad) weights[1] = -infinity;
    auto roots = of_sources(channels, 4, bad ? 0.0f : 0.25f);
    if (bad) std::fill_n(roots.begin() + 2 * static_cast<std::ptrdiff_t>(channels), channels, 0.25f);  // not 0 * -inf
    return {roots, weights, std::vector<float>(channels, 0.5f)};
  }
};

/// Sums over channels below an extremum: those of channels that were not picked are 0 themselves.
struct min_of_quotients {
  static constexpr char const* name = "gather<min>(src<h> / edge<w>)";
  static constexpr auto program = gather<edgewise::min>(src<h> / edge<w>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<h, rows_of::source, operand_kind::wide>, operand<w, rows_of::edge, operand_kind::per_head>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>>;
  static std::vector<std::vector<float>> values(width at, bool bad) {
    return {of_sources(at.elements(operand_kind::wide), 1, 1),
            of_edges(at.elements(operand_kind::per_head), 1, bad ? 0.0f : 0.5f)};
  }
};

/// Edges of weight 0.
struct masked_logarithms {
  static constexpr char const* name = "gather<sum>(softmax(4 * log(edge<w>)) * (src<h> * edge<v>))";
  static constexpr auto program = gather<sum>(softmax(4 * log(edge<w>)) * (src<h> * edge<v>));
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_head>, operand<h, rows_of::source, operand_kind::wide>,
                 operand<v, rows_of::edge, operand_kind::per_row>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>>;
  static std::vector<std::vector<float>> values(width at, bool bad) {
    return {of_edges(at.elements(operand_kind::per_head), 1, bad ? 0 : 1e-37f),
            of_sources(at.elements(operand_kind::wide), 3, 2),
            of_edges(1, 1, bad ? std::numeric_limits<float>::quiet_NaN() : 1.0f)};
  }
};

struct larger {
  static constexpr char const* name = "larger";
  template <class T>
  EDGEWISE_HD T operator()(T a, T c) const {
    return a > c ? a : c;
  }
};

/// Nothing of x, which is dropped, and of y, which is less than z; its root is held for the edge.
struct dropped_roots {
  static constexpr char const* name =
      "gather<sum>(dropout<drop>(sqrt(src<x>)) + maximum(r, edge<z>) * larger(r, edge<z>) + relu(-1 / edge<y>)), r = "
      "sqrt(edge<y>)";
  static constexpr auto root = sqrt(edge<y>);
  static constexpr auto program =
      gather<sum>(dropout<drop>(sqrt(src<x>), 0.9999999) + maximum(root, edge<z>) * apply(larger{}, root, edge<z>) +
                  relu(-1 / edge<y>));
  static constexpr random_state random{5, 6};
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop, 1>>;
  using operands =
      std::tuple<operand<x, rows_of::source, operand_kind::wide>, operand<y, rows_of::edge, operand_kind::per_head>,
                 operand<z, rows_of::edge, operand_kind::per_row>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>>;
  static std::vector<std::vector<float>> values(width at, bool bad) {
    return {of_sources(at.elements(operand_kind::wide), bad ? 0 : 1, bad ? 0 : 1),
            of_edges(at.elements(operand_kind::per_head), bad ? 0 : 0.25f, bad ? 0 : 0.25f), of_edges(1, 2, 2)};
  }
};

/// Of several factors of 0 none gets a gradient, nor do equal messages from their deviation: both are 0 here.
struct zeros_of_roots {
  static constexpr char const* name = "gather<prod>(sqrt(edge<y>)) + gather<stddev>(sqrt(edge<y>))";
  static constexpr auto program = gather<prod>(sqrt(edge<y>)) + gather<stddev>(sqrt(edge<y>));
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<y, rows_of::edge, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>>;
};

}  // namespace edgewise::testing
