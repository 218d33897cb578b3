#include "device_test.hpp"

#include <cmath>
#include <cstddef>

#include <edgewise/edgewise.cuh>

#include "support/device.cuh"
#include "support/device_graph.cuh"

namespace outside {
namespace {

using edgewise::testing::device_array;
using edgewise::testing::test_graph;

/// Operands and results in device memory; results start as NaN, so that what is not written is seen.
struct device_data {
  device_array<double> x, w, dout, out, dx, dw;

  explicit device_data(operands const& in)
      : x(in.x), w(in.w), dout(in.dout), out(nan(in.dout.size())), dx(nan(in.x.size())), dw(nan(in.w.size())) {}

  pointers view() const { return {x.data(), w.data(), dout.data(), out.data(), dx.data(), dw.data()}; }

private:
  static std::vector<double> nan(std::size_t size) { return std::vector<double>(size, NAN); }
};

template <class Mapping>
results distances_with(Mapping const& mapping, test_graph const& graph, operands const& in) {
  edgewise::testing::device_stream const stream;
  edgewise::testing::device_graph<> const edges(graph);
  device_data const data(in);
  run_distances(ew::cuda{.stream = stream.get()}, ew::graph{edges.csr(), edges.csc()}, graph.num_sources, in.channels,
                data.view(), mapping);
  stream.synchronize();
  return {data.out.values(), data.dx.values(), std::vector<double>(in.w.size())};
}

template <class Mapping>
results smooth_maximum_with(Mapping const& mapping, test_graph const& graph, operands const& in) {
  edgewise::testing::device_stream const stream;
  edgewise::testing::device_graph<> const edges(graph);
  device_data const data(in);
  run_smooth_maximum(ew::cuda{.stream = stream.get()}, ew::graph{edges.csr(), edges.csc()}, graph.num_sources,
                     graph.num_edges(), in.channels, data.view(), mapping);
  stream.synchronize();
  return {data.out.values(), data.dx.values(), data.dw.values()};
}

}  // namespace

results device_distances(test_graph const& graph, operands const& in) {
  return distances_with(ew::automatic{}, graph, in);
}
results device_smooth_maximum(test_graph const& graph, operands const& in) {
  return smooth_maximum_with(ew::automatic{}, graph, in);
}
results device_distances_in_pieces(test_graph const& graph, operands const& in) {
  return distances_with(short_pieces{}, graph, in);
}
results device_smooth_maximum_in_pieces(test_graph const& graph, operands const& in) {
  return smooth_maximum_with(short_pieces{}, graph, in);
}

results device_distances_in_equal_pieces(test_graph const& graph, operands const& in) {
  return distances_with(in_equal_pieces{}, graph, in);
}
results device_distances_over_lists(test_graph const& graph, int degree, operands const& in) {
  edgewise::testing::device_stream const stream;
  edgewise::testing::device_graph<> const edges(graph);
  device_array<int> const offsets(offsets_of_lists(graph.num_destinations, degree));
  neighbor_lists lists{{edges.csr()}};
  lists.offsets = offsets.data();
  device_data const data(in);
  run_distances(ew::cuda{.stream = stream.get()}, ew::graph{lists, edges.csc()}, graph.num_sources, in.channels,
                data.view());
  stream.synchronize();
  return {data.out.values(), data.dx.values(), std::vector<double>(in.w.size())};
}

}  // namespace outside
