// bench_cpu_attention: graph transformer, GAT and GATv2 on the host, forward and backward (all gradients). Their peers
// are timed by peers/torch_peers.py --device cpu.
#include <algorithm>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "attention_forms.hpp"
#include "cpu_attention_case.hpp"
#include "harness/host_copy.hpp"
#include "harness/host_timing.hpp"
#include "harness/options.hpp"
#include "harness/program.hpp"
#include "harness/result.hpp"

namespace {

using namespace edgewise::bench;

constexpr char const* description =
    "Times out[v,h,:] = sum_e softmax(score_e)[h] * value[source of e,h,:] and all its gradients for three scores on "
    "the host: wall clock,\nmedian, each result checked before it is timed. Pin the threads: OMP_PROC_BIND=close "
    "OMP_PLACES=cores.";

struct session {
  options chosen;
  environment where;
  std::vector<result> rows;
  bool failed = false;
};

void measure(session& s, host_graph const& graph, attention_shape shape, std::string const& pass) {
  bool const backward = pass == "backward";
  host_attention problem(graph, shape);
  edgewise::cpu const exec{.threads = s.where.cpu_threads};
  result r;
  r.graph = graph.name;
  r.op = form_name(shape.form);
  r.heads = shape.heads;
  r.channels = shape.channels;
  r.dtype = "f32";
  r.pass = pass;
  r.impl = "edgewise";
  with_attention(
      problem, [&](auto const& program, auto const& in, auto const& y, auto const& dy, auto const&... grads) {
        host_views const& g = problem.graph();
        auto const kernel = edgewise::fuse(edgewise::graph{g.csr(), g.csc()}, edgewise::automatic{}, program);
        auto const plan = kernel.plan(exec, in);
        auto saved = plan.make_saved(exec);
        plan.forward(exec, in, edgewise::out(y), saved);
        auto const run = [&] {
          if (backward) {
            plan.backward(exec, in, saved, edgewise::grad_out(dy), grads...);
          } else {
            plan.forward(exec, in, edgewise::out(y));
          }
        };
        run();
        error_meter const checked = problem.check(backward);
        if (!checked.passed()) {
          std::cerr << graph.name << ' ' << r.op << ' ' << shape.heads << " x " << shape.channels << ' ' << pass
                    << ": wrong result, error " << checked.worst_error() << '\n';
          s.failed = true;
          return;
        }
        r.cost = backward ? kernel.backward_cost(in, edgewise::grad_out(dy), grads...)
                          : kernel.forward_cost(in, edgewise::out(y));
        r.error = checked.worst_error();
        r.time = time_on_host(run, 0.5);
        r.bounds = bounds_of(r.cost, {.copy_bandwidth = s.where.copy_bandwidth, .flops = 0, .gather = {}});
        s.rows.push_back(r);
      });
}

int run(int argc, char** argv) {
  session s;
  s.chosen = parse_options(argc, argv, description, {"forward", "backward"}, {"f32"});
  s.where = host_environment(s.chosen.revision);
  s.where.cpu_threads =
      s.chosen.threads > 0 ? s.chosen.threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  s.where.copy_bandwidth = copy_bandwidth_on_host(s.where.cpu_threads);
  for (std::string const& name : s.chosen.graphs) {
    host_graph const graph = read_graph(s.chosen.graph_directories, name);
    for (attention_form form : {attention_form::transformer, attention_form::gat, attention_form::gatv2}) {
      for (std::string const& pass : s.chosen.passes) {
        for (row_shape const& shape : s.chosen.shapes) measure(s, graph, {form, shape.heads, shape.channels}, pass);
      }
    }
  }
  std::cout << s.where.cpu << ", " << s.where.cpu_threads << " threads, copy " << s.where.copy_bandwidth * 1e-9
            << " GB/s, revision " << s.where.revision << '\n';
  print_table(std::cout, s.rows);
  if (!s.chosen.out.empty()) write_results(s.chosen.out, s.where, s.rows);
  return s.failed ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) { return edgewise::bench::run_program("bench_cpu_attention", argc, argv, run); }
