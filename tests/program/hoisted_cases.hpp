// Programs whose expressions are held: fixed for a row or the launch, or occurring more than once.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/expression/with_self.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/sum.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct a;
struct b;
struct d;
struct h;
struct k;
struct p;
struct q;
struct w;

/// Destinations and parameters decide whole factors; one parameter expression is read within a destination's.
struct hoisted_by_rows {
  static constexpr char const* name =
      "gather<sum>(exp(dst<d>) * src<h> * tanh(param<p>) + sigmoid(dst<d> * tanh(param<p>)) * edge<w>)";
  static constexpr auto program =
      gather<sum>(exp(dst<d>) * src<h> * tanh(param<p>) + sigmoid(dst<d> * tanh(param<p>)) * edge<w>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<d, rows_of::destination, operand_kind::wide>, operand<h, rows_of::source, operand_kind::wide>,
                 operand<p, rows_of::parameter, operand_kind::wide>, operand<w, rows_of::edge, operand_kind::per_row>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>>, gradient_set<whole<1>>,
                               gradient_set<whole<1>, whole<2>>, gradient_set<added<0>, added<2>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) {
      auto const t = tanh(edge(2));
      return exp(edge(0)) * edge(1) * t + sigmoid(edge(0) * t) * edge(3);
    });
  }
};

/// One expression of an edge in two places, once below another function, and one of sources.
struct shared_on_edges {
  static constexpr char const* name = "gather<sum>(exp(src<h> * edge<w>) * dst<d> - tanh(exp(src<h> * edge<w>)))";
  static constexpr auto program = gather<sum>(exp(src<h> * edge<w>) * dst<d> - tanh(exp(src<h> * edge<w>)));
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<h, rows_of::source, operand_kind::wide>, operand<w, rows_of::edge, operand_kind::per_head>,
                 operand<d, rows_of::destination, operand_kind::wide>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<0>, whole<1>>, gradient_set<whole<2>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) {
      auto const x = exp(edge(0) * edge(1));
      return x * edge(2) - tanh(x);
    });
  }
};

/// Sums over channels that a row and the launch decide, and a score that two factors share.
struct hoisted_scores {
  static constexpr char const* name =
      "gather<sum>(dot(dst<q>, dst<k>) * tanh(edge<w>) * src<h> + tanh(edge<w>) * dot(param<a>, param<b>) * src<q>)";
  static constexpr auto program =
      gather<sum>(dot(dst<q>, dst<k>) * tanh(edge<w>) * src<h> + tanh(edge<w>) * dot(param<a>, param<b>) * src<q>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<q, rows_of::vertex, operand_kind::wide>, operand<k, rows_of::destination, operand_kind::wide>,
                 operand<w, rows_of::edge, operand_kind::per_head>, operand<h, rows_of::source, operand_kind::wide>,
                 operand<a, rows_of::parameter, operand_kind::wide>,
                 operand<b, rows_of::parameter, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>, whole<4>, whole<5>>,
                               gradient_set<whole<3>>, gradient_set<whole<4>>, gradient_set<as_destination<0>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) {
      auto const t = tanh(edge(2));
      return edge.sum_channels([](auto const& at) { return at.destination(0) * at(1); }) * t * edge(3) +
             t * edge.sum_channels([](auto const& at) { return at(4) * at(5); }) * edge.source(0);
    });
  }
};

/// Expressions of one type, told apart by their numbers alone.
struct hoisted_with_numbers {
  static constexpr char const* name =
      "gather<sum>(exp(0.5 * dst<d>) * src<h> - exp(0.25 * dst<d>) * leaky_relu(param<p>, 0.5) + "
      "leaky_relu(param<p>, 0.25) * src<h>)";
  static constexpr auto program =
      gather<sum>(exp(0.5 * dst<d>) * src<h> - exp(0.25 * dst<d>) * leaky_relu(param<p>, 0.5) +
                  leaky_relu(param<p>, 0.25) * src<h>);
  static constexpr bool repeats_terms = true;
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<d, rows_of::destination, operand_kind::wide>, operand<h, rows_of::source, operand_kind::wide>,
                 operand<p, rows_of::parameter, operand_kind::per_row>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<2>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) {
      return exp(0.5 * edge(0)) * edge(1) - exp(0.25 * edge(0)) * leaky_relu(edge(2), 0.5) +
             leaky_relu(edge(2), 0.25) * edge(1);
    });
  }
};

/// Self edges and the epilogue read what the row's edges did; the epilogue reads a gather twice.
struct hoisted_by_vertices {
  static constexpr char const* name =
      "tanh(x) * (tanh(x) + tanh(dst<h>)) + exp(param<p>) * dst<d>, x = gather<mean>(with_self(tanh(dst<h>) * src<h>))";
  static constexpr auto collected = gather<mean>(with_self(tanh(dst<h>) * src<h>));
  static constexpr auto program = tanh(collected) * (tanh(collected) + tanh(dst<h>)) + exp(param<p>) * dst<d>;
  static constexpr bool has_self = true;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<h, rows_of::vertex, operand_kind::wide>, operand<d, rows_of::destination, operand_kind::wide>,
                 operand<p, rows_of::parameter, operand_kind::per_head>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<1>>, gradient_set<added<0>, added<2>>>;
  static auto reference(auto const& row) {
    auto const x = tanh(row.mean([](auto const& edge) { return tanh(edge.destination(0)) * edge.source(0); }));
    return x * (x + tanh(row.destination(0))) + exp(row(2)) * row(1);
  }
};

/// One message for several gathers: a root that is held itself.
struct hoisted_messages {
  static constexpr char const* name =
      "gather<sum>(m) * dst<d> + gather<max>(m) + gather<mean>(tanh(dst<d>)), m = "
      "tanh(dst<d>) * (src<h> * edge<w>)";
  static constexpr auto message = tanh(dst<d>) * (src<h> * edge<w>);
  static constexpr auto program = gather<sum>(message) * dst<d> + gather<max>(message) + gather<mean>(tanh(dst<d>));
  static constexpr operand_kind out_kind = operand_kind::wide;
  static constexpr bool repeats_terms = true;
  using operands =
      std::tuple<operand<d, rows_of::destination, operand_kind::wide>, operand<h, rows_of::source, operand_kind::wide>,
                 operand<w, rows_of::edge, operand_kind::per_row>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<0>>, gradient_set<whole<1>>>;
  static auto reference(auto const& row) {
    auto const m = [](auto const& edge) { return tanh(edge(0)) * (edge(1) * edge(2)); };
    return row.sum(m) * row(0) + row.max(m) + row.mean([](auto const& edge) { return tanh(edge(0)); });
  }
};

}  // namespace edgewise::testing
