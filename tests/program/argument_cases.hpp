// Programs of max and min whose gradients are formed along argument edges, some of them in part.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/expression/with_self.hpp>
#include <edgewise/gather/max.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct w;
struct h;
struct p;
struct d;

/// Two gathers of one operand, each with edges of its own.
struct range_of_neighbors {
  static constexpr char const* name = "gather<max>(src<h>) - gather<min>(src<h>)";
  static constexpr auto program = gather<edgewise::max>(src<h>) - gather<edgewise::min>(src<h>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>, gradient_set<added<0>>>;
  static auto reference(auto const& row) {
    auto const message = [](auto const& edge) { return edge(0); };
    return row.max(message) - row.min(message);
  }
};

/// An operand of edges with a gradient in each channel, which most edges leave at zero.
struct max_of_edge_products {
  static constexpr bool has_wide_offsets = true;
  static constexpr char const* name = "gather<max>(edge<p> * src<h>)";
  static constexpr auto program = gather<edgewise::max>(edge<p> * src<h>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<p, rows_of::edge, operand_kind::wide>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<whole<1>>, gradient_set<added<0>>,
                               gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    return row.max([](auto const& edge) { return edge(0) * edge(1); });
  }
};

/// One tensor in both roles, and along self edges, below an epilogue: three stages add to its gradient.
struct layer_of_differences {
  static constexpr char const* name = "relu(gather<max>(with_self(src<h> * 2 - dst<h>)))";
  static constexpr auto program = relu(gather<edgewise::max>(with_self(src<h> * 2.0 - dst<h>)));
  static constexpr bool has_self = true;
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::vertex, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>, gradient_set<added<0>>>;
  static auto reference(auto const& row) {
    return relu(row.max([](auto const& edge) { return edge.source(0) * 2.0 - edge.destination(0); }));
  }
};

/// Operands of fewer axes are read channel by channel; asked for, they take the traversals.
struct max_of_scaled {
  static constexpr char const* name = "gather<max>(edge<w> * src<h> + dst<d>)";
  static constexpr auto program = gather<edgewise::max>(edge<w> * src<h> + dst<d>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_head>, operand<h, rows_of::source, operand_kind::wide>,
                 operand<d, rows_of::destination, operand_kind::per_channel>>;
  using gradients =
      std::tuple<gradient_set<whole<1>>, gradient_set<whole<0>, whole<1>>, gradient_set<whole<1>, whole<2>>>;
  static auto reference(auto const& row) {
    return row.max([](auto const& edge) { return edge(0) * edge(1) + edge(2); });
  }
};

/// A maximum of scores, which have no channels.
struct max_of_scores {
  static constexpr char const* name = "gather<max>(src<w> + dst<d>)";
  static constexpr auto program = gather<edgewise::max>(src<w> + dst<d>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::per_head;
  using operands = std::tuple<operand<w, rows_of::source, operand_kind::per_head>,
                              operand<d, rows_of::destination, operand_kind::per_head>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    return row.max([](auto const& edge) { return edge(0) + edge(1); });
  }
};

/// A case with sums by atomics.
template <class Case>
struct unordered : Case {
  using sums = nondeterministic;
};

}  // namespace edgewise::testing
