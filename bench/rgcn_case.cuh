// The arrays of bench_rgcn on one graph, and the check of every element against the CPU engine in double.
#pragma once

#include <edgewise/edgewise.cuh>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/candidate.cuh"
#include "harness/device_array.cuh"
#include "rgcn_layers.hpp"

namespace edgewise::bench {

/// One typed graph with the arrays of the model on the device, and what they must become, computed by the CPU engine in
/// double.
class rgcn_case {
public:
  rgcn_case(host_typed_graph const& host, cudaStream_t stream)
      : host_(&host),
        stream_(stream),
        pairs(find_typed_pairs(cpu{}, host.types, endpoint::source)),
        num_edges(host.by_destination.num_edges()),
        num_pairs(pairs.num_pairs()),
        num_vertices(host.num_vertices()),
        num_types(host.types.num_types()),
        num_classes(host.num_classes) {
    cuda const exec{.stream = stream};
    auto const by_destination = find_typed_pairs(cpu{}, host.types, endpoint::destination);
    host_norm_ =
        normalize_edges<double>(cpu{}, to_csr(cpu{}, by_destination.edges).view(), {.mode = normalization::left});
    norm = upload(std::vector<float>(host_norm_.begin(), host_norm_.end()), stream);
    csr_ = to_device(exec, host.by_destination);
    csc_ = to_device(exec, to_csc(cpu{}, host.by_destination));
    types_ = to_device(exec, host.types);
    pair_csr_ = to_device(exec, to_csr(cpu{}, pairs.edges));
    pair_csc_ = to_device(exec, to_csc(cpu{}, pairs.edges));
    auto const sizes = learned_sizes(num_pairs, num_vertices, num_types, num_classes);
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      learned.push_back(random_array<float>(sizes[k], 11 + k, stream));
      gradients.push_back(make_array<float>(sizes[k], stream));
    }
    std::size_t const features = static_cast<std::size_t>(num_vertices) * rgcn::hidden;
    feature = make_array<float>(features, stream);
    feature_gradient = make_array<float>(features, stream);
    out = make_array<float>(static_cast<std::size_t>(num_vertices) * num_classes, stream);
    adjoint = random_array<float>(out.size(), 30, stream);
    check_cuda(cudaStreamSynchronize(stream), "rgcn: upload");
  }

  host_typed_graph const& host() const { return *host_; }
  cudaStream_t stream() const { return stream_; }

  candidate edgewise_candidate() {
    auto const memory = make_counted_memory();
    return {"automatic",
            [=, this]() -> launch_function {
              cuda const exec{.stream = stream_, .memory = memory.get()};
              std::vector<float const*> operands;
              std::vector<float*> targets;
              for (auto const& x : learned) operands.push_back(x.data());
              for (auto& x : gradients) targets.push_back(x.data());
              graph const first{pair_csr_, pair_csc_};
              graph const second{csr_, csc_, types_};
              using layers =
                  rgcn_layers<cuda, std::remove_const_t<decltype(first)>, std::remove_const_t<decltype(second)>, float>;
              auto model = std::make_shared<layers>(exec, first, second, static_cast<float const*>(norm.data()),
                                                    operands, feature.data(), feature_gradient.data(), out.data(),
                                                    static_cast<float const*>(adjoint.data()), targets, num_edges,
                                                    num_pairs, num_vertices, num_types, num_classes);
              return [memory, model](cudaStream_t s) { model->run(cuda{.stream = s}); };
            },
            memory};
  }

  /// Runs `launch` once on poisoned arrays and compares output and gradients, element by element. Synchronises.
  verdict check(launch_function const& launch) {
    if (expected_.empty()) expected_ = rgcn_on_host(*host_, pairs, host_norm_.data());
    poison(out, stream_);
    for (auto& x : gradients) poison(x, stream_);
    launch(stream_);
    check_cuda(cudaGetLastError(), "check: launch");
    verdict result{true, 0};
    std::vector<std::vector<float>> actual{download(out, 0, out.size(), stream_)};
    for (auto const& x : gradients) actual.push_back(download(x, 0, x.size(), stream_));
    for (std::size_t k = 0; k < actual.size(); ++k) {
      double largest = 0, worst = 0;
      for (double const x : expected_[k]) largest = std::max(largest, std::abs(x));
      for (std::size_t i = 0; i < actual[k].size(); ++i) {
        double const error = std::abs(actual[k][i] - expected_[k][i]) / (largest + 1e-30);
        if (!(error < 1e-4)) result.passed = false;  // NaN, too
        worst = std::max(worst, error);
      }
      result.error = std::max(result.error, worst);
    }
    return result;
  }

private:
  host_typed_graph const* host_;
  cudaStream_t stream_;
  host_buffer<double> host_norm_;
  csr<std::int32_t, std::int32_t, device_space> csr_, pair_csr_;
  csc<std::int32_t, std::int32_t, device_space> csc_, pair_csc_;
  typed_edges<std::int32_t, std::int32_t, device_space> types_;
  std::vector<std::vector<double>> expected_;

public:
  typed_pairs<> pairs;  // by source
  std::int64_t num_edges, num_pairs;
  std::int32_t num_vertices, num_types;
  int num_classes;
  device_buffer<float> norm, feature, feature_gradient, out, adjoint;
  std::vector<device_buffer<float>> learned, gradients;
};

}  // namespace edgewise::bench
