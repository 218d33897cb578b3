#include "autotune_device_test.hpp"

#include <edgewise/edgewise.cuh>
#include <edgewise/tuning/autotune.cuh>

#include "support/device.cuh"
#include "support/device_graph.cuh"

namespace edgewise::testing {
namespace {

struct h;
struct w;

}  // namespace

tuned_run tune_on_device(test_graph const& graph, std::vector<float> const& features, std::vector<float> const& weights,
                         std::string const& path) {
  constexpr int channels = 16;
  device_graph<> const arrays(graph);
  auto const feature_array = upload(features);
  auto const weight_array = upload(weights);
  device_array<float> const values(std::vector<float>(static_cast<std::size_t>(graph.num_destinations) * channels));
  device_array<float> const gradients(std::vector<float>(features.size()));
  device_stream const stream;
  counting_resource memory(device_memory());
  cuda const exec{.stream = stream.get(), .memory = &memory};
  auto const in = bindings(bind<h>(wide(feature_array.data(), graph.num_sources, channels)),
                           bind<w>(per_row(weight_array.data(), graph.num_edges())));
  auto const kernel =
      fuse(edgewise::graph{arrays.csr(), arrays.csc()}, automatic{}, gather<sum>(softmax(edge<w>) * src<h>));
  auto const y = wide(values.data(), graph.num_destinations, channels);
  auto const dh = wide(gradients.data(), graph.num_sources, channels);

  tuned_run run;
  tuning_cache cache(path);
  auto const listen = [&](tuning_progress const& now) {
    run.heard.push_back(now.policy);
    run.heard_in_order =
        run.heard_in_order && now.num_measured == static_cast<int>(run.heard.size()) && now.milliseconds > 0;
  };
  auto const choice = autotune(exec, cache, listen, kernel, in, out(y), grad_out(y), grad<h>(dh));
  run.policy = to_string(choice.policy);
  run.num_measured = choice.num_measured;
  run.milliseconds = choice.milliseconds;
  run.own_milliseconds = choice.own_milliseconds;
  auto const again = autotune(exec, cache, listen, kernel, in, out(y), grad_out(y), grad<h>(dh));
  run.policy_again = to_string(again.policy);
  run.num_measured_again = again.num_measured;
  auto const of_forward = autotune(exec, cache, kernel, in, out(y));
  run.policy_of_forward = to_string(of_forward.policy);
  run.num_measured_of_forward = of_forward.num_measured;
  run.num_choices = cache.size();
  run.warning = cache.warning();
  auto const by_atomics =
      fuse(edgewise::graph{arrays.csr(), arrays.csc()}, automatic{}, gather<edgewise::max>(src<h>), nondeterministic{});
  auto const features_alone = bindings(bind<h>(wide(feature_array.data(), graph.num_sources, channels)));
  tuning_cache of_its_own;
  run.num_measured_by_atomics =
      autotune(exec, of_its_own, by_atomics, features_alone, out(y), grad_out(y), grad<h>(dh)).num_measured;
  run.live_bytes = memory.live_bytes();

  device_array<float> const adjoint(
      std::vector<float>(static_cast<std::size_t>(graph.num_destinations) * channels, 0.5f));
  for (bool const second : {false, true}) {
    auto const plan = kernel.plan(exec, in, choice.policy);
    auto saved = plan.make_saved(exec);
    plan.forward(exec, in, out(y), saved);
    plan.backward(exec, in, saved, grad_out(wide(adjoint.data(), graph.num_destinations, channels)), grad<h>(dh));
    stream.synchronize();
    (second ? run.out_again : run.out) = values.values();
    (second ? run.gradient_again : run.gradient) = gradients.values();
    run.explanation = plan.explain();
  }
  return run;
}

}  // namespace edgewise::testing
