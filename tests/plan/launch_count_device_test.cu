#include "launch_count_device_test.hpp"

#include <algorithm>
#include <limits>

#include <edgewise/edgewise.cuh>

#include "support/count_launches.cuh"
#include "support/device.cuh"
#include "support/device_graph.cuh"

namespace edgewise::testing {
namespace {

struct a;
struct b;
struct d;
struct h;
struct l;
struct r;
struct w;

/// Arrays large enough for any operand of a graph.
struct arrays {
  arrays(test_graph const& edges, int width, int num_heads = 1)
      : graph(edges),
        channels(width),
        heads(num_heads),
        sources(edges.num_sources),
        destinations(edges.num_destinations),
        edge_rows(edges.num_edges()),
        values(std::vector<float>(elements(), 0.5f)),
        result(elements()),
        gradients{guarded_device_output<float>(elements()), guarded_device_output<float>(elements()),
                  guarded_device_output<float>(elements()), guarded_device_output<float>(elements())} {}

  std::size_t elements() const {
    int const rows = std::max(std::max(sources, destinations), 1);
    return static_cast<std::size_t>(std::max(rows * channels, edge_rows));
  }
  cuda execution() const { return {.stream = stream.get()}; }
  auto rows(float* data, int count) const { return wide(data, count, heads, channels / heads); }
  auto operand(int count) const { return rows(values.data(), count); }
  auto scores(int count) const { return per_head(values.data(), count, heads); }
  auto weights() const { return per_row(values.data(), edge_rows); }
  auto gradient(int k, int count) const { return rows(gradients[k].data(), count); }
  auto score_gradient(int k, int count) const { return per_head(gradients[k].data(), count, heads); }
  auto weight_gradient(int k) const { return per_row(gradients[k].data(), edge_rows); }
  auto output() const { return out(rows(result.data(), destinations)); }
  auto edge_output() const { return out(per_head(result.data(), edge_rows, 1)); }
  auto edge_adjoint() const { return grad_out(per_head(values.data(), edge_rows, 1)); }
  auto adjoint() const { return grad_out(operand(destinations)); }

  device_stream stream;
  device_graph<> graph;
  int channels, heads, sources, destinations, edge_rows;
  device_array<float> values;
  guarded_device_output<float> result;
  guarded_device_output<float> gradients[4];
};

/// Plans a program and counts calls of the plan.
template <class Kernel, class In>
class counted {
public:
  counted(arrays const& memory, Kernel const& kernel, In const& in)
      : memory_(memory),
        in_(in),
        plan_(kernel.plan(memory.execution(), in)),
        saved_(plan_.make_saved(memory.execution())) {}

