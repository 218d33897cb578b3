#include "context_test.hpp"

#include "models/column_sum.hpp"
#include "models/context.cuh"
#include "models/dropout.hpp"
#include "models/gemm.hpp"
#include "support/device.cuh"
#include "traced_training.hpp"

namespace edgewise::testing {
namespace {

using device_context = models::context<cuda>;

models::matrix<float, device_space> upload(device_context const& context, std::int64_t rows, std::int64_t cols,
                                           std::vector<float> const& elements) {
  models::matrix<float, device_space> result(context.make_buffer<float>(rows * cols), rows, cols);
  context.upload(elements.data(), rows * cols, result.view().data);
  return result;
}

std::vector<float> download(device_context const& context, models::matrix<float, device_space> const& x) {
  std::vector<float> result(static_cast<std::size_t>(x.view().size()));
  context.download(x.view().data, x.view().size(), result.data());
  return result;
}

/// A step captured once and replayed at will.
class captured_step {
public:
  captured_step(cudaStream_t stream, traced_training<device_context>& training) : stream_(stream) {
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "captured_step: begin");
    training.step();
    check_cuda(cudaStreamEndCapture(stream, &graph_), "captured_step: end");
    check_cuda(cudaGraphInstantiate(&instance_, graph_, 0), "captured_step: instantiate");
  }
  captured_step(captured_step const&) = delete;
  captured_step& operator=(captured_step const&) = delete;
  ~captured_step() {
    cudaGraphExecDestroy(instance_);
    cudaGraphDestroy(graph_);
  }
  void replay() { check_cuda(cudaGraphLaunch(instance_, stream_), "captured_step: launch"); }

private:
  cudaStream_t stream_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t instance_ = nullptr;
};

}  // namespace

std::vector<float> device_gemm(models::transpose op_a, std::int64_t a_rows, std::int64_t a_cols,
                               std::vector<float> const& a, models::transpose op_b, std::int64_t b_rows,
                               std::int64_t b_cols, std::vector<float> const& b) {
  device_stream const stream;
  device_context const context({.stream = stream.get()});
  std::int64_t const rows = op_a == models::transpose::yes ? a_cols : a_rows;
  std::int64_t const cols = op_b == models::transpose::yes ? b_rows : b_cols;
  auto const device_a = upload(context, a_rows, a_cols, a);
  auto const device_b = upload(context, b_rows, b_cols, b);
  auto c = upload(context, rows, cols, std::vector<float>(static_cast<std::size_t>(rows * cols), -1e30F));
  models::gemm(context, op_a, device_a.view(), op_b, device_b.view(), c.view());
  return download(context, c);
}

std::vector<float> device_dropout(std::uint64_t seed, std::uint64_t step, std::uint32_t layer, double probability,
                                  std::vector<float> const& x) {
  device_stream const stream;
  device_context const context({.stream = stream.get()});
  auto y = upload(context, 1, static_cast<std::int64_t>(x.size()), x);
  auto state = context.make_buffer<models::random_state>(1);
  models::random_state const host_state{seed, step};
  context.upload(&host_state, 1, state.data());
  models::dropout(context, models::dropout_mask<float>(state.data(), layer, probability), y.view(), y.view());
  return download(context, y);
}

std::vector<float> device_column_sum(std::int64_t rows, std::int64_t cols, std::vector<float> const& x) {
  device_stream const stream;
  device_context const context({.stream = stream.get()});
  auto const device_x = upload(context, rows, cols, x);
  auto sums = upload(context, 1, cols, std::vector<float>(static_cast<std::size_t>(cols), -1e30F));
  models::column_sum<float, device_context> sum(context, rows, cols);
  sum(context, device_x.view(), sums.view());
  return download(context, sums);
}

device_training_result device_training(test_graph const& edges, int num_steps) {
  device_stream const stream;
  counting_resource memory(device_memory());
  device_context const context({.stream = stream.get(), .memory = &memory});
  traced_training<device_context> training(context, edges);
  std::size_t const num_allocations = memory.num_allocations();
  device_training_result result{};
  for (int step = 0; step < num_steps; ++step) {
    training.step();
    result.losses.push_back(training.loss());
  }
  result.num_allocations = memory.num_allocations() - num_allocations;
  return result;
}

std::vector<float> device_training_by_replay(test_graph const& edges, int num_steps) {
  constexpr int num_direct = 2;  // before the capture, so that every kernel is loaded
  device_stream const stream;
  device_context const context({.stream = stream.get()});
  traced_training<device_context> training(context, edges);
  std::vector<float> losses;
  for (int step = 0; step < num_direct; ++step) {
    training.step();
    losses.push_back(training.loss());
  }
  captured_step step_again(stream.get(), training);
  for (int step = num_direct; step < num_steps; ++step) {
    step_again.replay();
    losses.push_back(training.loss());
  }
  return losses;
}

}  // namespace edgewise::testing
