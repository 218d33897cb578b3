// Programs whose attention weights are given out.
#pragma once

#include "program/attention_cases.hpp"
#include "program/dropout_cases.hpp"
#include "program/epilogue_cases.hpp"
#include "program/with_self_cases.hpp"

namespace edgewise::testing {

struct gat_and_weights : gat {
  static constexpr operand_kind weights_kind = operand_kind::per_head;
  using gradients = std::tuple<>;
  static auto weight(auto const& edge) {
    return edge.softmax([](auto const& e) { return leaky_relu(e(0) + e(1), 0.2); });
  }
};
struct transformer_and_weights : transformer {
  static constexpr operand_kind weights_kind = operand_kind::per_head;
  using gradients = std::tuple<>;
  static auto weight(auto const& edge) {
    return edge.softmax(
        [](auto const& e) { return e.sum_channels([](auto const& at) { return at(0) * at(1); }) * 0.5; });
  }
};
/// Weights below an epilogue.
struct layer_and_weights : attention_layer {
  static constexpr operand_kind weights_kind = operand_kind::per_head;
  using gradients = std::tuple<>;
  static auto weight(auto const& edge) {
    return edge.softmax([](auto const& e) { return e(0) + e(1); });
  }
};
/// Weights before dropout.
struct dropped_and_weights : dropped_attention {
  static constexpr operand_kind weights_kind = operand_kind::per_head;
  using gradients = std::tuple<>;
  static auto weight(auto const& edge) {
    return edge.softmax([](auto const& e) { return tanh(e(0) + e(1)); });
  }
};
/// The virtual self edge takes its part of the weight.
struct self_and_weights : gat_with_self {
  static constexpr operand_kind weights_kind = operand_kind::per_head;
  using gradients = std::tuple<>;
  static auto weight(auto const& edge) {
    return edge.softmax([](auto const& e) { return leaky_relu(e.source(0) + e(1), 0.2); });
  }
};

/// The weights of a case as an output.
template <class Case>
struct weights_of : Case {
  static constexpr bool is_of_edges = true;
  static constexpr operand_kind out_kind = Case::weights_kind;
  static auto reference(auto const& edge) { return Case::weight(edge); }
};

}  // namespace edgewise::testing
