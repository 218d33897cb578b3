// Programs whose rows end with a virtual edge from the vertex to itself.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/with_self.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/prod.hpp>
#include <edgewise/gather/stddev.hpp>
#include <edgewise/gather/sum.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct w;
struct h;
struct b;
struct el;
struct er;

/// A GCN layer.
struct weighted_sum_with_self {
  static constexpr bool has_wide_offsets = true;
  static constexpr char const* name = "relu(gather<sum>(with_self(edge<w> * src<h>)) + param<b>)";
  static constexpr auto program = relu(gather<sum>(with_self(edge<w> * src<h>)) + param<b>);
  static constexpr bool has_self = true;
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::vertex, operand_kind::wide>,
                 operand<self<w>, rows_of::destination, operand_kind::per_row>,
                 operand<b, rows_of::parameter, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>>, gradient_set<whole<1>>,
                               gradient_set<whole<2>>, gradient_set<added<1>, added<2>>>;
  static auto reference(auto const& row) {
    return relu(row.sum([](auto const& edge) { return edge.or_self(0, 2) * edge.source(1); }) + row(3));
  }
};

/// The self edge is the last of its row: of a tie with it, the other edge is the argument.
struct max_with_self {
  static constexpr char const* name = "gather<max>(with_self(src<h>))";
  static constexpr auto program = gather<edgewise::max>(with_self(src<h>));
  static constexpr bool has_self = true;
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::vertex, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>, gradient_set<added<0>>>;
  static auto reference(auto const& row) {
    return row.max([](auto const& edge) { return edge.source(0); });
  }
};

/// Without an epilogue.
struct plain_sum_with_self {
  static constexpr char const* name = "gather<sum>(with_self(edge<w> * src<h>))";
  static constexpr auto program = gather<sum>(with_self(edge<w> * src<h>));
  static constexpr bool has_self = true;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::vertex, operand_kind::wide>,
                 operand<self<w>, rows_of::destination, operand_kind::per_row>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge.or_self(0, 2) * edge.source(1); });
  }
};

/// The self edge counts in the degree.
struct mean_with_self {
  static constexpr char const* name = "gather<mean>(with_self(src<h>))";
  static constexpr auto program = gather<mean>(with_self(src<h>));
  static constexpr bool has_self = true;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::vertex, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    return row.mean([](auto const& edge) { return edge.source(0); });
  }
};

struct mean_and_deviation_with_self {
  static constexpr char const* name = "gather<mean>(with_self(src<h>)) - gather<stddev>(with_self(src<h>))";
  static constexpr auto program = gather<mean>(with_self(src<h>)) - gather<stddev>(with_self(src<h>));
  static constexpr bool has_self = true;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::vertex, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    auto const message = [](auto const& edge) { return edge.source(0); };
    return row.mean(message) - row.stddev(message);
  }
};

struct gat_with_self {
  static constexpr char const* name = "gather<sum>(with_self(softmax(leaky_relu(src<el> + dst<er>, 0.2)) * src<h>))";
  static constexpr auto program = gather<sum>(with_self(softmax(leaky_relu(src<el> + dst<er>, 0.2)) * src<h>));
  static constexpr bool has_self = true;
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<el, rows_of::vertex, operand_kind::per_head>,
                              operand<er, rows_of::destination, operand_kind::per_head>,
                              operand<h, rows_of::vertex, operand_kind::wide>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<1>>, gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    auto const score = [](auto const& edge) { return leaky_relu(edge.source(0) + edge(1), 0.2); };
    return row.softmax_sum(score, [](auto const& edge) { return edge.source(2); });
  }
};

}  // namespace edgewise::testing
