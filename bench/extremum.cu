// bench_extremum: the largest element of each channel over neighbors with its argument, forward and backward. Peers are
// compared with by tables.py --recorded: their times were taken in other programs.
#include <string>

#include <edgewise/core/float16.hpp>

#include "edgewise_extremum.cuh"
#include "harness/device_session.cuh"
#include "harness/program.hpp"

namespace {

using namespace edgewise::bench;

constexpr char const* description =
    "Times out[v,:] = max_e feature[source of e,:], with the argument kept, and the gradient of feature. Reports "
    "device\n"
    "time of one launch: many launches in one CUDA graph, median of the replays, warm L2. Every result is checked "
    "before\n"
    "it is timed.";

template <class T, class MakeCandidate>
void measure(benchmark::State& state, device_session& s, std::string const& graph, int channels,
             std::string const& pass, std::string const& impl, MakeCandidate make_candidate) {
  extremum_case<T> problem(s.graph(graph), channels, s.stream);
  bool const backward = pass == "backward";
  result r;
  r.graph = graph;
  r.op = "max";
  r.channels = channels;
  r.dtype = element<T>::name;
  r.pass = pass;
  r.impl = impl;
  r.cost = maximum_cost(problem, backward);
  measure_fastest(state, s, r, {make_candidate(problem, backward)},
                  [&](launch_function const& f) { return problem.check(backward, f); });
}

template <class T>
void register_cases(device_session& s, std::string const& graph) {
  auto const add = [&](int channels, std::string const& pass, std::string const& impl, auto make_candidate) {
    register_case(
        s, edgewise::detail::text("max/", graph, "/", pass, "/", element<T>::name, "/channels:", channels, "/", impl),
        [=, &s](benchmark::State& state) { measure<T>(state, s, graph, channels, pass, impl, make_candidate); });
  };
  for (std::string const& pass : s.chosen.passes) {
    for (int channels : s.chosen.channels) {
      add(channels, pass, "edgewise",
          [&s](extremum_case<T>& c, bool backward) { return edgewise_maximum(c, backward, s.stream); });
      if (pass == "backward" && std::is_same_v<T, float>) {
        add(channels, pass, "edgewise_atomic", [&s](extremum_case<T>& c, bool backward) {
          return edgewise_maximum(c, backward, s.stream, edgewise::nondeterministic{});
        });
      }
    }
  }
}

int run(int argc, char** argv) {
  device_session s(parse_options(argc, argv, description, {"forward", "backward"}, {"f32", "f16", "bf16"}));
  for_each_graph_and_type(
      s.chosen, [&]<class T>(std::string const& graph, edgewise::type_tag<T>) { register_cases<T>(s, graph); });
  return run_session(s, argv[0]);
}

}  // namespace

int main(int argc, char** argv) { return edgewise::bench::run_program("bench_extremum", argc, argv, run); }
