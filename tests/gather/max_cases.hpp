// Programs of maxima and minima.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/gather/max.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct w;
struct h;
struct a;
struct b;

/// Operands are multiples of 1/16, so that ties abound and float decides them as float64 does.
template <class Gather>
struct extremum_of_neighbors {
  static constexpr char const* name =
      std::is_same_v<Gather, edgewise::max> ? "gather<max>(src<h>)" : "gather<min>(src<h>)";
  static constexpr auto program = gather<Gather>(src<h>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>, gradient_set<added<0>>>;
  static auto reference(auto const& row) {
    auto const message = [](auto const& edge) { return edge(0); };
    if constexpr (std::is_same_v<Gather, edgewise::max>) {
      return row.max(message);
    } else {
      return row.min(message);
    }
  }
};

template <class Gather>
struct extremum_of_weighted {
  static constexpr bool has_wide_offsets = true;
  static constexpr char const* name =
      std::is_same_v<Gather, edgewise::max> ? "gather<max>(edge<w> * src<h>)" : "gather<min>(edge<w> * src<h>)";
  static constexpr auto program = gather<Gather>(edge<w> * src<h>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_head>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    auto const message = [](auto const& edge) { return edge(0) * edge(1); };
    if constexpr (std::is_same_v<Gather, edgewise::max>) {
      return row.max(message);
    } else {
      return row.min(message);
    }
  }
};

struct max_of_differences {
  static constexpr char const* name = "gather<max>(src<h> - dst<h>)";
  static constexpr auto program = gather<edgewise::max>(src<h> - dst<h>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::vertex, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>, gradient_set<as_source<0>, as_destination<0>>>;
  static auto reference(auto const& row) {
    return row.max([](auto const& edge) { return edge.source(0) - edge.destination(0); });
  }
};

struct min_of_activated {
  static constexpr char const* name = "gather<min>(leaky_relu(src<a> + dst<b>, 0.25))";
  static constexpr auto program = gather<edgewise::min>(leaky_relu(src<a> + dst<b>, 0.25));
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<a, rows_of::source, operand_kind::wide>, operand<b, rows_of::destination, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<whole<1>>>;
  static auto reference(auto const& row) {
    return row.min([](auto const& edge) { return leaky_relu(edge(0) + edge(1), 0.25); });
  }
};

}  // namespace edgewise::testing
