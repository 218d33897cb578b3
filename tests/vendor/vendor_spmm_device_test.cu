#include "vendor_spmm_device_test.hpp"

#include <edgewise/edgewise.cuh>
#include <edgewise/vendor/vendor_spmm.cuh>

#include "plan/run_program.hpp"
#include "support/device.cuh"
#include "support/device_graph.cuh"

namespace edgewise::testing {
namespace {

struct h;
struct w;

template <class T, class Graph, class Program, class Bind>
vendor_result<T> run_plan(vendor_request const& request, vendor_operands<T> const& operands, Graph const& g,
                          Program const& program, Bind const& bind_to) {
  auto const& graph = *request.graph;
  std::size_t const size = request.extents.elements(operand_kind::wide);
  array_layout const padded{.row_padding = request.row_padding};
  strided_rows const source_rows{static_cast<std::size_t>(graph.num_sources), size, padded};
  strided_rows const destination_rows{static_cast<std::size_t>(graph.num_destinations), size, padded};
  strided_rows const weight_rows{
      static_cast<std::size_t>(graph.num_edges()), 1, {.row_padding = request.weight_stride - 1}};

  device_stream const stream;
  counting_resource memory(device_memory());
  cuda const exec{.stream = stream.get(), .memory = &memory};
  device_array<T> const features[] = {device_array<T>(source_rows.spread(operands.features[0])),
                                      device_array<T>(source_rows.spread(operands.features[1]))};
  device_array<T> const weights[] = {device_array<T>(weight_rows.spread(operands.weights[0])),
                                     device_array<T>(weight_rows.spread(operands.weights[1]))};
  device_array<T> const grad(destination_rows.spread(operands.grad_out));
  auto const in = [&](int k) {
    return bind_to(view_of<operand_kind::wide>(static_cast<T const*>(features[k].data()), source_rows, request.extents),
                   view_of<operand_kind::per_row>(static_cast<T const*>(weights[k].data()), weight_rows, {}));
  };
  auto const plan =
      vendor_spmm(exec, g, program, in(0), request.is_measured ? spmm_algorithm::measured : spmm_algorithm::csr_2);
  auto saved = plan.make_saved(exec);
  stream.synchronize();
  vendor_result<T> result;
  result.explanation = plan.explain({.copy = 1e9});
  result.workspace_bytes = plan.workspace_bytes();
  std::size_t const allocations = memory.num_allocations();

  auto const collect = [&](guarded_device_output<T>& output, strided_rows const& rows) {
    stream.synchronize();
    auto const values = output.values();
    result.damage += output.damage() + rows.damage(values);
    return rows.pack(values);
  };
  auto const forward = [&](int k, auto&... kept) {
    guarded_device_output<T> y(destination_rows.size());
    plan.forward(exec, in(k), out(view_of<operand_kind::wide>(y.data(), destination_rows, request.extents)), kept...);
    return collect(y, destination_rows);
  };
  result.out = forward(0, saved);
  result.out_of_second = forward(1);
  result.out_again = forward(0);
  if (request.has_ids) {
    auto const dy =
        grad_out(view_of<operand_kind::wide>(static_cast<T const*>(grad.data()), destination_rows, request.extents));
    guarded_device_output<T> dh(source_rows.size());
    auto const dh_view = view_of<operand_kind::wide>(dh.data(), source_rows, request.extents);
    plan.backward(exec, in(0), saved, dy, edgewise::grad<h>(dh_view));
    result.gradient = collect(dh, source_rows);
    check_cuda(cudaMemcpy(dh.data(), features[0].data(), source_rows.size() * sizeof(T), cudaMemcpyDeviceToDevice),
               "copy");
    check_cuda(cudaDeviceSynchronize(), "copy");
    plan.backward(exec, in(0), saved, dy, accumulate<src<h>>(dh_view));
    stream.synchronize();
    result.added_gradient = source_rows.pack(dh.values());
  }
  result.num_allocations = memory.num_allocations() - allocations;
  return result;
}

template <class T, class Gather, class Graph>
vendor_result<T> run_message(vendor_request const& request, vendor_operands<T> const& operands, Graph const& g) {
  auto const both = [](auto const& features, auto const& weights) {
    return bindings(bind<h>(features), bind<w>(weights));
  };
  switch (request.message) {
    case vendor_message::features:
      return run_plan(request, operands, g, gather<Gather>(src<h>),
                      [](auto const& features, auto const&) { return bindings(bind<h>(features)); });
    case vendor_message::weighted:
      return run_plan(request, operands, g, gather<Gather>(edge<w> * src<h>), both);
    default:
      return run_plan(request, operands, g, gather<Gather>(src<h> * edge<w>), both);
  }
}

}  // namespace

template <class T>
vendor_result<T> run_vendor_spmm(vendor_request const& request, vendor_operands<T> const& operands) {
  device_graph<> const arrays(*request.graph);
  auto csr = arrays.csr();
  if (!request.has_ids) csr.edge_ids = nullptr;
  edgewise::graph const g{csr, arrays.csc()};
  return request.is_mean ? run_message<T, mean>(request, operands, g) : run_message<T, sum>(request, operands, g);
}
template vendor_result<float> run_vendor_spmm(vendor_request const&, vendor_operands<float> const&);
template vendor_result<double> run_vendor_spmm(vendor_request const&, vendor_operands<double> const&);

std::vector<std::string> vendor_refusals() {
  test_graph const edges = make_test_graph("two edges", 3, 3, {{0, 1}, {2, 1}});
  device_graph<> const arrays(edges);
  device_array<float> const values(std::vector<float>(36, 1.0f));
  edgewise::graph const g{arrays.csr(), arrays.csc()};
  cuda const exec{};
  float* const data = values.data();
  auto const in = [&](int rows, int channels) { return bindings(bind<h>(wide(data, rows, channels))); };
  auto const program = gather<mean>(src<h>);
  auto const plan = vendor_spmm(exec, g, program, in(3, 4));
  auto const other = vendor_spmm(exec, g, program, in(3, 4));
  auto saved = plan.make_saved(exec);
  auto const y = wide(data + 12, 3, 4);
  std::vector<std::string> sentences;
  auto const refused = [&](auto const& call) {
    try {
      call();
      sentences.push_back("nothing");
    } catch (invalid_argument const& refusal) {
      sentences.push_back(refusal.what());
    }
  };
  refused([&] { vendor_spmm(exec, g, program, in(4, 4)); });
  refused([&] { plan.forward(exec, in(3, 3), out(y)); });
  refused([&] { plan.forward(exec, in(3, 4), out(wide(data + 12, 2, 4))); });
  refused([&] { plan.forward(exec, in(3, 4), out(wide(data, 3, 4))); });
  refused([&] { plan.backward(exec, in(3, 4), saved, grad_out(y), grad<h>(wide(data + 24, 3, 4))); });
  refused([&] { other.forward(exec, in(3, 4), out(y), saved); });
  check_cuda(cudaDeviceSynchronize(), "refusals");
  return sentences;
}

}  // namespace edgewise::testing
