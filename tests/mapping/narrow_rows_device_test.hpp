// Programs of rows of one or two threads, and plans of them that narrow_rows_device_test.cu makes on the device.
#pragma once

#include <string>
#include <vector>

#include <edgewise/expression/gather_node.hpp>
#include <edgewise/gather/sum.hpp>

#include "mapped.hpp"

namespace edgewise::testing {

struct s;
struct t;

/// Sums of neighbors' rows: how a sum is split shows in its rounding.
struct plain_sum {
  static constexpr char const* name = "gather<sum>(src<h>)";
  static constexpr auto program = gather<sum>(src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>>>;
  static auto reference(auto const& row) {
    return row.sum([](auto const& edge) { return edge(0); });
  }
};

/// A softmax whose scores are numbers of vertices: forward by one or two threads per row.
struct scored_sum {
  static constexpr char const* name = "gather<sum>(softmax(src<s> + dst<t>) * src<h>)";
  static constexpr auto program = gather<sum>(softmax(src<s> + dst<t>) * src<h>);
  static constexpr operand_kind out_kind = operand_kind::wide;
  using operands = std::tuple<operand<s, rows_of::source, operand_kind::per_row>,
                              operand<t, rows_of::destination, operand_kind::per_row>,
                              operand<h, rows_of::source, operand_kind::wide>>;
  using gradients = std::tuple<gradient_set<whole<0>, whole<1>, whole<2>>, gradient_set<whole<2>>>;
  static auto reference(auto const& row) {
    return row.softmax_sum([](auto const& edge) { return edge(0) + edge(1); },
                           [](auto const& edge) { return edge(2); });
  }
};

struct cut_by_degree {
  static constexpr degree_aware mapping{.threshold = 64, .order = row_order::degree};
};
struct cut_in_windows {
  static constexpr degree_aware mapping{.threshold = 64, .order = row_order::windows};
};

/// gather<sum>(src<h>) by a plan for the graph, by one for a capacity, and by a plan for the graph with the latter's
/// policy; and the policies of a plan by `automatic` of that program and of gather<sum>(edge<w> * src<h>).
struct planned_alike {
  std::vector<float> exact;
  std::vector<float> rebuilt;
  std::vector<float> pinned;
  std::string policy;
  std::string weighted_policy;
  bool has_few_geometries = false;  // where no group has one or two threads
};
planned_alike plan_alike_on_device(test_graph const& graph, std::vector<float> const& features, int channels);

}  // namespace edgewise::testing
