// Programs whose forward pass keeps values of edges, beside the same programs that compute them again.
#pragma once

#include <edgewise/expression/with_self.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/program/stash.hpp>

#include "attention_cases.hpp"

namespace edgewise::testing {

struct w;
struct inner_value;
struct outer_value;

/// Dots are what `stash<automatic>` keeps.
struct stashed_transformer : transformer {
  static constexpr char const* name = "transformer, stash<automatic>";
  using keeping = stash<automatic>;
};
struct stashed_gatv2 : gatv2 {
  static constexpr char const* name = "gatv2, stash<automatic>";
  using keeping = stash<automatic>;
};
struct stashed_dot : dot_weighted_sum {
  static constexpr char const* name = "gather<sum>(dot(src<q>, dst<k>) * src<v>), stash<automatic>";
  using keeping = stash<automatic>;
};

/// A score without channels, by name.
struct stashed_gat : gat {
  static constexpr char const* name =
      "gather<sum>(softmax(named<s>(leaky_relu(src<el> + dst<er>, 0.2))) * src<h>), stash<s>";
  static constexpr auto program = gather<sum>(softmax(named<s>(leaky_relu(src<el> + dst<er>, 0.2))) * src<h>);
  using keeping = stash<s>;
};

/// One kept value inside another, with a factor between them, and a virtual self edge, which keeps nothing.
struct stashed_twice {
  static constexpr bool has_wide_offsets = true;
  static constexpr char const* name =
      "gather<sum>(with_self(softmax(named<outer_value>(tanh(named<inner_value>(dot(dst<q>, src<k>)) * 0.5))) * "
      "src<v>)), both kept";
  static constexpr auto program =
      gather<sum>(with_self(softmax(named<outer_value>(tanh(named<inner_value>(dot(dst<q>, src<k>)) * 0.5))) * src<v>));
  static constexpr bool has_self = true;
  using keeping = stash<outer_value, inner_value>;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<q, rows_of::vertex, operand_kind::wide>, operand<k, rows_of::vertex, operand_kind::wide>,
                 operand<v, rows_of::vertex, operand_kind::wide>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<0>>, gradient_set<whole<2>>>;
  static auto reference(auto const& row) {
    auto const score = [](auto const& edge) {
      return tanh(edge.sum_channels([](auto const& at) { return at.destination(0) * at.source(1); }) * 0.5);
    };
    return row.softmax_sum(score, [](auto const& edge) { return edge.source(2); });
  }
};

/// A wide value, read by two gathers: the derivative of exp reads the kept result alone.
struct stashed_wide {
  static constexpr char const* name =
      "gather<sum>(m * dst<h>) + gather<max>(m), m = named<s>(exp(edge<w> * src<h>)), stash<s>";
  static constexpr auto message = named<s>(exp(edge<w> * src<h>));
  static constexpr auto program = gather<sum>(message * dst<q>) + gather<edgewise::max>(message);
  using keeping = stash<s>;
  static constexpr draw values = draw::grid;  // products are exact: two are equal or far enough apart for float
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::source, operand_kind::wide>,
                 operand<q, rows_of::destination, operand_kind::wide>>;
  using gradients =
      std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<0>>, gradient_set<added<1>>>;
  static auto reference(auto const& row) {
    auto const message = [](auto const& edge) { return exp(edge(0) * edge(1)); };
    return row.sum([&](auto const& edge) { return message(edge) * edge(2); }) + row.max(message);
  }
};

}  // namespace edgewise::testing
