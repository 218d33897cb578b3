// bench_typed_layer: an R-GCN layer of dense features, transformed first and aggregated first, beside products by type.
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <edgewise/edgewise.cuh>
#include <edgewise/format/convert.cuh>
#include <edgewise/format/typed_pairs.cuh>

#include "baselines/typed_gemm_layer.cuh"
#include "harness/device_session.cuh"
#include "harness/program.hpp"
#include "rgcn_layers.hpp"
#include "typed_layer.hpp"

namespace edgewise::bench {
namespace {

constexpr char const* description =
    "Times forward and all gradients of an R-GCN layer of dense features: transform_first multiplies each pair of\n"
    "type and source once, aggregate_first each pair of type and destination, chosen is what choose_type_order says;\n"
    "loop and grouped: tensors of edges and cuBLAS, one product a type or all in one call. Graphs: folders with\n"
    "edge_type.npy, and bgs_like, bgs_facts and bgs_inverses, which are generated. Device time of one launch in a\n"
    "CUDA graph, warm. Every result is checked against the loop, element by element.";

/// The pairs of one end and their graphs on the device.
struct pairs_at {
  typed_pairs<std::int32_t, std::int32_t, device_space> pairs;
  csr<std::int32_t, std::int32_t, device_space> edges_csr, members_csr;
  csc<std::int32_t, std::int32_t, device_space> edges_csc, members_csc;

  pairs_at(cuda const& exec, typed_edges<std::int32_t, std::int32_t, device_space> const& types, endpoint end)
      : pairs(find_typed_pairs(exec, types, end)),
        edges_csr(to_csr(exec, pairs.edges)),
        members_csr(to_csr(exec, pairs.members)),
        edges_csc(to_csc(exec, pairs.edges)),
        members_csc(to_csc(exec, pairs.members)) {}
  auto edges() const { return graph{edges_csr, edges_csc}; }
  auto members() const { return graph{members_csr, members_csc}; }
};

/// A graph with both kinds of pairs.
struct typed_case {
  host_typed_graph host;
  cudaStream_t stream;
  typed_edges<std::int32_t, std::int32_t, device_space> types;
  pairs_at by_source, by_destination;
  device_buffer<float> norm;

  typed_case(host_typed_graph g, cudaStream_t s)
      : host(std::move(g)),
        stream(s),
        types(to_device(exec(), host.types)),
        by_source(exec(), types, endpoint::source),
        by_destination(exec(), types, endpoint::destination) {
    auto const pairs = find_typed_pairs(cpu{}, host.types, endpoint::destination);
    auto const weights =
        normalize_edges<float>(cpu{}, to_csr(cpu{}, pairs.edges).view(), {.mode = normalization::left});
    norm = upload(std::vector<float>(weights.begin(), weights.end()), s);
  }
  cuda exec() const { return {.stream = stream}; }
};

/// The arrays of one width; all forms write to the same ones.
struct layer_case {
  typed_case& g;
  typed_layer::arrays<float> a;
  device_buffer<float> x, matrices, adjoint, out, grad_x, grad_matrices;

  layer_case(typed_case& on, int inputs, int outputs) : g(on) {
    auto const vertices = static_cast<std::size_t>(g.host.num_vertices());
    auto const types = static_cast<std::size_t>(g.host.types.num_types());
    auto const in = static_cast<std::size_t>(inputs), to = static_cast<std::size_t>(outputs);
    x = random_array<float>(vertices * in, 1, g.stream);
    matrices = random_array<float>(types * in * to, 2, g.stream);
    adjoint = random_array<float>(vertices * to, 3, g.stream);
    out = make_array<float>(vertices * to, g.stream);
    grad_x = make_array<float>(vertices * in, g.stream);
    grad_matrices = make_array<float>(types * in * to, g.stream);
    a = {.x = x.data(),
         .norm = g.norm.data(),
         .matrices = matrices.data(),
         .adjoint = adjoint.data(),
         .out = out.data(),
         .grad_x = grad_x.data(),
         .grad_matrices = grad_matrices.data(),
         .vertices = g.host.num_vertices(),
         .edges = g.host.by_destination.num_edges(),
         .types = g.host.types.num_types(),
         .inputs = inputs,
         .outputs = outputs};
  }

