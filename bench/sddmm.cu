// bench_sddmm: values of edges from their endpoints, forward and backward, beside cuSPARSE where it has the operation:
// the dot product (SDDMM), and its gradients as products by rows (SpMM). Sums of endpoints have no peer there.
#include <string>
#include <type_traits>
#include <vector>

#include "baselines/cusparse_sddmm.cuh"
#include "baselines/cusparse_spmm.cuh"
#include "edge_output_case.cuh"
#include "edgewise_program.cuh"
#include "harness/device_session.cuh"
#include "harness/program.hpp"

namespace {

using namespace edgewise::bench;

constexpr char const* description =
    "Times out[e] = dot(left[destination of e,:], right[source of e,:]) and out[e,:] = left + right, and the gradient "
    "of "
    "each\noperand. Reports device time of one launch: many launches in one CUDA graph, median of the replays, warm "
    "L2. "
    "Every\nresult is checked before it is timed. Cases whose arrays exceed 70 % of the device's memory are left out.";

struct left;
struct right;
constexpr auto dot_program = edgewise::scatter(edgewise::dot(edgewise::dst<left>, edgewise::src<right>));
constexpr auto add_program = edgewise::scatter(edgewise::dst<left> + edgewise::src<right>);

struct session : device_session {
  cusparse_handle cusparse;

  explicit session(options o) : device_session(std::move(o)) { where.peer = cusparse.version(); }
};

/// Calls f(program, bindings, output, its adjoint, gradient) for the operation and pass of `c`.
template <class T, class F>
auto with_program(edge_output_case<T>& c, edge_pass p, F const& f) {
  namespace ew = edgewise;
  device_graph const& g = c.graph();
  auto const in = ew::bindings(ew::bind<left>(ew::wide(c.left(), g.num_destinations(), c.channels())),
                               ew::bind<right>(ew::wide(c.right(), g.num_sources(), c.channels())));
  auto const call = [&](auto const& program, auto const& y, auto const& dy) {
    if (p == edge_pass::grad_right) {
      return f(program, in, y, dy, ew::grad<right>(ew::wide(c.right_grad.data(), g.num_sources(), c.channels())));
    }
    return f(program, in, y, dy, ew::grad<left>(ew::wide(c.left_grad.data(), g.num_destinations(), c.channels())));
  };
  if (c.op() == edge_op::dot) {
    return call(dot_program, ew::per_head(c.out.data(), g.num_edges(), 1),
                ew::per_head(c.out_grad(), g.num_edges(), 1));
  }
  return call(add_program, ew::wide(c.out.data(), g.num_edges(), c.channels()),
              ew::wide(c.out_grad(), g.num_edges(), c.channels()));
}

template <class T>
edgewise::plan_cost cost_of(edge_output_case<T>& c, edge_pass p) {
  return with_program(c, p,
                      [&](auto const& program, auto const& in, auto const& y, auto const& dy, auto const& gradient) {
                        return program_cost(c.graph(), program, in, y, dy, p != edge_pass::forward, gradient);
                      });
}

template <class T>
std::vector<candidate> candidates_of(session& s, edge_output_case<T>& c, edge_pass p, std::string const& impl) {
  if (impl == "cusparse") {
    return p == edge_pass::forward ? cusparse_edge_dot(s.cusparse, c.dot_operands(), s.stream)
                                   : cusparse_weighted_sum(s.cusparse, c.product(p), s.stream);
  }
  return with_program(
      c, p, [&](auto const& program, auto const& in, auto const& y, auto const& dy, auto const& gradient) {
        return std::vector<candidate>{
            program_candidate(c.graph(), program, in, y, dy, p != edge_pass::forward, s.stream, gradient)};
      });
}

/// Inner products by tiles of so many channels, with what `automatic` decides besides.
template <class T>
std::vector<candidate> contracted_candidates(session& s, edge_output_case<T>& c, int dot_tile) {
  return with_program(c, edge_pass::forward,
                      [&](auto const& program, auto const& in, auto const& y, auto const& dy, auto const& gradient) {
                        device_graph const& g = c.graph();
                        auto const kernel = fuse(edgewise::graph{g.csr(), g.csc()}, edgewise::automatic{}, program);
                        auto const make_plan = [=](edgewise::cuda const& exec) {
                          auto policy = kernel.plan(exec, in).policy();
                          policy.by_destination.dot_tile = dot_tile;
                          return kernel.plan(exec, in, policy);
                        };
                        return std::vector<candidate>{plan_candidate(edgewise::detail::text("dot_tile ", dot_tile),
                                                                     make_plan, in, y, dy, false, s.stream, gradient)};
                      });
}

template <class T>
void measure(benchmark::State& state, session& s, std::string const& graph, edge_op op, int channels,
             std::string const& pass, std::string const& impl, int dot_tile) {
  edge_pass const p = edge_pass_from(pass);
  device_graph const& g = s.graph(graph);
  double const bytes = edge_output_case<T>::bytes(g, op, channels);
  if (bytes > 0.7 * s.where.gpu_memory_bytes) {
    std::string const reason = edgewise::detail::text("left out: its arrays take ", bytes * 1e-9, " GB");
    state.SkipWithError(reason.c_str());
    return;
  }
  edge_output_case<T> problem(g, op, channels, s.stream);
  result r;
  r.graph = graph;
  r.op = edge_op_name(op);
  r.channels = channels;
  r.dtype = element<T>::name;
  r.pass = pass;
  r.impl = impl;
  r.cost = cost_of(problem, p);
  auto const candidates = [&] {
    if constexpr (std::is_same_v<T, float>) {
      if (dot_tile > 0) return contracted_candidates(s, problem, dot_tile);
    }
    return candidates_of(s, problem, p, impl);
  }();
  measure_fastest(state, s, r, candidates, [&](launch_function const& f) { return problem.check(p, f); });
}

template <class T>
void register_cases(session& s, std::string const& graph) {
  for (edge_op op : {edge_op::dot, edge_op::add}) {
    for (std::string const& pass : s.chosen.passes) {
      for (int channels : s.chosen.channels) {
        auto const add = [&](std::string const& impl, int dot_tile = 0) {
          register_case(
              s,
              edgewise::detail::text(edge_op_name(op), "/", graph, "/", pass, "/", element<T>::name,
                                     "/channels:", channels, "/", impl),
              [=, &s](benchmark::State& state) { measure<T>(state, s, graph, op, channels, pass, impl, dot_tile); });
        };
        if (op == edge_op::dot) add("cusparse");
        add("edgewise");
        bool const sums = op == edge_op::dot && edge_pass_from(pass) == edge_pass::forward;
        for (int dot_tile : {64, 128}) {  // of products that are stored as they are summed, of aligned rows
          if (sums && std::is_same_v<T, float> && channels > dot_tile && channels % 4 == 0) {
            add(edgewise::detail::text("edgewise_dot_tile_", dot_tile), dot_tile);
          }
        }
      }
    }
  }
}

int run(int argc, char** argv) {
  session s(parse_options(argc, argv, description, {"forward", "grad_left", "grad_right"}, {"f32", "f16", "bf16"}));
  for_each_graph_and_type(
      s.chosen, [&]<class T>(std::string const& graph, edgewise::type_tag<T>) { register_cases<T>(s, graph); });
  return run_session(s, argv[0]);
}

}  // namespace

int main(int argc, char** argv) { return edgewise::bench::run_program("bench_sddmm", argc, argv, run); }
