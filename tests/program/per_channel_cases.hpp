// Programs with operands that the heads share: their gradients are summed over heads.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/sum.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct a;
struct b;
struct d;
struct h;
struct l;
struct r;
struct s;
struct w;

/// One in every role, and one in message and epilogue.
struct per_channel_roles {
  static constexpr char const* name =
      "gather<sum>(edge<w> * src<s> * dst<d> * src<h>) * dst<d> + param<b>, h wide, others per channel";
  static constexpr auto program = gather<sum>(edge<w> * src<s> * dst<d> * src<h>) * dst<d> + param<b>;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<
      operand<w, rows_of::edge, operand_kind::per_channel>, operand<s, rows_of::source, operand_kind::per_channel>,
      operand<d, rows_of::destination, operand_kind::per_channel>, operand<h, rows_of::source, operand_kind::wide>,
      operand<b, rows_of::parameter, operand_kind::per_channel>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>, whole<4>>, gradient_set<whole<0>>,
                               gradient_set<whole<1>>, gradient_set<whole<2>, whole<4>>,
                               gradient_set<added<0>, added<1>, added<2>, added<4>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge(0) * edge(1) * edge(2) * edge(3); }) * row(2) + row(4);
  }
};

/// Only what is above the gather has heads.
struct per_channel_below_heads {
  static constexpr char const* name = "gather<mean>(src<s>) * dst<h>, s per channel, h wide";
  static constexpr auto program = gather<mean>(src<s>) * dst<h>;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<s, rows_of::source, operand_kind::per_channel>,
                              operand<h, rows_of::destination, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>>;
  static auto reference(auto const& row) {
    return row.mean([](auto const& edge) { return edge(0); }) * row(1);
  }
};

/// A parameter of messages beside one tensor as source and destination.
struct per_channel_vertices {
  static constexpr char const* name = "gather<sum>(param<b> * src<d> * dst<d> * edge<h>), h wide, others per channel";
  static constexpr auto program = gather<sum>(param<b> * src<d> * dst<d> * edge<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<b, rows_of::parameter, operand_kind::per_channel>,
                 operand<d, rows_of::vertex, operand_kind::per_channel>, operand<h, rows_of::edge, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<0>>,
                               gradient_set<as_source<1>, as_destination<1>>, gradient_set<added<0>, added<1>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge(0) * edge.source(1) * edge.destination(1) * edge(2); });
  }
};

/// Sums over channels and over heads in one pass: an attention vector that the heads share.
struct per_channel_attention {
  static constexpr char const* name =
      "gather<sum>(softmax(dot(param<a>, leaky_relu(dst<l> + src<r>, 0.2))) * src<r>), a and l per channel";
  static constexpr auto program = gather<sum>(softmax(dot(param<a>, leaky_relu(dst<l> + src<r>, 0.2))) * src<r>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<a, rows_of::parameter, operand_kind::per_channel>,
                              operand<l, rows_of::destination, operand_kind::per_channel>,
                              operand<r, rows_of::source, operand_kind::wide>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<0>>, gradient_set<whole<1>>>;
  static auto reference(auto const& row) {
    auto const score = [](auto const& edge) {
      return edge.sum_channels([](auto const& at) { return at(0) * leaky_relu(at(1) + at(2), 0.2); });
    };
    return row.softmax_sum(score, [](auto const& edge) { return edge(2); });
  }
};

/// Heads may choose different edges, whose adjoints then meet in one channel of the shared operand.
struct per_channel_extremum {
  static constexpr char const* name = "gather<max>(edge<w> * src<h>), w per channel";
  static constexpr auto program = gather<edgewise::max>(edge<w> * src<h>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_channel>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    return row.max([](auto const& edge) { return edge(0) * edge(1); });
  }
};

}  // namespace edgewise::testing
