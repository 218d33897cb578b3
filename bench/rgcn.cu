// bench_rgcn: forward and backward of a two-layer R-GCN (Schlichtkrull et al. 2018) beside dense products by type.
#include <memory>
#include <string>

#include "baselines/typed_gemm_rgcn.cuh"
#include "harness/device_session.cuh"
#include "harness/program.hpp"
#include "rgcn_case.cuh"

namespace edgewise::bench {
namespace {

constexpr char const* description =
    "Times forward and backward of a two-layer R-GCN with one-hot features and 16 hidden channels, without loss and\n"
    "optimizer: each layer one program (edgewise), and with tensors of edges and cuBLAS, one product a type (loop) or\n"
    "all in one call (grouped). Graphs: folders with edge_type.npy, such as aifb and mutag, and bgs_like, which is\n"
    "generated. Every element of output and gradients is checked against the CPU engine in double before it is timed.";

/// A graph's arrays stay until another graph is asked for.
struct session : device_session {
  using device_session::device_session;

  rgcn_case& arrays(std::string const& name) {
    if (!host_ || host_->name != name) {
      arrays_.reset();
      host_ = std::make_unique<host_typed_graph>(read_typed_graph(chosen.graph_directories, name));
      arrays_ = std::make_unique<rgcn_case>(*host_, stream);
    }
    return *arrays_;
  }

private:
  std::unique_ptr<host_typed_graph> host_;
  std::unique_ptr<rgcn_case> arrays_;
};

int run(int argc, char** argv) {
  session s(parse_options(argc, argv, description, {"step"}, {"f32"}));
  for (std::string const& graph : s.chosen.graphs) {
    for (std::string const impl : {"edgewise", "loop", "grouped"}) {
      register_case(s, edgewise::detail::text("rgcn/", graph, "/step/", impl), [=, &s](benchmark::State& state) {
        rgcn_case& c = s.arrays(graph);
        result r;
        r.op = "rgcn";
        r.graph = graph;
        r.channels = rgcn::hidden;
        r.dtype = "f32";
        r.pass = "step";
        r.impl = impl;
        auto const candidate = impl == "edgewise" ? c.edgewise_candidate()
                                                  : typed_gemm_candidate(c, impl == "loop" ? typed_products::loop
                                                                                           : typed_products::grouped);
        measure_fastest(state, s, r, {candidate}, [&](launch_function const& f) { return c.check(f); });
      });
    }
  }
  return run_session(s, argv[0]);
}

}  // namespace
}  // namespace edgewise::bench

int main(int argc, char** argv) { return edgewise::bench::run_program("bench_rgcn", argc, argv, edgewise::bench::run); }
