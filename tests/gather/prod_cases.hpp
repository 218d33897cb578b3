// Programs of products.
#pragma once

#include <edgewise/expression/gather_node.hpp>
#include <edgewise/gather/prod.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct w;
struct h;

struct product_of_neighbors {
  static constexpr char const* name = "gather<prod>(src<h>)";
  static constexpr auto program = gather<prod>(src<h>);
  static constexpr draw values = draw::factors;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    return row.prod([](auto const& edge) { return edge(0); });
  }
};

struct product_of_weighted {
  static constexpr char const* name = "gather<prod>(edge<w> * src<h>)";
  static constexpr auto program = gather<prod>(edge<w> * src<h>);
  static constexpr draw values = draw::factors;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::wide>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>>;
  static auto reference(auto const& row) {
    return row.prod([](auto const& edge) { return edge(0) * edge(1); });
  }
};

}  // namespace edgewise::testing