  candidate make(std::string const& impl) {
    auto const memory = make_counted_memory();
    return {impl,
            [=, this]() -> launch_function {
              cuda const exec{.stream = g.stream, .memory = memory.get()};
              if (impl == "loop" || impl == "grouped") {
                auto const products = impl == "loop" ? typed_products::loop : typed_products::grouped;
                auto const model =
                    std::make_shared<typed_gemm_layer>(g.host.types, a, products, g.stream, memory.get());
                return [memory, model](cudaStream_t s) { model->run(s); };
              }
              bool const transforms = impl == "transform_first" || (impl == "chosen" && chooses_transform());
              pairs_at const& at = transforms ? g.by_source : g.by_destination;
              auto own = a;
              own.num_pairs = at.pairs.num_pairs();
              auto const size =
                  static_cast<std::size_t>(own.num_pairs) * static_cast<std::size_t>(transforms ? a.inputs : a.outputs);
              auto const arrays_of_pairs = std::make_shared<std::pair<device_buffer<float>, device_buffer<float>>>(
                  make_array<float>(size, g.stream, memory.get()), make_array<float>(size, g.stream, memory.get()));
              own.pairs = arrays_of_pairs->first.data();
              own.grad_pairs = arrays_of_pairs->second.data();
              auto const as_launch = [&](auto layer) -> launch_function {
                auto const held = std::make_shared<decltype(layer)>(std::move(layer));
                return [memory, arrays_of_pairs, held](cudaStream_t s) { (*held)(cuda{.stream = s}); };
              };
              if (transforms) {
                return as_launch(
                    typed_layer::make_transform_first(exec, at.edges(), at.members(), at.pairs.row_types(), own));
              }
              return as_launch(
                  typed_layer::make_aggregate_first(exec, at.edges(), at.members(), at.pairs.row_types(), own));
            },
            memory};
  }

  bool chooses_transform() const {
    typed_sizes const n{.source_pairs = g.by_source.pairs.num_pairs(),
                        .destination_pairs = g.by_destination.pairs.num_pairs(),
                        .edges = a.edges,
                        .inputs = a.inputs,
                        .outputs = a.outputs};
    return choose_type_order(n) == type_order::transform_first;
  }
  /// Compares output and gradients with those of the loop.
  verdict check(launch_function const& launch) {
    auto const run = [&](launch_function const& f) {
      std::vector<std::vector<float>> values;
      for (auto* to : {&out, &grad_x, &grad_matrices}) poison(*to, g.stream);
      f(g.stream);
      check_cuda(cudaGetLastError(), "check: launch");
      for (auto* from : {&out, &grad_x, &grad_matrices}) values.push_back(download(*from, 0, from->size(), g.stream));
      return values;
    };
    auto const right = run(make("loop").prepare());
    auto const found = run(launch);
    verdict result{true, 0};
    for (std::size_t k = 0; k < right.size(); ++k) {
      double largest = 1e-30;
      for (float const y : right[k]) largest = std::fmax(largest, std::fabs(y));
      for (std::size_t i = 0; i < right[k].size(); ++i) {
        double const off = std::fabs(double{found[k][i]} - right[k][i]) / largest;
        if (!(off < 1e-4)) result.passed = false;
        result.error = std::fmax(result.error, off);
      }
    }
    return result;
  }
};

struct session : device_session {
  using device_session::device_session;

  layer_case& arrays(std::string const& name, int inputs, int outputs) {
    if (!case_ || case_->host.name != name) {
      layer_.reset();
      case_ = std::make_unique<typed_case>(read_typed_graph(chosen.graph_directories, name), stream);
    }
    if (!layer_ || layer_->a.inputs != inputs || layer_->a.outputs != outputs) {
      layer_ = std::make_unique<layer_case>(*case_, inputs, outputs);
    }
    return *layer_;
  }

private:
  std::unique_ptr<typed_case> case_;
  std::unique_ptr<layer_case> layer_;
};

int run(int argc, char** argv) {
  session s(parse_options(argc, argv, description, {"step"}, {"f32"}));
  for (std::string const& name : s.chosen.graphs) {
    for (auto const& [inputs, outputs] : {std::pair{16, 16}, {64, 64}, {128, 16}, {16, 128}}) {
      for (std::string const impl : {"transform_first", "aggregate_first", "chosen", "loop", "grouped"}) {
        std::string const op = edgewise::detail::text("layer_", inputs, "_to");
        register_case(s, edgewise::detail::text(op, "/", name, "/", outputs, "/step/", impl),
                      [=, in = inputs, to = outputs, &s](benchmark::State& state) {
                        layer_case& c = s.arrays(name, in, to);
                        result r;
                        r.op = op;
                        r.graph = name;
                        r.channels = to;
                        r.dtype = "f32";
                        r.pass = "step";
                        r.impl = impl;
                        measure_fastest(state, s, r, {c.make(impl)},
                                        [&](launch_function const& f) { return c.check(f); });
                      });
      }
    }
  }
  return run_session(s, argv[0]);
}

}  // namespace
}  // namespace edgewise::bench

int main(int argc, char** argv) {
  return edgewise::bench::run_program("bench_typed_layer", argc, argv, edgewise::bench::run);
}
