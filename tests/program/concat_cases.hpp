// Programs with several outputs of one traversal.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/concat.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/stddev.hpp>
#include <edgewise/gather/sum.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct w;
struct h;
struct own;
struct b;
struct q;
struct k;
struct s;

/// The aggregators of PNA.
struct pna {
  static constexpr char const* name = "concat(mean, max, min and stddev of edge<w> * src<h>)";
  static constexpr auto message = edge<w> * src<h>;
  static constexpr auto program = concat(gather<mean>(message), gather<edgewise::max>(message),
                                         gather<edgewise::min>(message), gather<stddev>(message));
  static constexpr draw values = draw::grid;
  static constexpr operand_kind part_kind = operand_kind::wide;
  static constexpr operand_kind out_kind = operand_kind::wide;
  static constexpr int num_parts = 4;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<added<1>>>;
  static auto reference(auto const& row, int part) {
    auto const m = [](auto const& edge) { return edge(0) * edge(1); };
    return part == 0 ? row.mean(m) : part == 1 ? row.max(m) : part == 2 ? row.min(m) : row.stddev(m);
  }
};

/// Extrema alone: their gradients go along the edges that were picked.
struct both_extrema {
  static constexpr char const* name = "concat(gather<max>(src<h>), gather<min>(src<h>))";
  static constexpr auto program = concat(gather<edgewise::max>(src<h>), gather<edgewise::min>(src<h>));
  static constexpr draw values = draw::grid;
  static constexpr operand_kind part_kind = operand_kind::wide;
  static constexpr operand_kind out_kind = operand_kind::wide;
  static constexpr int num_parts = 2;
  using operands = std::tuple<operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>>;
  static auto reference(auto const& row, int part) {
    auto const m = [](auto const& edge) { return edge(0); };
    return part == 0 ? row.max(m) : row.min(m);
  }
};

/// Parts with epilogues that share a gather, a part that is an operand, and a parameter.
struct epilogues_side_by_side {
  static constexpr char const* name =
      "concat(relu(gather<sum>(src<h>) + param<b>), gather<sum>(src<h>) * dst<own>, dst<own>)";
  static constexpr auto program =
      concat(relu(gather<sum>(src<h>) + param<b>), gather<sum>(src<h>) * dst<own>, dst<own>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind part_kind = operand_kind::wide;
  static constexpr operand_kind out_kind = operand_kind::wide;
  static constexpr int num_parts = 3;
  using operands = std::tuple<operand<h, rows_of::source, operand_kind::wide>,
                              operand<own, rows_of::destination, operand_kind::wide>,
                              operand<b, rows_of::parameter, operand_kind::per_channel>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<1>>,
                               gradient_set<whole<0>>, gradient_set<added<1>, added<2>>>;
  static auto reference(auto const& row, int part) {
    auto const sum = row.sum([](auto const& edge) { return edge(0); });
    return part == 0 ? relu(sum + row(2)) : part == 1 ? sum * row(1) : row(1);
  }
};

/// A softmax beside a mean: what backward reads of the softmax is kept, not the output.
struct attention_beside_mean {
  static constexpr char const* name = "concat(gather<sum>(softmax(edge<s>) * src<h>), gather<mean>(src<h>))";
  static constexpr auto program = concat(gather<sum>(softmax(edge<s>) * src<h>), gather<mean>(src<h>));
  static constexpr operand_kind part_kind = operand_kind::wide;
  static constexpr operand_kind out_kind = operand_kind::wide;
  static constexpr int num_parts = 2;
  using operands =
      std::tuple<operand<s, rows_of::edge, operand_kind::per_head>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<whole<0>>>;
  static auto reference(auto const& row, int part) {
    auto const value = [](auto const& edge) { return edge(1); };
    return part == 0 ? row.softmax_sum([](auto const& edge) { return edge(0); }, value) : row.mean(value);
  }
};

/// Parts of one number per head.
struct numbers_of_heads {
  static constexpr char const* name = "concat(gather<sum>(dot(src<q>, dst<k>)), gather<max>(dot(src<q>, dst<k>)))";
  static constexpr auto score = dot(src<q>, dst<k>);
  static constexpr auto program = concat(gather<sum>(score), gather<edgewise::max>(score));
  static constexpr draw values = draw::grid;
  static constexpr operand_kind part_kind = operand_kind::per_head;
  static constexpr operand_kind out_kind = operand_kind::per_head;
  static constexpr int num_parts = 2;
  using operands =
      std::tuple<operand<q, rows_of::source, operand_kind::wide>, operand<k, rows_of::destination, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>>;
  static auto reference(auto const& row, int part) {
    auto const dot = [](auto const& edge) { return edge.sum_channels([](auto const& at) { return at(0) * at(1); }); };
    return part == 0 ? row.sum(dot) : row.max(dot);
  }
};

/// Parts without heads, one of them an operand: the output is wide, one head each.
struct summed_and_averaged_heads {
  static constexpr char const* name =
      "concat(sum_heads(gather<sum>(src<h>)), mean_heads(gather<mean>(src<h>)), dst<b>)";
  static constexpr auto program = concat(sum_heads(gather<sum>(src<h>)), mean_heads(gather<mean>(src<h>)), dst<b>);
  static constexpr operand_kind part_kind = operand_kind::per_channel;
  static constexpr operand_kind out_kind = operand_kind::wide;
  static constexpr int num_parts = 3;
  using operands = std::tuple<operand<h, rows_of::source, operand_kind::wide>,
                              operand<b, rows_of::destination, operand_kind::per_channel>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>>;
  static auto reference(auto const& row, int part) {
    if (part == 2) return row(1);
    auto const m = [](auto const& edge) { return edge(0); };
    auto const sum = row.sum_heads([&](auto const& at) { return part == 0 ? at.sum(m) : at.mean(m); });
    return part == 0 ? sum : sum * (1.0 / row.heads());
  }
};

/// Parts of one number per row.
struct numbers_of_rows {
  static constexpr char const* name = "concat(gather<sum>(edge<w>), gather<mean>(edge<w>), gather<max>(edge<w>))";
  static constexpr auto program = concat(gather<sum>(edge<w>), gather<mean>(edge<w>), gather<edgewise::max>(edge<w>));
  static constexpr draw values = draw::grid;
  static constexpr operand_kind part_kind = operand_kind::per_row;
  static constexpr operand_kind out_kind = operand_kind::per_head;
  static constexpr int num_parts = 3;
  using operands = std::tuple<operand<w, rows_of::edge, operand_kind::per_row>>;
  using gradients = std::tuple<gradient_set<whole<0>>>;
  static auto reference(auto const& row, int part) {
    auto const m = [](auto const& edge) { return edge(0); };
    return part == 0 ? row.sum(m) : part == 1 ? row.mean(m) : row.max(m);
  }
};

using pna_in_bfloat16 = stored_as<pna, bfloat16>;
using epilogues_in_float16 = stored_as<epilogues_side_by_side, float16>;

}  // namespace edgewise::testing
