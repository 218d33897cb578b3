// The ablation base of bench_fusion: programs run operator by operator, as frameworks without fusion do, each operator
// a program of the library, with tensors of edges between them.
#pragma once

#include <edgewise/edgewise.cuh>

#include <cmath>
#include <memory>
#include <vector>

#include "attention_case.cuh"
#include "edgewise_attention.cuh"
#include "extremum_case.cuh"
#include "weighted_sum_case.cuh"

namespace edgewise::bench {

// tensors of edges
struct message;
struct score;
struct attention;

/// Operators in the order of `add`. Owns plans and tensors, which come from a counted resource.
class operator_chain {
public:
  operator_chain(counted_memory memory, cudaStream_t stream) : memory_(std::move(memory)), stream_(stream) {}

  float* tensor(std::int64_t elements) {
    return tensors_.emplace_back(static_cast<std::size_t>(elements), memory_.get(), stream_).data();
  }
  template <class Graph, class Program, class Inputs, class Out>
  void add(Graph const& graph, Program const& program, Inputs const& in, Out const& y) {
    cuda const exec{.stream = stream_, .memory = memory_.get()};
    auto const kernel = fuse(graph, automatic{}, program);
    // std::function copies; a plan has one owner
    auto const plan = std::make_shared<decltype(kernel.plan(exec, in))>(kernel.plan(exec, in));
    operators_.push_back([plan, in, y](cudaStream_t s) { plan->forward(cuda{.stream = s}, in, edgewise::out(y)); });
  }
  void run(cudaStream_t s) const {
    for (launch_function const& f : operators_) f(s);
  }

private:
  counted_memory memory_;
  cudaStream_t stream_;
  std::vector<device_buffer<float>> tensors_;
  std::vector<launch_function> operators_;
};

/// A candidate whose chain `build(chain)` fills.
template <class Build>
candidate unfused_candidate(cudaStream_t stream, Build const& build) {
  auto const memory = make_counted_memory();
  return {"unfused",
          [=]() -> launch_function {
            auto const chain = std::make_shared<operator_chain>(memory, stream);
            build(*chain);
            return [chain](cudaStream_t s) { chain->run(s); };
          },
          memory};
}

/// Messages of all channels, then their sums: by destination, or for the gradient of the features by source. `c` must
/// outlive the candidate, here and below.
inline candidate unfused_weighted_sum(weighted_sum_case<float>& c, pass p, cudaStream_t stream) {
  return unfused_candidate(stream, [=, &c](operator_chain& chain) {
    device_graph const& g = c.graph();
    auto const graph = edgewise::graph{g.csr(), g.csc()};
    float* const messages = chain.tensor(std::int64_t{g.num_edges()} * c.channels());
    auto const weights = bind<weight>(per_row(c.weights(), g.num_edges()));
    auto const written = wide(messages, g.num_edges(), c.channels());
    auto const in = bindings(bind<message>(wide(static_cast<float const*>(messages), g.num_edges(), c.channels())));
    if (p == pass::forward) {
      chain.add(graph, scatter(edgewise::edge<weight> * src<feature>),
                bindings(weights, bind<feature>(wide(c.features(), g.num_sources(), c.channels()))), written);
      chain.add(graph, gather<sum>(edgewise::edge<message>), in, wide(c.out(), g.num_destinations(), c.channels()));
    } else {
      chain.add(graph, scatter(edgewise::edge<weight> * dst<feature>),
                bindings(weights, bind<feature>(wide(c.out_grad(), g.num_destinations(), c.channels()))), written);
      chain.add(reverse(graph), gather<sum>(edgewise::edge<message>), in,
                wide(c.feature_grad(), g.num_sources(), c.channels()));
    }
  });
}

/// A copy of the features of each edge's source, then the maximum.
inline candidate unfused_maximum(extremum_case<float>& c, cudaStream_t stream) {
  return unfused_candidate(stream, [=, &c](operator_chain& chain) {
    device_graph const& g = c.graph();
    auto const graph = edgewise::graph{g.csr(), g.csc()};
    float* const messages = chain.tensor(std::int64_t{g.num_edges()} * c.channels());
    chain.add(graph, scatter(src<feature>), bindings(bind<feature>(wide(c.features(), g.num_sources(), c.channels()))),
              wide(messages, g.num_edges(), c.channels()));
    chain.add(graph, gather<edgewise::max>(edgewise::edge<message>),
              bindings(bind<message>(wide(static_cast<float const*>(messages), g.num_edges(), c.channels()))),
              wide(c.out.data(), g.num_destinations(), c.channels()));
  });
}

/// Scores, their softmax over each row, messages, sums.
inline candidate unfused_attention(attention_case<float>& c, cudaStream_t stream) {
  return unfused_candidate(stream, [=, &c](operator_chain& chain) {
    device_graph const& g = c.graph();
    auto const graph = edgewise::graph{g.csr(), g.csc()};
    std::int32_t const heads = c.shape().heads, channels = c.shape().channels;
    std::int64_t const edges = g.num_edges();
    float* const scores = chain.tensor(edges * heads);
    float* const weights = chain.tensor(edges * heads);
    float* const messages = chain.tensor(edges * heads * channels);
    auto const read = [](float* x) -> float const* { return x; };
    auto const add_scores = [&](auto const& program, auto const& in) {
      chain.add(graph, program, in, per_head(scores, edges, heads));
    };
    auto const at_sources = [&](float const* x) { return wide(x, g.num_sources(), heads, channels); };
    auto const at_destinations = [&](float const* x) { return wide(x, g.num_destinations(), heads, channels); };
    switch (c.shape().form) {
      case attention_form::transformer:
        add_scores(scatter(dot(dst<query>, src<key>) * (1 / std::sqrt(static_cast<double>(channels)))),
                   bindings(bind<query>(at_destinations(c.destination())), bind<key>(at_sources(c.key()))));
        break;
      case attention_form::gat:
        add_scores(scatter(leaky_relu(src<key> + dst<query>, double{attention_slope})),
                   bindings(bind<query>(per_head(c.destination(), g.num_destinations(), heads)),
                            bind<key>(per_head(c.key(), g.num_sources(), heads))));
        break;
      case attention_form::gatv2:
        add_scores(scatter(dot(param<direction>, leaky_relu(dst<query> + src<key>, double{attention_slope}))),
                   bindings(bind<query>(at_destinations(c.destination())), bind<key>(at_sources(c.key())),
                            bind<direction>(wide(c.parameter(), 1, heads, channels))));
        break;
      case attention_form::edge_transformer:
        throw invalid_argument("unfused_attention: has no form with features of edges");
    }
    chain.add(graph, scatter(softmax(edgewise::edge<score>)),
              bindings(bind<score>(per_head(read(scores), edges, heads))), per_head(weights, edges, heads));
    chain.add(graph, scatter(edgewise::edge<attention> * src<value>),
              bindings(bind<attention>(per_head(read(weights), edges, heads)),
                       bind<value>(at_sources(c.shape().has_value() ? c.value() : c.key()))),
              wide(messages, edges, heads, channels));
    chain.add(graph, gather<sum>(edgewise::edge<message>),
              bindings(bind<message>(wide(read(messages), edges, heads, channels))),
              wide(c.out.data(), g.num_destinations(), heads, channels));
  });
}

}  // namespace edgewise::bench
