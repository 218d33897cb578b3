// Programs with an epilogue, and with several gathers in one traversal.
#pragma once

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/stddev.hpp>
#include <edgewise/gather/sum.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct w;
struct h;
struct b;
struct own;
struct el;
struct er;

struct relu_of_biased_sum {
  static constexpr char const* name = "relu(gather<sum>(edge<w> * src<h>) + param<b>)";
  static constexpr auto program = relu(gather<sum>(edge<w> * src<h>) + param<b>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_row>, operand<h, rows_of::source, operand_kind::wide>,
                 operand<b, rows_of::parameter, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<2>>,
                               gradient_set<whole<0>>, gradient_set<whole<1>>, gradient_set<added<2>, added<1>>>;
  static auto reference(auto const& row) {
    return relu(row.sum([](auto const& edge) { return edge(0) * edge(1); }) + row(2));
  }
};

struct mean_and_self {
  static constexpr char const* name = "gather<mean>(src<h>) + dst<own>";
  static constexpr auto program = gather<mean>(src<h>) + dst<own>;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::source, operand_kind::wide>,
                              operand<own, rows_of::destination, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<whole<1>>, gradient_set<whole<0>>,
                               gradient_set<added<0>, added<1>>>;
  static auto reference(auto const& row) {
    return row.mean([](auto const& edge) { return edge(0); }) + row(1);
  }
};

/// One tensor as source, as destination and in the epilogue: three stages add up to one gradient.
struct everywhere {
  static constexpr char const* name = "gather<sum>(src<h> * dst<h>) * dst<h>";
  static constexpr auto program = gather<sum>(src<h> * dst<h>) * dst<h>;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::vertex, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>, gradient_set<as_source<0>>, gradient_set<as_destination<0>>,
                               gradient_set<as_source<0>, as_destination<0>>, gradient_set<added<0>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge.source(0) * edge.destination(0); }) * row.destination(0);
  }
};

/// A parameter in message and epilogue.
struct shared_parameter {
  static constexpr char const* name = "gather<sum>(param<b> * src<h>) + param<b>";
  static constexpr auto program = gather<sum>(param<b> * src<h>) + param<b>;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<b, rows_of::parameter, operand_kind::wide>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<whole<0>>, gradient_set<added<0>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge(0) * edge(1); }) + row(0);
  }
};

struct several_gathers {
  static constexpr char const* name = "gather<mean>(m) + gather<max>(m) * 2 - gather<stddev>(m), m = edge<w> * src<h>";
  static constexpr auto m = edge<w> * src<h>;
  static constexpr auto program = gather<mean>(m) + gather<edgewise::max>(m) * 2 - gather<stddev>(m);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<w, rows_of::edge, operand_kind::per_head>, operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<whole<0>>, gradient_set<whole<1>>>;
  static auto reference(auto const& row) {
    auto const message = [](auto const& edge) { return edge(0) * edge(1); };
    return row.mean(message) + row.max(message) * 2.0 - row.stddev(message);
  }
};

/// Gathers that multiply: the epilogue's derivative reads both values.
struct product_of_gathers {
  static constexpr char const* name = "gather<sum>(src<h>) * gather<min>(src<h>)";
  static constexpr auto program = gather<sum>(src<h>) * gather<edgewise::min>(src<h>);
  static constexpr draw values = draw::grid;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    auto const message = [](auto const& edge) { return edge(0); };
    return row.sum(message) * row.min(message);
  }
};

struct attention_layer {
  static constexpr char const* name = "tanh(gather<sum>(softmax(src<el> + dst<er>) * src<h>) + param<b>)";
  static constexpr auto program = tanh(gather<sum>(softmax(src<el> + dst<er>) * src<h>) + param<b>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands =
      std::tuple<operand<el, rows_of::source, operand_kind::per_head>,
                 operand<er, rows_of::destination, operand_kind::per_head>,
                 operand<h, rows_of::source, operand_kind::wide>, operand<b, rows_of::parameter, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>, whole<3>>, gradient_set<whole<3>>>;
  static auto reference(auto const& row) {
    auto const attended =
        row.softmax_sum([](auto const& edge) { return edge(0) + edge(1); }, [](auto const& edge) { return edge(2); });
    return tanh(attended + row(3));
  }
};

/// A bias that the heads share.
struct shared_bias {
  static constexpr char const* name = "gather<sum>(src<h>) + param<b>, b per channel";
  static constexpr auto program = gather<sum>(src<h>) + param<b>;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::source, operand_kind::wide>,
                              operand<b, rows_of::parameter, operand_kind::per_channel>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<whole<1>>, gradient_set<added<1>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge(0); }) + row(1);
  }
};

/// A gather that has fewer axes than the epilogue: its adjoint is summed over the channels, or over the row, that it is
/// spread to.
struct scaled_by_weight_of_row {
  static constexpr char const* name = "gather<sum>(edge<w>) * dst<h>, w per row";
  static constexpr auto program = gather<sum>(edge<w>) * dst<h>;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<w, rows_of::edge, operand_kind::per_row>,
                              operand<h, rows_of::destination, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge(0); }) * row(1);
  }
};
struct scaled_by_weight_of_head {
  static constexpr char const* name = "gather<sum>(edge<w>) * dst<h>, w per head";
  static constexpr auto program = gather<sum>(edge<w>) * dst<h>;
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<w, rows_of::edge, operand_kind::per_head>,
                              operand<h, rows_of::destination, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>>, gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge(0); }) * row(1);
  }
};

}  // namespace edgewise::testing
