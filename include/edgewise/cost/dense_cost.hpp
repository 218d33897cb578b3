// What dense products cost.
#pragma once

#include <cstdint>

#include <edgewise/core/type_list.hpp>
#include <edgewise/cost/cost.hpp>
#include <edgewise/program/bindings.hpp>

namespace edgewise::inline v0::detail {

/// A gradient as a type alone.
template <class Leaf>
struct gradient_of {
  using target = Leaf;
};

/// Of rows of a table, the leaf Row stored as X, and a matrix stored as W; sums are formed in T.
template <class Matrix, class Row, class W, class X, class T>
struct dense_cost {
  using every_gradient = type_list<gradient_of<Matrix>, gradient_of<Row>>;
  using default_output = T;

  std::int64_t rows = 0;
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
  std::int64_t matrices = 1;  ///< one for each type of rows

  template <class Out>
  plan_cost forward(bool) const {
    return {.traversals = {product("linear", sizeof(X), sizeof(W), sizeof(Out))}};
  }
  template <class Out, class... Request>
  plan_cost backward(type_list<Request...>) const {
    plan_cost all;
    auto const add = [&]<class R>(type_tag<R>) {
      if constexpr (targets_leaf<typename R::target, Matrix>) {
        all.traversals.push_back(product("linear, gradient of the matrix", sizeof(X), sizeof(T), sizeof(Out)));
      }
      if constexpr (targets_leaf<typename R::target, Row>) {
        all.traversals.push_back(product("linear, gradient of rows", sizeof(T), sizeof(W), sizeof(Out)));
      }
    };
    (add(type_tag<Request>{}), ...);
    return all;
  }

private:
  traversal_cost product(char const* name, std::size_t input_bytes, std::size_t matrix_bytes,
                         std::size_t output_bytes) const {
    traversal_cost cost;
    cost.name = name;
    cost.rows = rows;
    cost.row_bytes =
        as_double(inputs) * static_cast<double>(input_bytes) + as_double(outputs) * static_cast<double>(output_bytes);
    cost.parameter_bytes =
        as_double(matrices) * as_double(inputs) * as_double(outputs) * static_cast<double>(matrix_bytes);
    cost.row_flops = 2 * as_double(inputs) * as_double(outputs);
    return cost;
  }
  static double as_double(std::int64_t n) { return static_cast<double>(n); }
};

}  // namespace edgewise::inline v0::detail
