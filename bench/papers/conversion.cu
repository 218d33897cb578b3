// bench_conversion: what it costs to group edges, and what grouped edges save, as fuseGNN's figure 11 (ICCAD 2020)
// asks: scatter over coo now, or convert first?
#include <cstdio>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <edgewise/edgewise.cuh>
#include <edgewise/format/regroup.cuh>

#include "../edge_lists.cuh"
#include "../edgewise_spmm.cuh"
#include "../harness/device_session.cuh"
#include "../harness/host_timing.hpp"
#include "../harness/program.hpp"
#include "../weighted_sum_case.cuh"

namespace edgewise::bench {
namespace {

constexpr char const* description =
    "Times the weighted sum, forward or with the gradient of the features (step), over edges in arbitrary order and in "
    "that\n"
    "of their destinations (coo), and over grouped edges, beside what grouping and the schedule take on the device. "
    "Prints\n"
    "after how many passes with the same edges grouping has paid. Every result is checked before it is timed.";

/// Groups edges, by source too where there is a gradient, and makes the schedules of a plan for the result: launches
/// alone.
launch_function conversion_of(weighted_sum_case<float>& problem, coo_view<> const& edges, bool has_gradient,
                              cudaStream_t stream) {
  cuda const exec{.stream = stream};
  auto const in = bindings(bind<feature>(wide(problem.features(), edges.source_count, problem.channels())),
                           bind<weight>(per_row(problem.weights(), edges.num_edges)));
  auto const memory = std::make_shared<regrouping<>>(
      exec, vertex_counts{.sources = edges.source_count, .destinations = edges.destination_count}, edges.num_edges);
  auto const plan_over = [&](auto const& g) {
    auto const kernel = fuse(g, automatic{}, weighted_sum_program);
    return std::make_shared<decltype(kernel.plan_for_capacity(exec, in))>(kernel.plan_for_capacity(exec, in));
  };
  if (!has_gradient) {
    auto const plan = plan_over(edgewise::graph{memory->csr()});
    return [=](cudaStream_t s) { plan->rebuild({.stream = s}, edgewise::graph{memory->to_csr({.stream = s}, edges)}); };
  }
  auto const plan = plan_over(edgewise::graph{memory->csr(), memory->csc()});
  return [=](cudaStream_t s) {
    cuda const on{.stream = s};
    plan->rebuild(on, edgewise::graph{memory->to_csr(on, edges), memory->to_csc(on, edges)});
  };
}

/// Making a plan for grouped edges, until the device is done with it: what `automatic` reads, the schedules, workspace.
template <class Graph>
timing planning_time(weighted_sum_case<float>& problem, Graph const& graph, cudaStream_t stream) {
  auto const in = bindings(bind<feature>(wide(problem.features(), problem.graph().num_sources(), problem.channels())),
                           bind<weight>(per_row(problem.weights(), problem.graph().num_edges())));
  auto const kernel = fuse(graph, automatic{}, weighted_sum_program);
  return time_on_host(
      [&] {
        auto const plan = kernel.plan(cuda{.stream = stream}, in);
        check_cuda(cudaStreamSynchronize(stream), "plan: wait");
      },
      0.05, 15);
}

/// Runs forward, or forward and the gradient of the features.
template <class Graph, class Mapping>
launch_function pass_over(weighted_sum_case<float>& problem, Graph const& graph, Mapping const& mapping,
                          bool has_gradient, cudaStream_t stream) {
  launch_function const forward =
      detail::weighted_sum_candidate("", problem, pass::forward, stream, graph, mapping).prepare();
  if (!has_gradient) return forward;
  launch_function const backward =
      detail::weighted_sum_candidate("", problem, pass::grad_source, stream, graph, mapping).prepare();
  return [=](cudaStream_t s) {
    forward(s);
    backward(s);
  };
}

result case_of(std::string const& graph, int channels, bool has_gradient, std::string const& impl) {
  result r;
  r.graph = graph;
  r.op = "weighted_sum";
  r.channels = channels;
  r.dtype = "f32";
  r.pass = has_gradient ? "step" : "forward";
  r.impl = impl;
  return r;
}

void measure(device_session& s, std::string const& name, int channels, bool has_gradient) {
  device_graph const& g = s.graph(name);
  edge_lists const lists(g, s.stream);
  weighted_sum_case<float> problem(g, channels, s.stream);
  auto const time = [&](std::string const& impl, launch_function const& launch, bool is_pass) {
    result r = case_of(name, channels, has_gradient, impl);
    r.cost = problem.cost(pass::forward);
    r.bounds = s.bounds(r.cost);
    if (is_pass) {
      verdict const v = problem.check(has_gradient ? pass::grad_source : pass::forward, launch);
      r.error = v.error;
      if (!v.passed) {
        std::cerr << name << ' ' << impl << ": wrong result\n";
        s.failed = true;
      }
    }
    r.time = time_in_graph(s.stream, launch, {.warm_replays = 2, .replays = 9});
    s.rows.push_back(r);
    return r.time.median_ms;
  };
  double const convert = time("conversion", conversion_of(problem, lists.shuffled(), has_gradient, s.stream), false);
  result plan = case_of(name, channels, has_gradient, "plan, host time");
  plan.time = has_gradient ? planning_time(problem, edgewise::graph{g.csr(), g.csc()}, s.stream)
                           : planning_time(problem, edgewise::graph{g.csr()}, s.stream);
  s.rows.push_back(plan);
  double const grouped =
      time("csr", pass_over(problem, edgewise::graph{g.csr(), g.csc()}, automatic{}, has_gradient, s.stream), true);
  double const ordered =
      time("coo", pass_over(problem, edgewise::graph{lists.by_destination()}, edge_balanced{}, has_gradient, s.stream),
           true);
  double const shuffled =
      time("coo_shuffled",
           pass_over(problem, edgewise::graph{lists.shuffled()}, edge_balanced{}, has_gradient, s.stream), true);
  auto const break_even = [&](double scattered) {
    return scattered > grouped ? convert / (scattered - grouped) : std::numeric_limits<double>::infinity();
  };
  std::printf(
      "%-9s %-8s channels %-4d conversion %8.4f  plan %7.4f  csr %8.4f  coo %8.4f  coo_shuffled %8.4f ms; pays after "
      "%.2f "
      "and %.2f "
      "passes\n",
      name.c_str(), has_gradient ? "step" : "forward", channels, convert, plan.time.median_ms, grouped, ordered,
      shuffled, break_even(ordered), break_even(shuffled));
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  options chosen = parse_options(argc, argv, description, {"forward", "step"}, {"f32"});
  device_session s(std::move(chosen));
  for (std::string const& graph : s.chosen.graphs) {
    for (std::string const& pass : s.chosen.passes) {
      for (int const channels : s.chosen.channels) measure(s, graph, channels, pass == "step");
    }
    if (!s.chosen.out.empty()) write_results(s.chosen.out, s.where, s.rows);
  }
  return s.failed ? 1 : 0;
}

}  // namespace
}  // namespace edgewise::bench

int main(int argc, char** argv) {
  return edgewise::bench::run_program("bench_conversion", argc, argv, edgewise::bench::run);
}
