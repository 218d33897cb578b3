// Programs that read operands by the type of an edge.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/arithmetic.hpp>
#include <edgewise/expression/functions.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/expression/head_sum.hpp>
#include <edgewise/expression/scatter_node.hpp>
#include <edgewise/expression/with_self.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/sum.hpp>
#include <edgewise/mapping/edge_balanced.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct h;
struct q;
struct k;
struct v;
struct w;
struct r;
struct a;

/// A row of channels for each type, and features of sources.
struct relation_product {
  static constexpr bool reads_types = true;
  static constexpr bool has_wide_offsets = true;
  static constexpr char const* name = "gather<sum>(relation<w> * src<h>)";
  static constexpr auto program = gather<sum>(relation<w> * src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::type, operand_kind::wide>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>, gradient_set<whole<1>>, gradient_set<added<0>, whole<1>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge(0) * edge(1); });
  }
};

/// The same, edges dealt in equal shares.
struct relation_product_in_shares : relation_product {
  static constexpr bool has_wide_offsets = false;
  static constexpr char const* name = "gather<sum>(relation<w> * src<h>), edge_balanced";
  static constexpr edge_balanced mapping{};
};

/// R-GCN with basis decomposition (Schlichtkrull et al. 2018): bases are heads, each type weighs them; normalised by
/// edge, and with a self edge, which has a type of its own.
struct relation_bases {
  static constexpr bool reads_types = true;
  static constexpr char const* name = "sum_heads(gather<mean>(with_self(edge<k> * relation<a> * src<h>)))";
  static constexpr auto program = sum_heads(gather<mean>(with_self(edge<k> * relation<a> * src<h>)));
  static constexpr operand_kind out_kind = operand_kind::per_channel;
  using operands = std::tuple<
      operand<k, rows_of::edge, operand_kind::per_row>, operand<self<k>, rows_of::destination, operand_kind::per_row>,
      operand<a, rows_of::type, operand_kind::per_head>, operand<self<a>, rows_of::parameter, operand_kind::per_head>,
      operand<h, rows_of::vertex, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<2>>, gradient_set<whole<0>, whole<2>, whole<3>, whole<4>>>;
  static constexpr bool has_self = true;
  static auto reference(auto const& row) {
    return row.sum_heads([](auto const& one) {
      return one.mean([](auto const& edge) { return edge.or_self(0, 1) * edge.type_or_self(2, 3) * edge.source(4); });
    });
  }
};

/// Attention whose scores and values both depend on the type, as in HGT (Hu et al. 2020): a number a head and type, and
/// a row of channels.
struct relation_attention {
  static constexpr bool reads_types = true;
  static constexpr char const* name =
      "gather<sum>(softmax(relation<a> * dot(dst<q>, src<k>)) * (src<v> + relation<r>))";
  static constexpr auto program = gather<sum>(softmax(relation<a> * dot(dst<q>, src<k>)) * (src<v> + relation<r>));
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<a, rows_of::type, operand_kind::per_head>,
                 operand<q, rows_of::destination, operand_kind::wide>, operand<k, rows_of::source, operand_kind::wide>,
                 operand<v, rows_of::source, operand_kind::wide>, operand<r, rows_of::type, operand_kind::wide>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<4>>, gradient_set<whole<0>, whole<1>, whole<2>, whole<3>, added<4>>>;
  static auto reference(auto const& row) {
    return row.softmax_sum(
        [](auto const& edge) { return edge(0) * edge.sum_channels([](auto const& e) { return e(1) * e(2); }); },
        [](auto const& edge) { return edge(3) + edge(4); });
  }
};

/// What the type fixes alone is evaluated once a row where rows are types; the maximum picks one edge.
struct relation_maximum {
  static constexpr bool reads_types = true;
  static constexpr char const* name = "gather<max>(relation<w> * relation<w> * src<h> + relation<a>)";
  static constexpr auto program = gather<edgewise::max>(relation<w> * relation<w> * src<h> + relation<a>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::type, operand_kind::per_channel>, operand<h, rows_of::source, operand_kind::wide>,
                 operand<a, rows_of::type, operand_kind::per_row>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>>;
  static auto reference(auto const& row) {
    return row.max([](auto const& edge) { return edge(0) * edge(0) * edge(1) + edge(2); });
  }
};

/// Scores of triples, as DistMult has them (Yang et al. 2015).
struct relation_scores {
  static constexpr bool reads_types = true;
  static constexpr char const* name = "scatter(dot(src<h> * relation<r>, dst<q>))";
  static constexpr bool is_of_edges = true;
  static constexpr auto program = scatter(dot(src<h> * relation<r>, dst<q>));
  static constexpr operand_kind out_kind = operand_kind::per_head;
  using operands =
      std::tuple<operand<h, rows_of::source, operand_kind::wide>, operand<r, rows_of::type, operand_kind::wide>,
                 operand<q, rows_of::destination, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<1>>, gradient_set<whole<0>, whole<1>, whole<2>>>;
  static auto reference(auto const& edge) {
    return edge.sum_channels([](auto const& e) { return e(0) * e(1) * e(2); });
  }
};

}  // namespace edgewise::testing
