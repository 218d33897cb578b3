// bench_degree_groups: what it brings to treat heavy rows apart, against the skewness of degrees, as table 5 of
// "IO-aware GNN layers" (2026) asks for graph transformer and GATv2. papers/README.md says what is left out.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "../edgewise_attention.cuh"
#include "../harness/device_session.cuh"
#include "../harness/program.hpp"

namespace edgewise::bench {
namespace {

constexpr char const* description =
    "Times graph transformer and GATv2 with rows never cut, cut at the quantiles 0.99 and 0.999 of the degrees "
    "(degree_aware)\nand as automatic cuts them; prints the skewness of in-degrees and the times of never cut over "
    "theirs. Every result\nis checked before it is timed. The table's shape: --shapes 4x512";

/// Third standardised moment of the in-degrees.
double skewness_of(host_grouping const& rows) {
  auto const n = static_cast<double>(std::max(rows.num_rows(), 1));
  double const mean = static_cast<double>(rows.num_edges()) / n;
  double second = 0, third = 0;
  for (std::int32_t r = 0; r < rows.num_rows(); ++r) {
    double const d = rows.offsets[r + 1] - rows.offsets[r] - mean;
    second += d * d / n;
    third += d * d * d / n;
  }
  return second > 0 ? third / std::pow(second, 1.5) : 0;
}

std::int64_t quantile_of(host_grouping const& rows, double q) {
  std::vector<double> degrees;
  for (std::int32_t r = 0; r < rows.num_rows(); ++r) degrees.push_back(rows.offsets[r + 1] - rows.offsets[r]);
  std::sort(degrees.begin(), degrees.end());
  // as degree_aware: not below the mean
  return std::max(static_cast<std::int64_t>(quantile(degrees, q)), rows.num_edges() / std::max(rows.num_rows(), 1) + 1);
}

/// How both groupings of a graph are split. One mapping with its policy pinned, so that kernels are compiled once.
schedule_policy<row_split> policy_of(host_graph const& g, std::string const& impl) {
  if (impl == "never cut") return {};
  double const q = impl == "quantile 0.99" ? 0.99 : 0.999;
  return {.by_destination = {.max_edges = quantile_of(g.by_destination, q)},
          .by_source = {.max_edges = quantile_of(g.by_source, q)}};
}

candidate variant_of(attention_case<float>& c, bool backward, std::string const& impl, cudaStream_t stream) {
  return with_attention(
      c, [&](auto const& program, auto const& in, auto const& y, auto const& dy, auto const&... grads) {
        device_graph const& g = c.graph();
        auto const kernel = fuse(edgewise::graph{g.csr(), g.csc()}, automatic{}, program);
        auto const policy = policy_of(g.host(), impl);
        bool const chooses = impl == "automatic";
        return plan_candidate(
            impl, [=](cuda const& exec) { return chooses ? kernel.plan(exec, in) : kernel.plan(exec, in, policy); }, in,
            y, dy, backward, stream, grads...);
      });
}

constexpr char const* impls[] = {"never cut", "quantile 0.99", "quantile 0.999", "automatic"};

void register_cases(device_session& s, std::string const& graph) {
  for (attention_form const form : {attention_form::transformer, attention_form::gatv2}) {
    for (std::string const& pass : s.chosen.passes) {
      for (row_shape const& shape : s.chosen.shapes) {
        for (std::string const impl : impls) {
          register_case(s,
                        edgewise::detail::text(form_name(form), "/", graph, "/", pass, "/heads:", shape.heads,
                                               "/channels:", shape.channels, "/", impl),
                        [=, &s](benchmark::State& state) {
                          bool const backward = pass == "backward";
                          attention_case<float> problem(s.graph(graph), {form, shape.heads, shape.channels}, s.stream);
                          result r;
                          r.graph = graph;
                          r.op = form_name(form);
                          r.heads = shape.heads;
                          r.channels = shape.channels;
                          r.dtype = "f32";
                          r.pass = pass;
                          r.impl = impl;
                          r.cost = attention_cost(problem, backward);
                          measure_fastest(state, s, r, {variant_of(problem, backward, impl, s.stream)},
                                          [&](launch_function const& f) {
                                            return problem.check(backward, f, impl == "never cut");
                                          });
                        });
        }
      }
    }
  }
}

/// The table: one line per graph, operation, pass and shape.
void print_speedups(device_session& s) {
  std::printf("\n%-13s %9s %-12s %-9s %6s", "graph", "skewness", "op", "pass", "shape");
  for (char const* impl : impls) std::printf(" %15s", impl);
  std::printf("\n");
  for (result const& base : s.rows) {
    if (base.impl != impls[0]) continue;
    std::printf("%-13s %9.1f %-12s %-9s %2dx%-4d", base.graph.c_str(),
                skewness_of(s.graph(base.graph).host().by_destination), base.op.c_str(), base.pass.c_str(), base.heads,
                base.channels);
    for (char const* impl : impls) {
      auto const found = std::find_if(s.rows.begin(), s.rows.end(), [&](result const& r) {
        return r.impl == impl && r.graph == base.graph && r.op == base.op && r.pass == base.pass &&
               r.heads == base.heads && r.channels == base.channels;
      });
      if (found == s.rows.end()) {
        std::printf(" %15s", "-");
      } else {
        std::printf(" %14.2fx", base.time.median_ms / found->time.median_ms);
      }
    }
    std::printf("\n");
  }
}

int run(int argc, char** argv) {
  device_session s(parse_options(argc, argv, description, {"forward", "backward"}, {"f32"}));
  for (std::string const& graph : s.chosen.graphs) register_cases(s, graph);
  int const status = run_session(s, argv[0]);
  print_speedups(s);
  return status;
}

}  // namespace
}  // namespace edgewise::bench

int main(int argc, char** argv) {
  return edgewise::bench::run_program("bench_degree_groups", argc, argv, edgewise::bench::run);
}
