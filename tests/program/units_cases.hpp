// Programs of several units: messages that read gathers of the row, or of the edge's source.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/arithmetic.hpp>
#include <edgewise/expression/functions.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/expression/scatter_node.hpp>
#include <edgewise/expression/vertex_value.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/sum.hpp>

#include "plan/program_case.hpp"
#include "reference/tape.hpp"

namespace edgewise::testing {

struct w;
struct h;
struct b;

/// Weights that sum to 1 over a row, as a softmax makes them, written with the sum of the row.
struct normalized_weights {
  static constexpr char const* name = "gather<sum>(exp(edge<w>) / over_row<sum>(exp(edge<w>)) * src<h>)";
  static constexpr auto program = gather<sum>(exp(edge<w>) / over_row<sum>(exp(edge<w>)) * src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_head>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>, gradient_set<whole<1>>, gradient_set<added<0>, whole<1>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) {
      auto const total =
          edge.at_destination([](auto const& same) { return same.sum([](auto const& e) { return exp(e(0)); }); });
      return exp(edge(0)) / total * edge(1);
    });
  }
};

/// Two hops, with an epilogue between them and one after them, which reads a gather of its own.
struct two_hops {
  static constexpr char const* name = "gather<sum>(edge<w> * at_source(tanh(gather<mean>(src<h>) + param<b>))) + ...";
  static constexpr auto program =
      gather<sum>(edge<w> * at_source(tanh(gather<mean>(src<h>) + param<b>))) + gather<edgewise::max>(src<h>) * dst<h>;
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::vertex, operand_kind::wide>,
                 operand<b, rows_of::parameter, operand_kind::per_channel>>;
  using gradients = std::tuple<gradient_set<whole<0>>, gradient_set<as_destination<1>>, gradient_set<whole<2>>,
                               gradient_set<whole<0>, added<1>, whole<2>>>;
  static auto reference(auto const& row) {
    auto const far = row.sum([](auto const& edge) {
      return edge(0) * edge.at_source([](auto const& near) {
        return tanh(near.mean([](auto const& e) { return e.source(1); }) + near(2));
      });
    });
    return far + row.max([](auto const& edge) { return edge.source(1); }) * row.destination(1);
  }
};

/// One value at both ends, so that one gradient comes from both.
struct differences_of_means {
  static constexpr char const* name = "gather<sum>(edge<w> * (at_source(m) - at_destination(m))), m a mean";
  static constexpr auto mean_of_row = gather<mean>(src<h>);
  static constexpr auto program = gather<sum>(edge<w> * (at_source(mean_of_row) - at_destination(mean_of_row)));
  static constexpr bool repeats_terms = true;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::vertex, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>>;
  static auto reference(auto const& row) {
    auto const mean_at = [](auto const& near) { return near.mean([](auto const& e) { return e.source(1); }); };
    return row.sum(
        [mean_at](auto const& edge) { return edge(0) * (edge.at_source(mean_at) - edge.at_destination(mean_at)); });
  }
};

/// What remains of the maximum of a row, which chooses.
struct below_the_maximum {
  static constexpr char const* name = "gather<sum>(exp(src<h> - over_row<max>(src<h>)) * src<h>)";
  static constexpr auto program = gather<sum>(exp(src<h> - over_row<edgewise::max>(src<h>)) * src<h>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) {
      auto const largest =
          edge.at_destination([](auto const& same) { return same.max([](auto const& e) { return e(0); }); });
      return exp(edge(0) - largest) * edge(0);
    });
  }
};

/// A value of every edge, by the row's norm.
struct normalized_edges {
  static constexpr char const* name = "scatter(edge<w> / sqrt(over_row<sum>(square(edge<w>)) + 1))";
  static constexpr bool is_of_edges = true;
  static constexpr auto program = scatter(edge<w> / sqrt(over_row<sum>(square(edge<w>)) + 1));
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<w, rows_of::edge, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>>;
  static auto reference(auto const& edge) {
    auto const total =
        edge.at_destination([](auto const& same) { return same.sum([](auto const& e) { return e(0) * e(0); }); });
    return edge(0) / sqrt(total + 1.0);
  }
};

/// Three steps of personalised propagation (APPNP: Gasteiger et al. 2019).
struct propagation {
  static constexpr char const* name = "three steps of 0.75 gather<sum>(edge<w> * at_source(z)) + 0.25 dst<h>";
  static constexpr auto step = [](auto const& z) { return 0.75 * gather<sum>(edge<w> * z) + 0.25 * dst<h>; };
  static constexpr auto program = step(at_source(step(at_source(step(src<h>)))));
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::vertex, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<1>>, gradient_set<whole<0>, whole<1>>>;
  static auto reference(auto const& row) { return after(row, 3); }

private:
  template <class Row>
  static reference::variable after(Row const& row, int steps) {
    auto const far = row.sum([&](auto const& edge) {
      if (steps == 1) return edge(0) * edge.source(1);
      return edge(0) * edge.at_source([&](auto const& near) { return after(near, steps - 1); });
    });
    return 0.75 * far + 0.25 * row.destination(1);
  }
};

}  // namespace edgewise::testing
