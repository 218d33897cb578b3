// Programs that sum over heads in their epilogue.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/expression/head_sum.hpp>
#include <edgewise/expression/sum_over.hpp>
#include <edgewise/gather/sum.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct b;
struct d;
struct el;
struct er;
struct h;
struct inv_sigma;
struct mu;
struct p;
struct q;
struct s;
struct w;

/// A bias and a function above the sum.
struct summed_heads {
  static constexpr char const* name = "leaky_relu(sum_heads(gather<sum>(edge<w> * src<h>)) + param<b>, 0.2)";
  static constexpr auto program = leaky_relu(sum_heads(gather<sum>(edge<w> * src<h>)) + param<b>, 0.2);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::per_channel;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_head>, operand<h, rows_of::source, operand_kind::wide>,
                 operand<b, rows_of::parameter, operand_kind::per_channel>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<1>>, gradient_set<added<0>, added<2>>>;
  static auto reference(auto const& row) {
    auto const gathered = [](auto const& at) { return at.sum([](auto const& edge) { return edge(0) * edge(1); }); };
    return leaky_relu(row.sum_heads(gathered) + row(2), 0.2);
  }
};

/// The last layer of a GAT, and an operand of the destination above the mean.
struct mean_of_attention {
  static constexpr char const* name = "mean_heads(gather<sum>(softmax(src<el> + dst<er>) * src<h>)) * dst<d>";
  static constexpr auto program = mean_heads(gather<sum>(softmax(src<el> + dst<er>) * src<h>)) * dst<d>;
  static constexpr operand_kind out_kind = operand_kind::per_channel;
  using operands = std::tuple<
      operand<el, rows_of::source, operand_kind::per_head>, operand<er, rows_of::destination, operand_kind::per_head>,
      operand<h, rows_of::source, operand_kind::wide>, operand<d, rows_of::destination, operand_kind::per_channel>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>>, gradient_set<whole<3>>>;
  static auto reference(auto const& row) {
    auto const attend = [](auto const& at) {
      return at.softmax_sum([](auto const& edge) { return edge(0) + edge(1); },
                            [](auto const& edge) { return edge(2); });
    };
    return row.sum_heads(attend) * (1.0 / row.heads()) * row(3);
  }
};

/// MoNet: the sum over kernels, of features that they share.
struct summed_monet {
  static constexpr char const* name =
      "sum_heads(gather<sum>(exp(-0.5 * sum_over<2>(square((edge<p> - param<mu>) * param<inv_sigma>))) * src<h>)), h "
      "per channel";
  static constexpr auto program =
      sum_heads(gather<sum>(exp(-0.5f * sum_over<2>(square((edge<p> - param<mu>)*param<inv_sigma>))) * src<h>));
  static constexpr operand_kind out_kind = operand_kind::per_channel;
  using operands = std::tuple<vec_operand<p, rows_of::edge, operand_kind::per_row, 2>,
                              vec_operand<mu, rows_of::parameter, operand_kind::per_head, 2>,
                              vec_operand<inv_sigma, rows_of::parameter, operand_kind::per_head, 2>,
                              operand<h, rows_of::source, operand_kind::per_channel>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>>, gradient_set<whole<3>>>;
  static auto reference(auto const& row) {
    auto const kernel = [](auto const& at) {
      return at.sum([](auto const& edge) {
        auto const of = [&](int r) {
          return square((edge.component(0, r) - edge.component(1, r)) * edge.component(2, r));
        };
        return exp(-0.5 * (of(0) + of(1))) * edge(3);
      });
    };
    return row.sum_heads(kernel);
  }
};

/// The sum is one factor of a value that has heads again, and is read twice; sums over channels beside it.
struct shares_of_heads {
  static constexpr char const* name =
      "gather<sum>(src<h>) * dot(dst<q>, dst<q>) / (square(sum_heads(gather<sum>(src<h>))) + 1) + "
      "sum_heads(gather<sum>(src<h>))";
  static constexpr auto program =
      gather<sum>(src<h>) * dot(dst<q>, dst<q>) / (square(sum_heads(gather<sum>(src<h>))) + 1) +
      sum_heads(gather<sum>(src<h>));
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<h, rows_of::source, operand_kind::wide>, operand<q, rows_of::destination, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<whole<1>>>;
  static auto reference(auto const& row) {
    auto const gathered = [](auto const& at) { return at.sum([](auto const& edge) { return edge(0); }); };
    auto const total = row.sum_heads(gathered);
    auto const length = row.sum_channels([](auto const& at) { return at(1) * at(1); });
    return gathered(row) * length / (square(total) + 1.0) + total;
  }
};

/// An operand without channels above the sum: its gradient is a sum over the row of what is there once.
struct scaled_head_sum {
  static constexpr char const* name = "sum_heads(gather<sum>(src<h>)) * dst<s> * param<w>, s and w per row";
  static constexpr auto program = sum_heads(gather<sum>(src<h>)) * dst<s> * param<w>;
  static constexpr operand_kind out_kind = operand_kind::per_channel;
  using operands = std::tuple<operand<h, rows_of::source, operand_kind::wide>,
                              operand<s, rows_of::destination, operand_kind::per_row>,
                              operand<w, rows_of::parameter, operand_kind::per_row>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    auto const gathered = [](auto const& at) { return at.sum([](auto const& edge) { return edge(0); }); };
    return row.sum_heads(gathered) * row(1) * row(2);
  }
};

}  // namespace edgewise::testing
