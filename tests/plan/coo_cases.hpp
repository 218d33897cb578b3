// Programs that are scattered over graph{coo}. Operands are multiples of 1/16, so that float sums are exact whatever
// the order in which atomics arrive: results can be compared bit by bit.
#pragma once

#include <edgewise/expression/gather_node.hpp>
#include <edgewise/expression/sum_over.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/sum.hpp>

#include "program_case.hpp"

namespace edgewise::testing {

struct a;
struct b;
struct h;
struct w;

/// GCN: source and edge gradients.
struct scattered_weighted_sum {
  static constexpr bool has_wide_offsets = true;
  static constexpr char const* name = "scatter gather<sum>(edge<w> * src<h>)";
  static constexpr auto program = gather<sum>(edge<w> * src<h>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients =
      std::tuple<gradient_set<whole<1>>, gradient_set<whole<0>, whole<1>>, gradient_set<added<0>, added<1>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge(0) * edge(1); });
  }
};

/// One tensor in both roles and a parameter of every channel.
struct scattered_differences {
  static constexpr char const* name = "scatter gather<sum>(param<b> * (src<h> - dst<h>))";
  static constexpr auto program = gather<sum>(param<b> * (src<h> - dst<h>));
  static constexpr draw values = draw::grid;
  static constexpr bool repeats_terms = true;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<h, rows_of::vertex, operand_kind::wide>, operand<b, rows_of::parameter, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<as_source<0>, as_destination<0>>,
                               gradient_set<added<0>, added<1>>, gradient_set<as_destination<0>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge(1) * (edge.source(0) - edge.destination(0)); });
  }
};

/// Operands that the heads share: their gradients are summed over heads.
struct scattered_per_channel {
  static constexpr char const* name =
      "scatter gather<sum>(edge<w> * src<h> + dst<a> * param<b>), a, b and w per channel";
  static constexpr auto program = gather<sum>(edge<w> * src<h> + dst<a> * param<b>);
  static constexpr draw values = draw::grid;
  static constexpr bool repeats_terms = true;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<b, rows_of::parameter, operand_kind::per_channel>,
                 operand<w, rows_of::edge, operand_kind::per_channel>, operand<h, rows_of::source, operand_kind::wide>,
                 operand<a, rows_of::destination, operand_kind::per_channel>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>>, gradient_set<added<0>, added<1>, added<3>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge(1) * edge(2) + edge(3) * edge(0); });
  }
};

/// Small vectors in every role: their gradients lie among those of other components.
struct scattered_vectors {
  static constexpr char const* name = "scatter gather<sum>(sum_over<2>(edge<w> * param<b> + src<a>) * src<h>)";
  static constexpr auto program = gather<sum>(sum_over<2>(edge<w> * param<b> + src<a>) * src<h>);
  static constexpr draw values = draw::grid;
  static constexpr bool repeats_terms = true;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<vec_operand<w, rows_of::edge, operand_kind::per_head, 2>,
                              vec_operand<b, rows_of::parameter, operand_kind::per_head, 2>,
                              vec_operand<a, rows_of::source, operand_kind::per_head, 2>,
                              operand<h, rows_of::source, operand_kind::wide>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>>, gradient_set<added<0>, added<1>, added<2>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) {
      auto const of = [&](int r) { return edge.component(0, r) * edge.component(1, r) + edge.component(2, r); };
      return (of(0) + of(1)) * edge(3);
    });
  }
};

/// Sums over channels: the output and one gradient have no channels.
struct scattered_scores {
  static constexpr char const* name = "scatter gather<sum>(dot(src<a>, dst<b>) * edge<w>)";
  static constexpr auto program = gather<sum>(dot(src<a>, dst<b>) * edge<w>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::per_head;
  using operands =
      std::tuple<operand<a, rows_of::source, operand_kind::wide>, operand<b, rows_of::destination, operand_kind::wide>,
                 operand<w, rows_of::edge, operand_kind::per_head>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<1>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) {
      return edge.sum_channels([](auto const& channel) { return channel(0) * channel(1); }) * edge(2);
    });
  }
};

/// Ties abound: the earliest edge must win, and have the gradient for itself.
template <class Gather>
struct scattered_extremum {
  static constexpr bool has_wide_offsets = true;
  static constexpr char const* name = std::is_same_v<Gather, edgewise::max> ? "scatter gather<max>(edge<w> * src<h>)"
                                                                            : "scatter gather<min>(edge<w> * src<h>)";
  static constexpr auto program = gather<Gather>(edge<w> * src<h>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_head>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<added<1>>>;
  static auto reference(auto const& row) {
    auto const message = [](auto const& edge) { return edge(0) * edge(1); };
    if constexpr (std::is_same_v<Gather, edgewise::max>) {
      return row.max(message);
    } else {
      return row.min(message);
    }
  }
};

/// Everything in 16 bits: what is scattered is summed as float and rounded once.
using scattered_all_bfloat16 = stored_as<scattered_weighted_sum, bfloat16>;
using scattered_all_float16 = stored_as<scattered_differences, float16>;
struct scattered_adding_bfloat16 : stored_as<scattered_weighted_sum, bfloat16> {
  using gradients = std::tuple<gradient_set<added<0>, added<1>>>;
};
using scattered_float16_vectors = stored_as<scattered_vectors, float16>;
using scattered_bfloat16_extremum = stored_as<scattered_extremum<edgewise::max>, bfloat16>;
/// Operands in 16 bits, what is scattered as float.
using scattered_bfloat16 = stored<scattered_weighted_sum, float, std::tuple<bfloat16, float>, float, bfloat16>;
using scattered_float16 = stored<scattered_weighted_sum, float, std::tuple<float, float>, bfloat16, float16>;
using scattered_float16_extremum =
    stored<scattered_extremum<edgewise::max>, float, std::tuple<float16, float>, float16, bfloat16>;

}  // namespace edgewise::testing
