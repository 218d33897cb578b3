// Programs of the elementwise functions that no model's program has: elu, abs, sqrt and minimum, and those of
// expression/functions.hpp.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/functions.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/gather/sum.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct b;
struct d;
struct h;
struct w;

/// The functions on an edge. Kinks and ties are of sums of multiples of 1/16, which are exact. The constants keep the
/// root off 0 and elu + 1 (the feature map of linear attention) off its zero, near which exp(x) - 1 has only exp(x)'s
/// digits.
struct elementwise_message {
  static constexpr char const* name =
      "gather<sum>(sqrt(abs(src<h> - dst<d>) + 0.25) * (elu(minimum(edge<w>, src<h>), 0.75) + 1))";
  static constexpr auto program =
      gather<sum>(sqrt(abs(src<h> - dst<d>) + 0.25) * (elu(minimum(edge<w>, src<h>), 0.75) + 1.0));
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::source, operand_kind::wide>,
                 operand<d, rows_of::destination, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) {
      return sqrt(abs(edge(1) - edge(2)) + 0.25) * (elu(minimum(edge(0), edge(1)), 0.75) + 1.0);
    });
  }
};

/// The functions above a gather, whose sums of multiples of 1/16 are exact too.
struct elementwise_epilogue {
  static constexpr char const* name =
      "sqrt(abs(gather<sum>(src<h>)) + 0.25) * (elu(minimum(dst<d>, param<b>), 0.75) + 1)";
  static constexpr auto program = sqrt(abs(gather<sum>(src<h>)) + 0.25) * (elu(minimum(dst<d>, param<b>), 0.75) + 1.0);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<h, rows_of::source, operand_kind::wide>, operand<d, rows_of::destination, operand_kind::wide>,
                 operand<b, rows_of::parameter, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>>;
  static auto reference(auto const& row) {
    return sqrt(abs(row.sum([](auto const& edge) { return edge(0); })) + 0.25) *
           (elu(minimum(row(1), row(2)), 0.75) + 1.0);
  }
};

/// One branch of smooth activations, one of the others.
struct chosen_functions {
  static constexpr char const* name =
      "gather<sum>(where(src<h> > edge<w>, silu(src<h>) * gelu(dst<d>), softplus(src<h>) + cos(dst<d>) * "
      "pow(sin(edge<w>) + 2, 1.5)))";
  static constexpr auto program = gather<sum>(where(src<h> > edge<w>, silu(src<h>) * gelu(dst<d>),
                                                    softplus(src<h>) + cos(dst<d>) * pow(sin(edge<w>) + 2.0, 1.5)));
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = elementwise_message::operands;
  using gradients = elementwise_message::gradients;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) {
      auto const smooth = silu(edge(1)) * gelu(edge(2));
      auto const other = softplus(edge(1)) + cos(edge(2)) * pow(sin(edge(0)) + 2.0, 1.5);
      return edge(1).value > edge(0).value ? smooth : other;
    });
  }
};

}  // namespace edgewise::testing
