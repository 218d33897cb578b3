// A graph transformer with gates and layer normalisation.
#pragma once

#include <tuple>

#include "models/gt.hpp"
#include "models/layer_norm.hpp"
#include "models/node_options.hpp"
#include "models/program_model.hpp"

namespace edgewise::models {

/// Two layers of gt.hpp's attention. A gate, one number a row, mixes what a vertex attends to with a matrix of itself;
/// layer normalisation and a rectifier follow the first layer, and the second takes the mean of its heads before its
/// gate. The paper's gate reads the difference of both, too, which adds nothing to what a linear function of both can
/// be. Source: Shi et al. 2021, arXiv:2009.03509 (UniMP), equations 3 to 5, without edge features and labels.
struct unimp_architecture {
  static constexpr char const* name = "unimp";
  using options_type = node_options;
  template <class T, class Context>
  using graph_type = square_graph<Context>;

  using x = gt_architecture::x;
  template <int k>
  struct layer : gt_architecture::layer<k> {
    struct attended;
    struct attended_gate;  // of the first layer [heads, channels], of the second [channels], as what they are for
    struct own_gate;
    struct gain;
    struct shift;
  };

  /// own where the score is large, else attended.
  template <class Attended, class Own, class Score>
  static auto mixed(Attended const& attended, Own const& own, Score const& score) {
    return attended + sigmoid(score) * (own - attended);
  }
  template <class names, class Attended, class Own>
  static auto weighed(Attended const& attended, Own const& own) {
    return param<typename names::attended_gate> * attended + param<typename names::own_gate> * own;
  }
  static auto program(node_options const& o) {
    using first = layer<0>;
    using last = layer<1>;
    auto const attended =
        named<first::attended>(gt_architecture::attention<first>(src<x>, dst<x>, o.num_hidden, o.attention_dropout));
    auto const own = linear<first::S>(dst<x>) + param<first::b>;
    auto const rows = mixed(attended, own, sum_of_row(weighed<first>(attended, own)));
    auto const normal = layer_norm<first::gain, first::shift>(rows, o.num_heads * o.num_hidden);
    auto const hidden = named<first>(edgewise::dropout<first::drop>(relu(normal), o.dropout));
    auto const mean = named<last::attended>(mean_heads(gt_architecture::attention<last>(
        at_source(hidden), at_destination(hidden), o.num_classes, o.attention_dropout)));
    auto const kept = mean_heads(linear<last::S>(hidden)) + param<last::b>;
    return mixed(mean, kept, sum_channels(weighed<last>(mean, kept)));
  }
  static auto operands(node_options const& o) {
    using first = layer<0>;
    using last = layer<1>;
    return std::tuple_cat(
        gt_architecture::operands(o),
        std::make_tuple(bias<first::attended_gate>(o.num_heads, o.num_hidden).drawn(),
                        bias<first::own_gate>(o.num_heads, o.num_hidden).drawn(),
                        bias<first::gain>(o.num_heads, o.num_hidden).starting_at(1),
                        bias<first::shift>(o.num_heads, o.num_hidden), bias<last::attended_gate>(o.num_classes).drawn(),
                        bias<last::own_gate>(o.num_classes).drawn()));
  }
  static double input_dropout(node_options const& o) { return o.dropout; }
};

template <class T, class Context>
using unimp = program_model<T, Context, unimp_architecture>;

}  // namespace edgewise::models
