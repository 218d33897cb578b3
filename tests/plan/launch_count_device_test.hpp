// What launch_count_device_test.cu counts on the device for launch_count_device_test.cpp to judge.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/launch_count.hpp"
#include "support/test_graph.hpp"

namespace edgewise::testing {

/// Counts by call: "forward", and backward passes by the gradients asked for, as in "h w".
using launch_counts = std::map<std::string, launch_count>;

/// gather<sum>(edge<w> * src<h> * dst<d>), with and without a saved state ("inference").
launch_counts count_sum_of_products(test_graph const& graph, int channels);
/// gather<mean>(src<h>) and gather<max>(src<h>): "mean", "max", and their backward passes, "mean h", "max h".
launch_counts count_mean_and_max(test_graph const& graph, int channels);
/// relu(gather<sum>(with_self(src<h>)) + param<b>).
launch_counts count_layer(test_graph const& graph, int channels);
/// GATv2 with operands a (parameter), l and r.
launch_counts count_attention(test_graph const& graph, int channels);
/// gather<sum>(softmax(leaky_relu(src<l> + dst<r>, 0.2)) * src<h>) of 4 heads x 16 channels: GAT with scores of
/// vertices.
launch_counts count_gat(test_graph const& graph);
/// That GAT compiled for any width, in three partitions of the neighbors: "forward", "r".
launch_counts count_partitioned_gat(test_graph const& graph);
/// The weights of GCN's edges, made by normalize_edges ("weights") of factors that normalize_vertices makes alone
/// ("factors"), and gather<sum>(edge<w> * src<h>) of 32 channels: "forward", "h".
launch_counts count_gcn(test_graph const& graph);
/// scatter(dot(dst<l>, src<r>)) as "dot" and scatter(softmax(dot(dst<l>, src<r>))) as "softmax", and their backward
/// passes, "dot l r"; the latter over graph{coo} as "coo softmax", the former by tiles of 128 channels as "contracted
/// dot".
launch_counts count_edges(test_graph const& graph, int channels);
/// Over graph{coo}: gather<sum>(param<a> * edge<w> * src<h> * dst<d>), and gather<max>(src<h>) as "max", "max h".
launch_counts count_scatter(test_graph const& graph, int channels);
/// Over graph{coo}: gather<sum>(softmax(dot(src<h>, dst<d>)) * src<h>).
launch_counts count_coo_softmax(test_graph const& graph, int channels);

/// The gradient of a in gather<sum>(param<a> * src<h> * dst<d>), asked for alone.
struct parameter_gradient {
  launch_count launches;
  std::vector<float> overwritten;  ///< from NaN
  std::vector<float> accumulated;  ///< onto 5
};
parameter_gradient parameter_of_rows(test_graph const& graph, int channels);
parameter_gradient parameter_of_edges(test_graph const& graph, int channels);  ///< over graph{coo}

}  // namespace edgewise::testing
