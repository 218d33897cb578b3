// Programs over small vectors, in every role and kind, in messages, scores and epilogues.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/expression/scatter_node.hpp>
#include <edgewise/expression/sum_over.hpp>
#include <edgewise/expression/with_self.hpp>
#include <edgewise/gather/sum.hpp>
#include <edgewise/mapping/edge_balanced.hpp>
#include <edgewise/program/stash.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct a;
struct c;
struct h;
struct inv_sigma;
struct mu;
struct p;
struct w;
struct x;

/// MoNet's message (Monti et al. 2017, equation 11): one Gaussian per kernel, the head, of R pseudo-coordinates per
/// edge.
template <int R, operand_kind Features>
struct monet {
  static constexpr char const* name =
      "gather<sum>(exp(-0.5 * sum_over<R>(square((edge<p> - param<mu>) * param<inv_sigma>))) * src<h>)";
  static constexpr auto program =
      gather<sum>(exp(-0.5f * sum_over<R>(square((edge<p> - param<mu>)*param<inv_sigma>))) * src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<vec_operand<p, rows_of::edge, operand_kind::per_row, R>,
                              vec_operand<mu, rows_of::parameter, operand_kind::per_head, R>,
                              vec_operand<inv_sigma, rows_of::parameter, operand_kind::per_head, R>,
                              operand<h, rows_of::source, Features>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>>, gradient_set<whole<0>>,
                               gradient_set<whole<1>, whole<2>>, gradient_set<added<0>, added<1>, added<2>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) {
      auto squares = edge(3) * 0.0;
      for (int r = 0; r < R; ++r) {
        squares = squares + square((edge.component(0, r) - edge.component(1, r)) * edge.component(2, r));
      }
      return exp(-0.5 * squares) * edge(3);
    });
  }
};

/// Equal shares of edges: rows that are cut anywhere.
struct shared_monet : monet<2, operand_kind::per_channel> {
  static constexpr edge_balanced mapping{};
};

/// The kernels' weights kept for the backward pass.
struct stashed_monet : monet<2, operand_kind::per_channel> {
  static constexpr char const* name = "monet, its exponential kept";
  static constexpr auto program =
      gather<sum>(named<w>(exp(-0.5f * sum_over<2>(square((edge<p> - param<mu>)*param<inv_sigma>)))) * src<h>);
  using keeping = stash<w>;
};

/// One tensor of vectors per head as source and destination; what has no components is the same for all of them.
struct vec_vertices {
  static constexpr char const* name = "gather<sum>(sum_over<3>(src<x> * dst<x> + edge<w>) * src<h>)";
  static constexpr auto program = gather<sum>(sum_over<3>(src<x> * dst<x> + edge<w>) * src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<vec_operand<x, rows_of::vertex, operand_kind::per_head, 3>,
                 operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>,
                               gradient_set<as_source<0>, as_destination<0>>, gradient_set<added<0>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) {
      auto total = edge(1) * 3.0;
      for (int r = 0; r < 3; ++r) {
        total = total + edge.component(0, r, rows_of::source) * edge.component(0, r, rows_of::destination);
      }
      return total * edge(2);
    });
  }
};

/// Vectors of the edge and the destination in a score.
struct vec_score {
  static constexpr char const* name = "gather<sum>(softmax(sum_over<2>(param<a> * square(edge<p> - dst<c>))) * src<h>)";
  static constexpr auto program = gather<sum>(softmax(sum_over<2>(param<a> * square(edge<p> - dst<c>))) * src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<vec_operand<a, rows_of::parameter, operand_kind::per_head, 2>,
                              vec_operand<p, rows_of::edge, operand_kind::per_head, 2>,
                              vec_operand<c, rows_of::destination, operand_kind::per_row, 2>,
                              operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>>, gradient_set<whole<2>>>;
  static auto reference(auto const& row) {
    auto const score = [](auto const& edge) {
      auto const of = [&](int r) { return edge.component(0, r) * square(edge.component(1, r) - edge.component(2, r)); };
      return of(0) + of(1);
    };
    return row.softmax_sum(score, [](auto const& edge) { return edge(3); });
  }
};

/// The self edge reads a vector of its own; the epilogue one of the destination.
struct vec_self_and_epilogue {
  static constexpr bool has_self = true;
  static constexpr char const* name =
      "gather<sum>(with_self(sum_over<2>(edge<p> * param<a>) * src<h>)) * sum_over<3>(tanh(dst<c>))";
  static constexpr auto program =
      gather<sum>(with_self(sum_over<2>(edge<p> * param<a>) * src<h>)) * sum_over<3>(tanh(dst<c>));
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<vec_operand<a, rows_of::parameter, operand_kind::per_row, 2>,
                              vec_operand<p, rows_of::edge, operand_kind::per_row, 2>,
                              vec_operand<self<p>, rows_of::destination, operand_kind::per_row, 2>,
                              operand<h, rows_of::vertex, operand_kind::wide>,
                              vec_operand<c, rows_of::destination, operand_kind::per_head, 3>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>, whole<4>>, gradient_set<whole<1>>>;
  static auto reference(auto const& row) {
    auto const gathered = row.sum([](auto const& edge) {
      auto const of = [&](int r) { return edge.component(0, r) * edge.component_or_self(1, 2, r); };
      return (of(0) + of(1)) * edge.source(3);
    });
    return gathered * (tanh(row.component(4, 0)) + tanh(row.component(4, 1)) + tanh(row.component(4, 2)));
  }
};

/// Squared distances as an output.
struct vec_distances {
  static constexpr bool is_of_edges = true;
  static constexpr char const* name = "scatter(sum_over<3>(square(src<x> - dst<x>)))";
  static constexpr auto program = scatter(sum_over<3>(square(src<x> - dst<x>)));
  static constexpr operand_kind out_kind = operand_kind::per_head;
  using operands = std::tuple<vec_operand<x, rows_of::vertex, operand_kind::per_head, 3>>;
  using gradients = std::tuple<gradient_set<whole<0>>, gradient_set<as_source<0>>, gradient_set<added<0>>>;
  static auto reference(auto const& edge) {
    auto const of = [&](int r) {
      return square(edge.component(0, r, rows_of::source) - edge.component(0, r, rows_of::destination));
    };
    return of(0) + of(1) + of(2);
  }
};

}  // namespace edgewise::testing
