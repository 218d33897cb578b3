// Programs whose results are also differentiated along a direction.
#pragma once

#include <cstddef>
#include <vector>

#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/arithmetic.hpp>
#include <edgewise/expression/functions.hpp>
#include <edgewise/expression/functor.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/expression/linear.hpp>
#include <edgewise/expression/vertex_value.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/sum.hpp>

#include "support/test_graph.hpp"

namespace edgewise::testing {

struct h;
struct w;
struct W;

/// A pair potential, as forces of molecular dynamics have: a functor that the library differentiates twice.
struct potential {
  template <class T>
  EDGEWISE_HD T operator()(T x, T y) const {
    return exp(-x * x) * y / (1 + y * y);
  }
};

struct weighted_tangents {
  static constexpr char const* name = "gather<sum>(edge<w> * tanh(src<h>)) * dst<h>";
  static constexpr auto program = gather<sum>(edge<w> * tanh(src<h>)) * dst<h>;
};
struct attention_tangents {
  static constexpr char const* name = "gather<sum>(softmax(edge<w> * dot(dst<h>, src<h>)) * src<h>)";
  static constexpr auto program = gather<sum>(softmax(edge<w> * dot(dst<h>, src<h>)) * src<h>);
};
struct potential_tangents {
  static constexpr char const* name = "gather<sum>(apply(potential, src<h> - dst<h>, edge<w>))";
  static constexpr auto program = gather<sum>(apply(potential{}, src<h> - dst<h>, edge<w>));
};
/// A maximum beside a mean, functions of all kinds, and a value of another unit.
struct mixed_tangents {
  static constexpr char const* name = "sigmoid(gather<mean>(gelu(src<h>) * at_source(gather<sum>(...)))) + gather<max>";
  static constexpr auto program = sigmoid(gather<mean>(gelu(src<h>) * at_source(gather<sum>(edge<w> * sin(src<h>))))) +
                                  gather<edgewise::max>(edge<w> * src<h>);
};
/// Gradients go along the edges that were picked.
struct largest_tangents {
  static constexpr char const* name = "gather<max>(edge<w> * src<h>)";
  static constexpr auto program = gather<edgewise::max>(edge<w> * src<h>);
};
struct dense_tangents {
  static constexpr char const* name = "linear<W>(softplus(gather<sum>(edge<w> * linear<W>(src<h>))))";
  static constexpr auto program = linear<W>(softplus(gather<sum>(edge<w> * linear<W>(src<h>))));
};

/// Values of h [vertices, channels], w [edges] and W [channels, channels], and the direction in which they move.
struct tangent_inputs {
  std::vector<double> value[3];
  std::vector<double> tangent[3];
  std::vector<double> adjoint;

  static constexpr int channels = 3;
};
/// The output and the gradients of h, w and, where the program reads it, W: values and derivatives along the direction.
struct tangent_results {
  std::vector<double> value = {};
  std::vector<double> tangent = {};
};

}  // namespace edgewise::testing
