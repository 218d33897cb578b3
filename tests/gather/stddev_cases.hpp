// Programs of standard deviations.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/gather/stddev.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct w;
struct h;
struct a;
struct b;

struct deviation_of_neighbors {
  static constexpr char const* name = "gather<stddev>(src<h>)";
  static constexpr auto program = gather<stddev>(src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    return row.stddev([](auto const& edge) { return edge(0); });
  }
};

struct deviation_of_weighted {
  static constexpr char const* name = "gather<stddev>(edge<w> * src<h>)";
  static constexpr auto program = gather<stddev>(edge<w> * src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>>;
  static auto reference(auto const& row) {
    return row.stddev([](auto const& edge) { return edge(0) * edge(1); });
  }
};

struct deviation_of_activated {
  static constexpr char const* name = "gather<stddev>(leaky_relu(src<a> + dst<b>, 0.25))";
  static constexpr auto program = gather<stddev>(leaky_relu(src<a> + dst<b>, 0.25));
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<a, rows_of::source, operand_kind::wide>, operand<b, rows_of::destination, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>>;
  static auto reference(auto const& row) {
    return row.stddev([](auto const& edge) { return leaky_relu(edge(0) + edge(1), 0.25); });
  }
};

}  // namespace edgewise::testing