  launch_count forward(bool keeps = true) {
    return count_launches(memory_.stream.get(), [&] {
      if (keeps) {
        plan_.forward(memory_.execution(), in_, memory_.output(), saved_);
      } else {
        plan_.forward(memory_.execution(), in_, memory_.output());
      }
    });
  }
  template <class... Request>
  launch_count backward(Request const&... requests) {
    return count_launches(memory_.stream.get(),
                          [&] { plan_.backward(memory_.execution(), in_, saved_, memory_.adjoint(), requests...); });
  }

private:
  arrays const& memory_;
  In in_;
  decltype(std::declval<Kernel const&>().plan(cuda{}, std::declval<In const&>())) plan_;
  typename decltype(plan_)::saved_type saved_;
};

template <class Kernel, class In>
parameter_gradient gradient_of_a(arrays const& memory, Kernel const& kernel, In const& in) {
  auto const plan = kernel.plan(memory.execution(), in);
  auto saved = plan.make_saved(memory.execution());
  plan.forward(memory.execution(), in, memory.output(), saved);
  auto const channels = static_cast<std::size_t>(memory.channels);
  device_array<float> overwritten(std::vector<float>(channels, std::numeric_limits<float>::quiet_NaN()));
  device_array<float> accumulated(std::vector<float>(channels, 5.0f));
  plan.backward(memory.execution(), in, saved, memory.adjoint(), accumulate<a>(memory.rows(accumulated.data(), 1)));
  auto const launches = count_launches(memory.stream.get(), [&] {
    plan.backward(memory.execution(), in, saved, memory.adjoint(), grad<a>(memory.rows(overwritten.data(), 1)));
  });
  return {launches, overwritten.values(), accumulated.values()};
}

/// Launches of a kernel of an edge program of l and r, with one value per head.
template <class Kernel>
void count_edge_kernel(launch_counts& counts, std::string const& name, arrays const& m, Kernel const& kernel) {
  auto const exec = m.execution();
  auto const in = bindings(bind<l>(m.operand(m.destinations)), bind<r>(m.operand(m.sources)));
  auto const plan = kernel.plan(exec, in);
  auto saved = plan.make_saved(exec);
  auto const to_l = grad<l>(m.gradient(0, m.destinations));
  auto const to_r = grad<r>(m.gradient(1, m.sources));
  auto const backward = [&](auto const&... requests) {
    return count_launches(m.stream.get(), [&] { plan.backward(exec, in, saved, m.edge_adjoint(), requests...); });
  };
  counts[name] = count_launches(m.stream.get(), [&] { plan.forward(exec, in, m.edge_output(), saved); });
  counts[name + " l"] = backward(to_l);
  counts[name + " l r"] = backward(to_l, to_r);
}

}  // namespace

launch_counts count_edges(test_graph const& graph, int channels) {
  arrays const m(graph, channels);
  launch_counts counts;
  auto const grouped = edgewise::graph{m.graph.csr(), m.graph.csc()};
  auto const weights = scatter(softmax(dot(dst<l>, src<r>)));
  count_edge_kernel(counts, "dot", m, fuse(grouped, automatic{}, scatter(dot(dst<l>, src<r>))));
  count_edge_kernel(counts, "contracted dot", m,
                    fuse(grouped, feature_adaptive_group{.dot_tile = 128}, scatter(dot(dst<l>, src<r>))));
  count_edge_kernel(counts, "softmax", m, fuse(grouped, automatic{}, weights));
  count_edge_kernel(counts, "coo softmax", m, fuse(edgewise::graph{m.graph.coo()}, edge_balanced{}, weights));
  return counts;
}

launch_counts count_sum_of_products(test_graph const& graph, int channels) {
  arrays const m(graph, channels);
  auto const in = bindings(bind<w>(m.weights()), bind<h>(m.operand(m.sources)), bind<d>(m.operand(m.destinations)));
  counted of(
      m, fuse(edgewise::graph{m.graph.csr(), m.graph.csc()}, automatic{}, gather<sum>(edge<w> * src<h> * dst<d>)), in);
  auto const to_h = grad<h>(m.gradient(0, m.sources));
  auto const to_d = grad<d>(m.gradient(1, m.destinations));
  auto const to_w = grad<w>(m.weight_gradient(2));
  return {{"inference", of.forward(false)}, {"forward", of.forward()},
          {"h", of.backward(to_h)},         {"d", of.backward(to_d)},
          {"w", of.backward(to_w)},         {"h w", of.backward(to_h, to_w)},
          {"d w", of.backward(to_d, to_w)}, {"h d w", of.backward(to_h, to_d, to_w)}};
}

launch_counts count_mean_and_max(test_graph const& graph, int channels) {
  arrays const m(graph, channels);
  auto const g = edgewise::graph{m.graph.csr(), m.graph.csc()};
  auto const in = bindings(bind<h>(m.operand(m.sources)));
  counted mean_of(m, fuse(g, automatic{}, gather<mean>(src<h>)), in);
  counted max_of(m, fuse(g, automatic{}, gather<edgewise::max>(src<h>)), in);
  auto const to_h = grad<h>(m.gradient(0, m.sources));
  return {{"mean", mean_of.forward()},
          {"mean h", mean_of.backward(to_h)},
          {"max", max_of.forward()},
          {"max h", max_of.backward(to_h)}};
}

launch_counts count_layer(test_graph const& graph, int channels) {
  arrays const m(graph, channels);
  auto const in = bindings(bind<h>(m.operand(m.sources)), bind<b>(m.operand(1)));
  counted of(
      m,
      fuse(edgewise::graph{m.graph.csr(), m.graph.csc()}, automatic{}, relu(gather<sum>(with_self(src<h>)) + param<b>)),
      in);
  auto const to_h = grad<h>(m.gradient(0, m.sources));
  auto const to_b = grad<b>(m.gradient(1, 1));
  return {
      {"forward", of.forward()}, {"h", of.backward(to_h)}, {"b", of.backward(to_b)}, {"h b", of.backward(to_h, to_b)}};
}

launch_counts count_attention(test_graph const& graph, int channels) {
  arrays const m(graph, channels);
  auto const in = bindings(bind<a>(m.operand(1)), bind<l>(m.operand(m.destinations)), bind<r>(m.operand(m.sources)));
  counted of(m,
             fuse(edgewise::graph{m.graph.csr(), m.graph.csc()}, automatic{},
                  gather<sum>(softmax(dot(param<a>, leaky_relu(dst<l> + src<r>, 0.2))) * src<r>)),
             in);
  auto const to_a = grad<a>(m.gradient(0, 1));
  auto const to_l = grad<l>(m.gradient(1, m.destinations));
  auto const to_r = grad<r>(m.gradient(2, m.sources));
  return {{"forward", of.forward()}, {"r", of.backward(to_r)}, {"a l r", of.backward(to_a, to_l, to_r)}};
}

launch_counts count_gat(test_graph const& graph) {
  arrays const m(graph, 64, 4);
  auto const in =
      bindings(bind<l>(m.scores(m.sources)), bind<r>(m.scores(m.destinations)), bind<h>(m.operand(m.sources)));
  counted of(m,
             fuse(edgewise::graph{m.graph.csr(), m.graph.csc()}, automatic{},
                  gather<sum>(softmax(leaky_relu(src<l> + dst<r>, 0.2)) * src<h>), static_extents<4, 16>{}),
             in);
  auto const to_l = grad<l>(m.score_gradient(0, m.sources));
  auto const to_r = grad<r>(m.score_gradient(1, m.destinations));
  auto const to_h = grad<h>(m.gradient(2, m.sources));
  return {{"forward", of.forward()}, {"l r h", of.backward(to_l, to_r, to_h)}};
}

launch_counts count_partitioned_gat(test_graph const& graph) {
  arrays const m(graph, 64, 4);
  auto const in =
      bindings(bind<l>(m.scores(m.sources)), bind<r>(m.scores(m.destinations)), bind<h>(m.operand(m.sources)));
  counted of(m,
             fuse(edgewise::graph{m.graph.csr(), m.graph.csc()}, feature_adaptive_group{.partitions = 3},
                  gather<sum>(softmax(leaky_relu(src<l> + dst<r>, 0.2)) * src<h>)),
             in);
  return {{"forward", of.forward()}, {"r", of.backward(grad<r>(m.score_gradient(1, m.destinations)))}};
}

launch_counts count_gcn(test_graph const& graph) {
  arrays const m(graph, 32);
  auto const g = edgewise::graph{m.graph.csr(), m.graph.csc()};
  auto const in = bindings(bind<w>(m.weights()), bind<h>(m.operand(m.sources)));
  counted of(m, fuse(g, automatic{}, gather<sum>(edge<w> * src<h>), static_extents<1, 32>{}), in);
  auto const count = [&](auto const& call) { return count_launches(m.stream.get(), call); };
  return {{"factors", count([&] { normalize_vertices(m.execution(), g); })},
          {"weights", count([&] { normalize_edges(m.execution(), g); })},
          {"forward", of.forward()},
          {"h", of.backward(grad<h>(m.gradient(0, m.sources)))}};
}

launch_counts count_scatter(test_graph const& graph, int channels) {
  arrays const m(graph, channels);
  auto const g = edgewise::graph{m.graph.coo()};
  auto const in = bindings(bind<a>(m.operand(1)), bind<w>(m.weights()), bind<h>(m.operand(m.sources)),
                           bind<d>(m.operand(m.destinations)));
  auto const max_in = bindings(bind<h>(m.operand(m.sources)));
  counted of(m, fuse(g, edge_balanced{}, gather<sum>(param<a> * edge<w> * src<h> * dst<d>)), in);
  counted max_of(m, fuse(g, edge_balanced{}, gather<edgewise::max>(src<h>)), max_in);
  auto const to_a = grad<a>(m.gradient(0, 1));
  auto const to_w = grad<w>(m.weight_gradient(1));
  auto const to_h = grad<h>(m.gradient(2, m.sources));
  auto const to_d = grad<d>(m.gradient(3, m.destinations));
  return {{"forward", of.forward()},
          {"w", of.backward(to_w)},
          {"w h d", of.backward(to_w, to_h, to_d)},
          {"a w h d", of.backward(to_a, to_w, to_h, to_d)},
          {"max", max_of.forward()},
          {"max h", max_of.backward(to_h)}};
}

launch_counts count_coo_softmax(test_graph const& graph, int channels) {
  arrays const m(graph, channels);
  auto const in = bindings(bind<h>(m.operand(m.sources)), bind<d>(m.operand(m.destinations)));
  counted of(
      m, fuse(edgewise::graph{m.graph.coo()}, edge_balanced{}, gather<sum>(softmax(dot(src<h>, dst<d>)) * src<h>)), in);
  return {{"forward", of.forward()},
          {"h d", of.backward(grad<h>(m.gradient(2, m.sources)), grad<d>(m.gradient(3, m.destinations)))}};
}

parameter_gradient parameter_of_rows(test_graph const& graph, int channels) {
  arrays const m(graph, channels);
  auto const none = operand_view<float, operand_kind::wide>{nullptr, 0, 1, channels, channels};
  auto const in = bindings(bind<a>(m.operand(1)), bind<h>(m.operand(m.sources)),
                           bind<d>(m.destinations == 0 ? none : m.operand(m.destinations)));
  return gradient_of_a(m, fuse(edgewise::graph{m.graph.csr()}, automatic{}, gather<sum>(param<a> * src<h> * dst<d>)),
                       in);
}

parameter_gradient parameter_of_edges(test_graph const& graph, int channels) {
  arrays const m(graph, channels);
  auto const in = bindings(bind<a>(m.operand(1)), bind<h>(m.operand(m.sources)), bind<d>(m.operand(m.destinations)));
  return gradient_of_a(
      m, fuse(edgewise::graph{m.graph.coo()}, edge_balanced{}, gather<sum>(param<a> * src<h> * dst<d>)), in);
}

}  // namespace edgewise::testing
