// The weighted sum of bench_distributed with features dealt out in place of rows: every rank has the whole graph.
#pragma once

#include <edgewise/distributed.cuh>

#include <cstdint>
#include <utility>
#include <vector>

#include "distributed_layers.cuh"
#include "distributed_messages.cuh"
#include "harness/device_graph.cuh"

namespace edgewise::bench {

template <class Inputs>
auto plan_of_sums(device_graph const& whole, cuda const& exec, Inputs const& inputs) {
  return fuse(edgewise::graph{whole.csr(), whole.csc()}, automatic{}, gcn_layer::program).plan(exec, inputs);
}

/// The rows of a rank, as `gcn_layer` has them, turned into its channels of all rows and back by a `feature_split`,
/// around a plan over the whole graph of a rank's channels. The graph and the owners, which are ranges, must outlive
/// it.
class gcn_of_features {
  using split_type = feature_split<switched_communicator, float>;
  using row_view = operand_view<float, operand_kind::wide>;
  using input_type =
      decltype(bindings(bind<weight>(per_row(std::declval<float*>(), 0)), bind<feature>(std::declval<row_view>())));

public:
  gcn_of_features(switched_communicator& comm, device_graph const& whole, vertex_owners const& owners,
                  layer_rows const& own, int channels, cudaStream_t stream, memory_resource* memory)
      : memory_(make_counted_memory(memory)),
        arrays_(stream, memory_.get()),
        own_(own),
        channels_(channels),
        split_(comm, exec(stream), owners, 1, channels),
        all_{whole.num_sources()},
        weights_(arrays_.random({whole.num_edges()}, 1, gcn_layer::seeds.weights)),
        features_(arrays_.random(own.sources, channels, gcn_layer::seeds.features)),
        out_grad_(arrays_.random(own.destinations, channels, gcn_layer::seeds.out_grad)),
        out_(arrays_.empty(own.destinations, channels)),
        feature_grad_(arrays_.empty(own.sources, channels)),
        sliced_features_(arrays_.empty(all_, slice())),
        sliced_rows_(arrays_.empty(all_, slice())),
        sliced_grads_(arrays_.empty(all_, slice())),
        plan_(plan_of_sums(whole, exec(stream), inputs())),
        saved_(plan_.make_saved(exec(stream))) {}

  void step(cuda const& on) {
    auto const in = inputs();
    split_.to_heads(on, rows(features_), slices(sliced_features_));
    plan_.forward(on, in, edgewise::out(slices(sliced_rows_)), saved_);
    split_.to_rows(on, slices(sliced_rows_), rows(out_));
    split_.to_heads(on, rows(out_grad_), slices(sliced_rows_));
    plan_.backward(on, in, saved_, grad_out(slices(sliced_rows_)), grad<feature>(slices(sliced_grads_)));
    split_.to_rows(on, slices(sliced_grads_), rows(feature_grad_));
  }
  std::vector<written_array> written() {
    return {{"out", &out_, channels_, false}, {"feature", &feature_grad_, channels_, true}};
  }
  std::size_t peak_bytes() const { return memory_->peak_bytes(); }
  /// In a forward pass; as many in a backward pass.
  std::int64_t sent_bytes() const { return 2 * split_.sent_bytes(); }

private:
  cuda exec(cudaStream_t stream) const { return {.stream = stream, .memory = memory_.get()}; }
  int slice() const { return split_.own_channels(); }
  row_view rows(device_buffer<float>& x) const { return wide(x.data(), own_.sources.count, channels_); }
  row_view slices(device_buffer<float>& x) const { return wide(x.data(), all_.count, slice()); }
  input_type inputs() {
    return bindings(bind<weight>(per_row(weights_.data(), static_cast<std::int64_t>(weights_.size()))),
                    bind<feature>(slices(sliced_features_)));
  }
  using plan_type = decltype(plan_of_sums(std::declval<device_graph const&>(), std::declval<cuda const&>(),
                                          std::declval<input_type const&>()));
  using saved_type = decltype(std::declval<plan_type const&>().make_saved(std::declval<cuda const&>()));

  counted_memory memory_;
  layer_arrays arrays_;
  layer_rows own_;
  int channels_;
  split_type split_;
  numbered_rows all_;
  device_buffer<float> weights_, features_, out_grad_, out_, feature_grad_;
  device_buffer<float> sliced_features_, sliced_rows_, sliced_grads_;
  plan_type plan_;
  saved_type saved_;
};

}  // namespace edgewise::bench
