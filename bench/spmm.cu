// bench_spmm: the weighted sum, forward and backward, against cuSPARSE's fastest algorithm on the same arrays.

#include "baselines/cusparse_sddmm.cuh"
#include "baselines/cusparse_spmm.cuh"
#include "harness/device_session.cuh"
#include "harness/program.hpp"
#include "weighted_sum_case.cuh"
#if defined(EDGEWISE_BENCH_WITH_EDGEWISE) && !__has_include(<edgewise/edgewise.cuh>)
#undef EDGEWISE_BENCH_WITH_EDGEWISE  // no library, no column
#endif
#ifdef EDGEWISE_BENCH_WITH_EDGEWISE
#include "edgewise_spmm.cuh"
#include "edgewise_vendor_spmm.cuh"
#endif

namespace {

using namespace edgewise::bench;

constexpr char const* description =
    "Times out[v,:] = sum_e weight[e] * feature[source of e,:] and its gradients. Reports device time of one launch:\n"
    "many launches in one CUDA graph, median of the replays, warm L2. Every result is checked before it is timed.";

struct session : device_session {
  cusparse_handle cusparse;

  explicit session(options o) : device_session(std::move(o)) { where.peer = cusparse.version(); }
};

template <class T>
std::vector<candidate> cusparse_candidates(session& s, weighted_sum_case<T>& problem, pass p) {
  return p == pass::grad_edge ? cusparse_edge_dot(s.cusparse, problem.edge_dot(), s.stream)
                              : cusparse_weighted_sum(s.cusparse, problem.product(p), s.stream);
}

template <class T, class MakeCandidates>
void measure(benchmark::State& state, session& s, std::string const& name, int channels, pass p,
             std::string const& impl, MakeCandidates make_candidates) {
  weighted_sum_case<T> problem(s.graph(name), channels, s.stream, s.chosen.row_multiple);
  result r;
  r.graph = name;
  r.op = "weighted_sum";
  r.channels = channels;
  if (problem.row_stride() != channels) r.row_stride = problem.row_stride();
  r.dtype = element<T>::name;
  r.pass = pass_name(p);
  r.impl = impl;
  r.cost = problem.cost(p);
  measure_fastest(state, s, r, make_candidates(problem), [&](launch_function const& f) { return problem.check(p, f); });
}

template <class T>
void register_cases(session& s, std::string const& graph) {
  auto add = [&](int channels, pass p, char const* impl, auto make_candidates) {
    std::string const title = edgewise::detail::text("weighted_sum/", graph, "/", pass_name(p), "/", element<T>::name,
                                                     "/channels:", channels, "/", impl);
    std::string const label = impl;
    register_case(s, title, [=, &s](benchmark::State& state) {
      measure<T>(state, s, graph, channels, p, label, make_candidates);
    });
  };
  for (std::string const& name : s.chosen.passes) {
    pass const p = pass_from(name);
    for (int channels : s.chosen.channels) {
      add(channels, p, "cusparse", [p, &s](auto& problem) { return cusparse_candidates(s, problem, p); });
#ifdef EDGEWISE_BENCH_WITH_EDGEWISE
      add(channels, p, "edgewise", [p, &s](auto& problem) { return edgewise_weighted_sum(problem, p, s.stream); });
      if constexpr (std::is_same_v<T, float>) {
        if (p != pass::grad_edge) {
          add(channels, p, "edgewise_vendor",
              [p, &s](auto& problem) { return vendor_weighted_sum(problem, p, s.stream); });
        }
      }
      if (p == pass::grad_source) {  // with its weights in place, as cuSPARSE has them
        add(channels, p, "edgewise_transposed",
            [&s](auto& problem) { return edgewise_transposed_sum(problem, s.stream); });
        add(channels, p, "edgewise_constant",
            [p, &s](auto& problem) { return edgewise_constant_sum(problem, p, s.stream); });
      }
#endif
    }
  }
}

int run(int argc, char** argv) {
  session s(parse_options(argc, argv, description, {"forward", "grad_source", "grad_edge"}, {"f32", "f16", "bf16"}));
  for_each_graph_and_type(
      s.chosen, [&]<class T>(std::string const& graph, edgewise::type_tag<T>) { register_cases<T>(s, graph); });
  return run_session(s, argv[0]);
}

}  // namespace

int main(int argc, char** argv) { return edgewise::bench::run_program("bench_spmm", argc, argv, run); }
