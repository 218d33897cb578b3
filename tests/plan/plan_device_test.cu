#include "plan_device_test.hpp"

#include <memory>

#include <edgewise/edgewise.cuh>

#include "program/attention_cases.hpp"
#include "support/device.cuh"
#include "support/device_graph.cuh"

namespace edgewise::testing {
namespace {

struct w;

/// GATv2 planned on one stream, with its operands, output and gradients.
class attention {
  operand_view<float, operand_kind::wide> view(float* data, int rows) const {
    return wide(data, rows, heads_, channels_);
  }
  auto gradient_view() const { return grad_out(view(gradient_.data(), rows_)); }
  auto in() const {
    return bindings(bind<a>(view(a_.data(), 1)), bind<l>(view(l_.data(), rows_)), bind<r>(view(r_.data(), rows_)));
  }
  auto kernel() const { return fuse(graph{arrays_.csr(), arrays_.csc()}, automatic{}, gatv2::program); }
  cuda execution() const { return {.stream = stream_.get(), .memory = &memory_}; }

public:
  attention(test_graph const& edges, int heads, int channels, std::vector<float> const& a_values,
            std::vector<float> const& l_values, std::vector<float> const& r_values, std::vector<float> const& gradient)
      : heads_(heads),
        channels_(channels),
        rows_(edges.num_destinations),
        memory_(device_memory()),
        arrays_(edges),
        a_(a_values),
        l_(l_values),
        r_(r_values),
        gradient_(gradient),
        results_{guarded_device_output<float>(l_values.size()), guarded_device_output<float>(a_values.size()),
                 guarded_device_output<float>(l_values.size()), guarded_device_output<float>(r_values.size())},
        plan_(kernel().plan(execution(), in())),
        saved_(plan_.make_saved(execution())) {
    stream_.synchronize();
    allocations_ = memory_.num_allocations();
  }

  cudaStream_t stream() const { return stream_.get(); }
  void poison() {
    for (auto& result : results_) result.poison();
  }
  void run() {
    plan_.forward(execution(), in(), out(view(results_[0].data(), rows_)), saved_);
    plan_.backward(execution(), in(), saved_, gradient_view(), grad<a>(view(results_[1].data(), 1)),
                   grad<l>(view(results_[2].data(), rows_)), grad<r>(view(results_[3].data(), rows_)));
  }
  attention_run collect() const {
    attention_run result;
    for (auto const& part : results_) {
      auto const values = part.values();
      result.values.insert(result.values.end(), values.begin(), values.end());
    }
    result.allocations = memory_.num_allocations() - allocations_;
    result.workspace_bytes = plan_.workspace_bytes();
    return result;
  }

private:
  int heads_, channels_, rows_;
  device_stream stream_;
  mutable counting_resource memory_;
  device_graph<> arrays_;
  device_array<float> a_, l_, r_, gradient_;
  guarded_device_output<float> results_[4];
  using kernel_type = decltype(fuse(graph{csr_view<int, int>{}, csc_view<int, int>{}}, automatic{}, gatv2::program));
  using bindings_type = decltype(bindings(bind<a>(wide(static_cast<float*>(nullptr), 1, 1)),
                                          bind<l>(wide(static_cast<float*>(nullptr), 1, 1)),
                                          bind<r>(wide(static_cast<float*>(nullptr), 1, 1))));
  using plan_type = decltype(std::declval<kernel_type const&>().plan(cuda{}, std::declval<bindings_type const&>()));
  plan_type plan_;
  typename plan_type::saved_type saved_;
  std::size_t allocations_ = 0;
};

template <class Run>
std::string refusal(Run const& run) {
  try {
    run();
    check_cuda(cudaDeviceSynchronize(), "refusal: what ran");
  } catch (invalid_argument const& error) {
    return error.what();
  }
  return {};
}

}  // namespace

std::vector<attention_run> run_on_two_streams(test_graph const& edges, int heads, int channels,
                                              std::vector<float> const& a, std::vector<float> const& l,
                                              std::vector<float> const& r, std::vector<float> const& grad_out,
                                              int num_runs) {
  attention first(edges, heads, channels, a, l, r, grad_out);
  attention second(edges, heads, channels, a, l, r, grad_out);
  std::vector<attention_run> results;
  for (int run = 0; run < num_runs; ++run) {
    first.poison();
    second.poison();
    first.run();
    second.run();
    results.push_back(first.collect());
    results.push_back(second.collect());
  }
  return results;
}

std::vector<attention_run> run_by_replay(test_graph const& edges, int heads, int channels, std::vector<float> const& a,
                                         std::vector<float> const& l, std::vector<float> const& r,
                                         std::vector<float> const& grad_out, int num_runs) {
  attention layer(edges, heads, channels, a, l, r, grad_out);
  layer.run();  // loads the kernels
  cudaGraph_t captured = nullptr;
  cudaGraphExec_t instance = nullptr;
  check_cuda(cudaStreamBeginCapture(layer.stream(), cudaStreamCaptureModeThreadLocal), "run_by_replay: begin");
  layer.run();
  check_cuda(cudaStreamEndCapture(layer.stream(), &captured), "run_by_replay: end");
  check_cuda(cudaGraphInstantiate(&instance, captured, 0), "run_by_replay: instantiate");
  std::vector<attention_run> results;
  for (int run = 0; run < num_runs; ++run) {
    layer.poison();
    check_cuda(cudaGraphLaunch(instance, layer.stream()), "run_by_replay: launch");
    results.push_back(layer.collect());
  }
  check_cuda(cudaGraphExecDestroy(instance), "run_by_replay: destroy the instance");
  check_cuda(cudaGraphDestroy(captured), "run_by_replay: destroy the graph");
  return results;
}

std::string refusal_of_dot(test_graph const& edges, int channels) {
  device_graph<> const arrays(edges);
  device_array<float> const values(std::vector<float>(static_cast<std::size_t>(edges.num_destinations) * channels));
  guarded_device_output<float> result(edges.num_destinations);
  auto const in = bindings(bind<h>(wide(values.data(), edges.num_destinations, channels)));
  return refusal([&] {
    auto const plan = fuse(graph{arrays.csr()}, automatic{}, gather<sum>(dot(src<h>, dst<h>))).plan(cuda{}, in);
    plan.forward(cuda{}, in, out(per_head(result.data(), edges.num_destinations, 1)));
  });
}

std::string refusal_of_weight_gradient(test_graph const& edges, int channels) {
  device_graph<> const arrays(edges);
  device_array<float> const values(std::vector<float>(static_cast<std::size_t>(edges.num_destinations) * channels));
  device_array<float> const weights(std::vector<float>(static_cast<std::size_t>(edges.num_edges())));
  guarded_device_output<float> result(values.size());
  guarded_device_output<float> gradient(weights.size());
  auto const view = wide(values.data(), edges.num_destinations, channels);
  auto const in = bindings(bind<h>(view), bind<w>(per_row(weights.data(), edges.num_edges())));
  return refusal([&] {
    auto const plan = fuse(graph{arrays.csr()}, automatic{}, gather<sum>(edge<w> * src<h>)).plan(cuda{}, in);
    auto saved = plan.make_saved(cuda{});
    plan.forward(cuda{}, in, out(wide(result.data(), edges.num_destinations, channels)), saved);
    plan.backward(cuda{}, in, saved, grad_out(view), grad<w>(per_row(gradient.data(), edges.num_edges())));
  });
}

}  // namespace edgewise::testing
