// bench_scatter: the weighted sum and its gradients over edges that are not grouped, against the library's own gather
// over grouped edges and against cuSPARSE's COO product, all on the same arrays in the same run.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "baselines/cusparse_coo_spmm.cuh"
#include "baselines/cusparse_sddmm.cuh"
#include "edge_lists.cuh"
#include "edgewise_spmm.cuh"
#include "harness/device_session.cuh"
#include "harness/program.hpp"
#include "weighted_sum_case.cuh"

namespace {

using namespace edgewise::bench;

constexpr char const* description =
    "Times out[v,:] = sum_e weight[e] * feature[source of e,:] and its gradients over coordinate edges, in the order "
    "of\ntheir destinations and shuffled, against csr and csc and cuSPARSE's COO. Reports device time of one launch: "
    "many\nlaunches in one CUDA graph, median of the replays, warm L2. Every result is checked before it is timed.";

struct session : device_session {
  cusparse_handle cusparse;

  explicit session(options o) : device_session(std::move(o)) { where.peer = cusparse.version(); }

  edge_lists const& edges(std::string const& name) {
    device_graph const& g = graph(name);
    if (listed_ != name) {
      lists_.reset();
      lists_ = std::make_unique<edge_lists>(g, stream);
      listed_ = name;
    }
    return *lists_;
  }

private:
  std::string listed_;
  std::unique_ptr<edge_lists> lists_;
};

std::vector<candidate> candidates_of(session& s, std::string const& graph, weighted_sum_case<float>& problem, pass p,
                                     std::string const& impl) {
  edge_lists const& edges = s.edges(graph);
  if (impl == "edgewise_csr") return edgewise_weighted_sum(problem, p, s.stream);
  if (impl == "edgewise_coo") return edgewise_scattered_sum(problem, p, s.stream, edges.by_destination());
  if (impl == "edgewise_shuffled") return edgewise_scattered_sum(problem, p, s.stream, edges.shuffled());
  if (p == pass::grad_edge) return cusparse_edge_dot(s.cusparse, problem.edge_dot(), s.stream);  // it has csr alone
  return cusparse_coo_weighted_sum(s.cusparse, problem.product(p),
                                   p == pass::forward ? edges.destination_of_position() : edges.source_of_position(),
                                   s.stream);
}

int run(int argc, char** argv) {
  session s(parse_options(argc, argv, description, {"forward", "grad_source", "grad_edge"}, {"f32"}));
  for (std::string const& graph : s.chosen.graphs) {
    for (std::string const& name : s.chosen.passes) {
      for (int channels : s.chosen.channels) {
        for (std::string const impl : {"cusparse_coo", "edgewise_csr", "edgewise_coo", "edgewise_shuffled"}) {
          register_case(s, edgewise::detail::text("weighted_sum/", graph, "/", name, "/channels:", channels, "/", impl),
                        [=, &s, p = pass_from(name)](benchmark::State& state) {
                          weighted_sum_case<float> problem(s.graph(graph), channels, s.stream);
                          result r;
                          r.graph = graph;
                          r.op = "weighted_sum";
                          r.channels = channels;
                          r.dtype = "f32";
                          r.pass = name;
                          r.impl = impl;
                          r.cost = problem.cost(p);
                          measure_fastest(state, s, r, candidates_of(s, graph, problem, p, impl),
                                          [&](launch_function const& f) { return problem.check(p, f); });
                        });
        }
      }
    }
  }
  return run_session(s, argv[0]);
}

}  // namespace

int main(int argc, char** argv) { return edgewise::bench::run_program("bench_scatter", argc, argv, run); }
