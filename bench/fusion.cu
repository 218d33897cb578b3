// bench_fusion: programs fused into one kernel against the same operator by operator, with tensors of edges between:
// time, memory, and under the profiler the bytes that each moves (bench/profile.py).
#include <string>

#include "edgewise_attention.cuh"
#include "edgewise_extremum.cuh"
#include "edgewise_spmm.cuh"
#include "harness/device_session.cuh"
#include "harness/program.hpp"
#include "unfused.cuh"

namespace {

using namespace edgewise::bench;

constexpr char const* description =
    "Times the weighted sum, its gradient of the features and the maximum (--channels), and GAT, GATv2 and the\n"
    "graph transformer (--shapes), forward: fused, and unfused, operator by operator with tensors of edges between\n"
    "them. The 24 cells of docs/performance.md: --names arxiv,products,roads,dense --channels 64 --shapes 4x64.\n"
    "Reports device time of one launch: many launches in one CUDA graph, median of the replays, warm L2. Every\n"
    "result is checked before it is timed.";

/// A row of the file that names the case.
result name_case(char const* op, std::string const& graph, row_shape shape, char const* pass, std::string const& impl) {
  result r;
  r.op = op;
  r.graph = graph;
  r.heads = shape.heads;
  r.channels = shape.channels;
  r.dtype = "f32";
  r.pass = pass;
  r.impl = impl;
  return r;
}

void measure_sum(benchmark::State& state, device_session& s, result r, pass p) {
  weighted_sum_case<float> problem(s.graph(r.graph), r.channels, s.stream);
  r.cost = problem.cost(p);
  measure_fastest(state, s, r,
                  r.impl == "fused" ? edgewise_weighted_sum(problem, p, s.stream)
                                    : std::vector<candidate>{unfused_weighted_sum(problem, p, s.stream)},
                  [&](launch_function const& f) { return problem.check(p, f); });
}

void measure_maximum(benchmark::State& state, device_session& s, result r) {
  extremum_case<float> problem(s.graph(r.graph), r.channels, s.stream);
  r.cost = maximum_cost(problem, false);
  measure_fastest(state, s, r,
                  {r.impl == "fused" ? edgewise_maximum(problem, false, s.stream) : unfused_maximum(problem, s.stream)},
                  [&](launch_function const& f) { return problem.check(false, f); });
}

void measure_attention(benchmark::State& state, device_session& s, result r, attention_form form) {
  attention_case<float> problem(s.graph(r.graph), {form, r.heads, r.channels}, s.stream);
  r.cost = attention_cost(problem, false);
  measure_fastest(state, s, r,
                  r.impl == "fused" ? edgewise_attention(problem, false, s.stream)
                                    : std::vector<candidate>{unfused_attention(problem, s.stream)},
                  [&](launch_function const& f) { return problem.check(false, f); });
}

int run(int argc, char** argv) {
  device_session s(parse_options(argc, argv, description, {"forward", "grad_source"}, {"f32"}));
  auto const add = [&](result const& r, auto const& measure) {
    register_case(s,
                  edgewise::detail::text(r.op, "/", r.graph, "/", r.pass, "/", r.heads, "x", r.channels, "/", r.impl),
                  [=, &s](benchmark::State& state) { measure(state, s, r); });
  };
  auto const add_both = [&](char const* op, std::string const& graph, row_shape shape, char const* pass_of,
                            auto const& measure) {
    for (std::string const impl : {"unfused", "fused"}) add(name_case(op, graph, shape, pass_of, impl), measure);
  };
  for (std::string const& graph : s.chosen.graphs) {
    for (std::string const& name : s.chosen.passes) {
      pass const p = pass_from(name);
      for (int channels : s.chosen.channels) {
        add_both("weighted_sum", graph, {1, channels}, pass_name(p),
                 [p](auto& state, auto& session, auto const& r) { measure_sum(state, session, r, p); });
        if (p == pass::forward) add_both("max", graph, {1, channels}, pass_name(p), measure_maximum);
      }
      if (p != pass::forward) continue;
      for (row_shape const& shape : s.chosen.shapes) {
        for (attention_form form : {attention_form::gat, attention_form::gatv2, attention_form::transformer}) {
          add_both(form_name(form), graph, shape, pass_name(p),
                   [form](auto& state, auto& session, auto const& r) { measure_attention(state, session, r, form); });
        }
      }
    }
  }
  return run_session(s, argv[0]);
}

}  // namespace

int main(int argc, char** argv) { return edgewise::bench::run_program("bench_fusion", argc, argv, run); }
