// Programs that drop elements of messages, attention weights and rows. The reference draws its masks from the
// definition: 16 bits of Philox per element.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/dropout.hpp>
#include <edgewise/expression/head_sum.hpp>
#include <edgewise/expression/with_self.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/sum.hpp>

#include "plan/program_case.hpp"
#include "support/mask.hpp"

namespace edgewise::testing {

struct b;
struct h;
struct q;
struct v;
struct w;
struct x;
struct el;
struct er;
struct drop;
struct drop_weights;
struct drop_rows;

inline constexpr random_state mask_state{0x9E3779B97F4A7C15u, 41};

/// What dropout of probability p multiplies an element by.
inline double mask_factor(int stream, random_owner owner, std::uint64_t number, int element, double p) {
  return mask_factor(mask_state, stream, owner, number, element, p);
}
/// A mask over the whole row, over heads or channels alone, or one number.
double edge_mask(auto const& edge, int stream, double p) {
  return mask_factor(stream, random_owner::edge, edge.number(), edge.element(), p);
}
double edge_mask_of_head(auto const& edge, int stream, double p) {
  return mask_factor(stream, random_owner::edge, edge.number(), edge.head(), p);
}
double edge_mask_of_channel(auto const& edge, int stream, double p) {
  return mask_factor(stream, random_owner::edge, edge.number(), edge.channel(), p);
}
double edge_mask_of_row(auto const& edge, int stream, double p) {
  return mask_factor(stream, random_owner::edge, edge.number(), 0, p);
}
double row_mask(auto const& row, int stream, double p) {
  return mask_factor(stream, random_owner::row, row.number(), row.element(), p);
}

struct dropped_messages {
  static constexpr char const* name = "gather<sum>(dropout<drop>(edge<w> * src<h>, 0.4))";
  static constexpr auto program = gather<sum>(dropout<drop>(edge<w> * src<h>, 0.4));
  static constexpr bool has_wide_offsets = true;  // numbers of edges, by which masks are drawn
  static constexpr random_state random = mask_state;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop, 7>>;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<whole<0>>, gradient_set<whole<1>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge(0) * edge(1) * edge_mask(edge, 7, 0.4); });
  }
};

/// A layer: activation, then dropout, once per row.
struct dropped_layer {
  static constexpr char const* name = "dropout<drop_rows>(relu(gather<sum>(edge<w> * src<h>) + param<b>), 0.3)";
  static constexpr auto program = dropout<drop_rows>(relu(gather<sum>(edge<w> * src<h>) + param<b>), 0.3);
  static constexpr draw values = draw::grid;
  static constexpr random_state random = mask_state;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop_rows, 65535>>;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::source, operand_kind::wide>,
                 operand<b, rows_of::parameter, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<2>>>;
  static auto reference(auto const& row) {
    return relu(row.sum([](auto const& edge) { return edge(0) * edge(1); }) + row(2)) * row_mask(row, 65535, 0.3);
  }
};

/// GAT's dropout of attention weights: one decision per head.
struct dropped_attention {
  static constexpr char const* name = "gather<sum>(dropout<drop>(softmax(tanh(src<el> + dst<er>)), 0.5) * src<h>)";
  static constexpr auto program = gather<sum>(dropout<drop>(softmax(tanh(src<el> + dst<er>)), 0.5) * src<h>);
  static constexpr random_state random = mask_state;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop, 1>>;
  using operands = std::tuple<operand<el, rows_of::source, operand_kind::per_head>,
                              operand<er, rows_of::destination, operand_kind::per_head>,
                              operand<h, rows_of::source, operand_kind::wide>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<1>>, gradient_set<whole<0>, whole<2>>>;
  static auto reference(auto const& row) {
    return row.softmax_sum([](auto const& edge) { return tanh(edge(0) + edge(1)); },
                           [](auto const& edge) { return edge(2) * edge_mask_of_head(edge, 1, 0.5); });
  }
};

/// Scores that are dropped: the mask counts heads, whatever channels the values have.
struct dropped_scores {
  static constexpr char const* name = "gather<sum>(softmax(dropout<drop>(src<el> * dst<er>, 0.4)) * src<h>)";
  static constexpr auto program = gather<sum>(softmax(dropout<drop>(src<el> * dst<er>, 0.4)) * src<h>);
  static constexpr random_state random = mask_state;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop, 3>>;
  using operands = std::tuple<operand<el, rows_of::source, operand_kind::per_head>,
                              operand<er, rows_of::destination, operand_kind::per_head>,
                              operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>>;
  static auto reference(auto const& row) {
    return row.softmax_sum([](auto const& edge) { return edge(0) * edge(1) * edge_mask_of_head(edge, 3, 0.4); },
                           [](auto const& edge) { return edge(2); });
  }
};

/// Self edges draw the masks of ids behind the graph's; a layer drops its rows besides.
struct dropped_attention_with_self {
  static constexpr char const* name =
      "dropout<drop_rows>(gather<sum>(with_self(dropout<drop>(softmax(src<el> + dst<er>) * src<h>, 0.25))), 0.5)";
  static constexpr auto program =
      dropout<drop_rows>(gather<sum>(with_self(dropout<drop>(softmax(src<el> + dst<er>) * src<h>, 0.25))), 0.5);
  static constexpr bool has_self = true;
  static constexpr random_state random = mask_state;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop, 1>, mask<drop_rows, 2>>;
  using operands =
      std::tuple<operand<el, rows_of::vertex, operand_kind::per_head>,
                 operand<er, rows_of::vertex, operand_kind::per_head>, operand<h, rows_of::vertex, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<2>>>;
  static auto reference(auto const& row) {
    auto const value = [](auto const& edge) { return edge.source(2) * edge_mask(edge, 1, 0.25); };
    return row.softmax_sum([](auto const& edge) { return edge.source(0) + edge.destination(1); }, value) *
           row_mask(row, 2, 0.5);
  }
};

