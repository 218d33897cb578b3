#include "context_test.hpp"

#include <stdexcept>

#include "device_training.cuh"
#include "models/adam.hpp"
#include "models/column_sum.hpp"
#include "models/context.cuh"
#include "models/dropout.hpp"
#include "models/gcn.hpp"
#include "support/device.cuh"

namespace edgewise::testing {
namespace {

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

}  // namespace

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

namespace {

struct add_one {
  float* x;
  EDGEWISE_HD void operator()(std::int64_t) const { *x += 1; }
};

}  // namespace

float device_replay(int num_runs, int failing) {
  device_stream const stream;
  device_context const context({.stream = stream.get()});
  auto x = upload(context, 1, 1, {0});
  models::replay<device_context> runs;
  for (int k = 0; k < num_runs; ++k) {
    auto const run = [&](bool fails) {
      runs.run(context, [&] {
        context.for_each(1, add_one{x.view().data});
        if (fails) throw std::runtime_error("device_replay: as asked");
      });
    };
    if (k == failing) {
      try {
        run(true);
      } catch (std::runtime_error const&) {
      }
    }
    run(false);
  }
  return download(context, x).front();
}

std::vector<float> device_adam(std::vector<double> const& learning_rates) {
  device_stream const stream;
  device_context const context({.stream = stream.get()});
  models::parameters<float, device_context> moved(context, {{1, 1}});
  float const begin = 1, gradient = 2;
  context.upload(&begin, 1, moved.values());
  context.upload(&gradient, 1, moved.gradients());
  models::adam<float, device_context> optimizer(context, moved.size(), {});
  models::replay<device_context> steps;
  std::vector<float> values;
  for (double const rate : learning_rates) {
    optimizer.set_learning_rate(context, rate);
    steps.run(context, [&] { optimizer.step(context, moved); });
    values.emplace_back();
    context.download(moved.values(), 1, &values.back());
  }
  return values;
}

device_training_result gcn_training_on_device(test_graph const& edges, int num_steps) {
  return device_training<models::gcn<float, device_context>>(edges, num_steps);
}

std::vector<float> gcn_training_by_replay(test_graph const& edges, int num_steps) {
  return device_training_by_replay<models::gcn<float, device_context>>(edges, num_steps);
}

}  // namespace edgewise::testing