/// Masks of values with every choice of axes, below a sum over channels and beside it, and one mask for several terms.
struct dropped_factors {
  static constexpr char const* name =
      "gather<sum>(d(edge<w>) * d2(dot(d2(src<q>), dst<v>)) * d(src<h>) * d(edge<x>)), d of 0.2, d2 of 0.3";
  static constexpr auto program = gather<sum>(
      dropout<drop>(edge<w>, 0.2) * dropout<drop_weights>(dot(dropout<drop_weights>(src<q>, 0.3), dst<v>), 0.3) *
      dropout<drop>(src<h>, 0.2) * dropout<drop>(edge<x>, 0.2));
  static constexpr random_state random = mask_state;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop, 0>, mask<drop_weights, 3>>;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<q, rows_of::source, operand_kind::wide>,
                 operand<v, rows_of::destination, operand_kind::wide>, operand<h, rows_of::source, operand_kind::wide>,
                 operand<x, rows_of::edge, operand_kind::per_channel>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>, whole<4>>, gradient_set<whole<2>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) {
      auto const score = edge.sum_channels([](auto const& at) { return at(1) * at(2) * edge_mask(at, 3, 0.3); });
      return edge(0) * edge_mask_of_row(edge, 0, 0.2) * (score * edge_mask_of_head(edge, 3, 0.3)) *
             (edge(3) * edge_mask(edge, 0, 0.2)) * (edge(4) * edge_mask_of_channel(edge, 0, 0.2));
    });
  }
};

/// A value that has been summed over heads has one mask for all of them.
struct dropped_head_sum {
  static constexpr char const* name = "dropout<drop_rows>(sum_heads(gather<sum>(src<h>)), 0.3) * dst<v>";
  static constexpr auto program = dropout<drop_rows>(sum_heads(gather<sum>(src<h>)), 0.3) * dst<v>;
  static constexpr random_state random = mask_state;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop_rows, 2>>;
  using operands =
      std::tuple<operand<h, rows_of::source, operand_kind::wide>, operand<v, rows_of::destination, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>>;
  static auto reference(auto const& row) {
    auto const total =
        row.sum_heads([](auto const& head) { return head.sum([](auto const& edge) { return edge(0); }); });
    return total * mask_factor(2, random_owner::row, row.number(), row.channel(), 0.3) * row(1);
  }
};

/// A dropped message is 0 and takes part in the maximum; the dropped operand is the row's own.
struct dropped_extremum {
  static constexpr char const* name = "gather<max>(dropout<drop>(dst<v> * src<h>, 0.5))";
  static constexpr auto program = gather<edgewise::max>(dropout<drop>(dst<v> * src<h>, 0.5));
  static constexpr draw values = draw::grid;
  static constexpr random_state random = mask_state;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop, 4>>;
  using operands =
      std::tuple<operand<v, rows_of::destination, operand_kind::wide>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>>;
  static auto reference(auto const& row) {
    return row.max([](auto const& edge) { return edge(0) * edge(1) * edge_mask(edge, 4, 0.5); });
  }
};

/// Masks are the edge's, self edges' too, where all that they drop is the row's or a parameter's, and held for longer.
struct dropped_hoisted {
  static constexpr char const* name =
      "gather<sum>(with_self(dropout<drop>(tanh(dst<v>) * exp(param<b>), 0.4) * src<h> + tanh(dst<v>)))";
  static constexpr auto program =
      gather<sum>(with_self(dropout<drop>(tanh(dst<v>) * exp(param<b>), 0.4) * src<h> + tanh(dst<v>)));
  static constexpr bool has_self = true;
  static constexpr random_state random = mask_state;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop, 5>>;
  using operands =
      std::tuple<operand<v, rows_of::vertex, operand_kind::per_head>,
                 operand<b, rows_of::parameter, operand_kind::wide>, operand<h, rows_of::vertex, operand_kind::wide>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<0>>, gradient_set<whole<1>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) {
      auto const own = tanh(edge.destination(0));
      return own * exp(edge(1)) * edge_mask(edge, 5, 0.4) * edge.source(2) + own;
    });
  }
};

/// Two gathers differ by their dropout's probability alone, two are equal and become one, below a mask of the row.
struct dropped_gathers {
  static constexpr auto collected = gather<sum>(edge<w> * src<h>);
  static constexpr char const* name =
      "g = gather<sum>(edge<w> * src<h>); d2(g * (g + param<b>) + gather<sum>(d(src<h>))) * gather<sum>(d(src<h>)), "
      "d of 0.2 and 0.6, d2 of 0.3";
  static constexpr auto program =
      dropout<drop_rows>(collected * (collected + param<b>)+gather<sum>(dropout<drop>(src<h>, 0.2)), 0.3) *
      gather<sum>(dropout<drop>(src<h>, 0.6));
  static constexpr random_state random = mask_state;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using masks = std::tuple<mask<drop, 6>, mask<drop_rows, 8>>;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::source, operand_kind::wide>,
                 operand<b, rows_of::parameter, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<1>>>;
  static auto reference(auto const& row) {
    auto const g = row.sum([](auto const& edge) { return edge(0) * edge(1); });
    auto const few = row.sum([](auto const& edge) { return edge(1) * edge_mask(edge, 6, 0.2); });
    auto const many = row.sum([](auto const& edge) { return edge(1) * edge_mask(edge, 6, 0.6); });
    return (g * (g + row(2)) + few) * row_mask(row, 8, 0.3) * many;
  }
};

}  // namespace edgewise::testing
