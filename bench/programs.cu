// bench_programs: what has no peer beside it, each next to its plainest relative in the same run.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "edgewise_program.cuh"
#include "harness/device_session.cuh"
#include "harness/program.hpp"
#include "program_case.cuh"

namespace edgewise::bench {
namespace {

constexpr char const* description =
    "Times programs of 64 channels known at compile time, forward and the gradient of the features, next to their\n"
    "relatives: other aggregations, factors of vertices, self edges, dropout, four aggregations in one traversal,\n"
    "weights of attention, sums of rows in messages, two hops, both gradients over coo, maxima over coo. Device time "
    "of one launch: many launches in one\n"
    "CUDA graph, median of the replays, warm L2. Every element of a result is checked before it is timed.";

using extents = static_extents<1, program_channels>;

std::size_t elements(std::int32_t rows, int parts = 1) {
  return static_cast<std::size_t>(rows) * parts * program_channels;
}
auto groupings(program_case const& c) { return graph{c.graph().csr(), c.graph().csc()}; }

/// A pass of a program, made with `option` of fuse.
template <class Named, class... Option>
candidate pass_of(program_case& c, bool backward, Option... option) {
  auto const kernel = fuse(groupings(c), automatic{}, Named::program, option...);
  return kernel_candidate(Named::name, kernel, Named::bind(c.operands()), c.out_view(1), c.adjoint_view(), backward,
                          c.stream(), grad<feature>(c.feature_grad_view()));
}
template <class Named>
verdict check_pass(program_case& c, bool backward, launch_function const& launch) {
  auto& actual = backward ? c.feature_grad : c.out;
  std::size_t const size = elements(backward ? c.graph().num_sources() : c.graph().num_destinations());
  return c.check(actual, size, launch, [&](auto const& operands, double const* adjoint, double* expected) {
    run_on_host<Named>(c.graph().host(), operands, 1, backward, adjoint, expected);
  });
}

/// PNA's four aggregations in one traversal, or one after the other.
candidate four_at_once(program_case& c) {
  auto const kernel = fuse(groupings(c), automatic{}, four_program::program, extents{});
  return kernel_candidate("concat", kernel, four_program::bind(c.operands()), c.out_view(4), c.adjoint_view(), false,
                          c.stream());
}
template <class Named>
launch_function part_of_four(program_case& c, int part, counted_memory const& memory) {
  auto const y = c.part_of_out(part, 4);
  auto const kernel = fuse(groupings(c), automatic{}, Named::program, extents{});
  auto const in = Named::bind(c.operands());
  cuda const exec{.stream = c.stream(), .memory = memory.get()};
  // std::function copies; the plan has one owner
  auto plan = std::make_shared<decltype(kernel.plan(exec, in))>(kernel.plan(exec, in));
  return [memory, plan, in, y](cudaStream_t s) { plan->forward(cuda{.stream = s}, in, out(y)); };
}
candidate four_apart(program_case& c) {
  auto const memory = make_counted_memory();
  return {"apart",
          [=, &c]() -> launch_function {
            std::vector<launch_function> const parts{
                part_of_four<mean_program>(c, 0, memory), part_of_four<max_program>(c, 1, memory),
                part_of_four<min_program>(c, 2, memory), part_of_four<stddev_program>(c, 3, memory)};
            return [parts](cudaStream_t s) {
              for (launch_function const& part : parts) part(s);
            };
          },
          memory};
}
verdict check_four(program_case& c, launch_function const& launch) {
  return c.check(c.out, elements(c.graph().num_destinations(), 4), launch,
                 [&](auto const& operands, double const* adjoint, double* expected) {
                   run_on_host<four_program>(c.graph().host(), operands, 4, false, adjoint, expected);
                 });
}

/// The weights of attention, after a forward pass that saved its normalizers.
candidate attention_weights(program_case& c) {
  auto const memory = make_counted_memory();
  return {"attention_weights",
          [=, &c]() -> launch_function {
            cuda const exec{.stream = c.stream(), .memory = memory.get()};
            auto const in = attention_program::bind(c.operands());
            auto const kernel = fuse(groupings(c), automatic{}, attention_program::program, extents{});
            auto plan = std::make_shared<decltype(kernel.plan(exec, in))>(kernel.plan(exec, in));
            auto saved = std::make_shared<decltype(plan->make_saved(exec))>(plan->make_saved(exec));
            plan->forward(exec, in, out(c.out_view(1)), *saved);
            auto const weights = per_head(c.edge_values.data(), c.graph().num_edges(), 1);
            return [memory, plan, saved, in, weights](cudaStream_t s) {
              plan->attention_weights(cuda{.stream = s}, in, *saved, out(weights));
            };
          },
          memory};
}
verdict check_attention_weights(program_case& c, launch_function const& launch) {
  return c.check(c.edge_values, static_cast<std::size_t>(c.graph().num_edges()), launch,
                 [&](auto const& operands, double const*, double* expected) {
                   attention_weights_on_host(c.graph().host(), operands, expected);
                 });
}

/// Both gradients of a weighted sum over coo, by one backward pass or one each.
candidate gradients_over_coo(program_case& c, bool joint) {
  auto const memory = make_counted_memory();
  return {joint ? "joint" : "apart",
          [=, &c]() -> launch_function {
            cuda const exec{.stream = c.stream(), .memory = memory.get()};
            auto const in = weighted_program::bind(c.operands());
            auto const kernel =
                fuse(graph{c.edges().by_destination()}, edge_balanced{}, weighted_program::program, extents{});
            auto plan = std::make_shared<decltype(kernel.plan(exec, in))>(kernel.plan(exec, in));
            auto saved = std::make_shared<decltype(plan->make_saved(exec))>(plan->make_saved(exec));
            plan->forward(exec, in, out(c.out_view(1)), *saved);
            auto const dy = grad_out(c.adjoint_view());
            auto const dh = grad<feature>(c.feature_grad_view());
            auto const dw = grad<weight>(per_row(c.edge_values.data(), c.graph().num_edges()));
            return [=](cudaStream_t s) {
              static_cast<void>(memory);
              cuda const now{.stream = s};
              if (joint) return plan->backward(now, in, *saved, dy, dh, dw);
              plan->backward(now, in, *saved, dy, dh);
              plan->backward(now, in, *saved, dy, dw);
            };
          },
          memory};
}

verdict check_both_gradients(program_case& c, launch_function const& launch) {
  verdict const of_features = check_pass<weighted_program>(c, true, launch);
  verdict const of_weights = c.check(c.edge_values, static_cast<std::size_t>(c.graph().num_edges()), launch,
                                     [&](auto const& operands, double const* adjoint, double* expected) {
                                       weight_gradient_on_host(c.graph().host(), operands, adjoint, expected);
                                     });
  return {of_features.passed && of_weights.passed, std::max(of_features.error, of_weights.error)};
}

/// Two hops as two plans of one hop, with a tensor of vertices of the user's between them.
candidate hops_by_hand(program_case& c, bool backward) {
  auto const memory = make_counted_memory();
  return {"by_hand",
          [=, &c]() -> launch_function {
            cuda const exec{.stream = c.stream(), .memory = memory.get()};
            auto const in = weighted_program::bind(c.operands());
            auto between = std::make_shared<device_buffer<float>>(
                make_array<float>(elements(c.graph().num_destinations()), c.stream(), memory.get()));
            auto operands = c.operands();
            operands.features = between->data();
            auto const after = weighted_program::bind(operands);
            auto const kernel = fuse(groupings(c), automatic{}, weighted_program::program);
            using plan_type = decltype(kernel.plan(exec, in));
            auto first = std::make_shared<plan_type>(kernel.plan(exec, in));
            auto second = std::make_shared<plan_type>(kernel.plan(exec, after));
            auto const y = wide(between->data(), c.graph().num_destinations(), 1, program_channels);
            if (!backward) {
              return [=, &c](cudaStream_t s) {
                static_cast<void>(between);
                cuda const now{.stream = s};
                first->forward(now, in, out(y));
                second->forward(now, after, out(c.out_view(1)));
              };
            }
            auto first_saved = std::make_shared<decltype(first->make_saved(exec))>(first->make_saved(exec));
            auto second_saved = std::make_shared<decltype(first->make_saved(exec))>(second->make_saved(exec));
            first->forward(exec, in, out(y), *first_saved);
            second->forward(exec, after, out(c.out_view(1)), *second_saved);
            auto adjoint = std::make_shared<device_buffer<float>>(make_array<float>(between->size(), c.stream()));
            auto const dy = wide(adjoint->data(), c.graph().num_destinations(), 1, program_channels);
            return [=, &c](cudaStream_t s) {
              static_cast<void>(between);
              cuda const now{.stream = s};
              second->backward(now, after, *second_saved, grad_out(c.adjoint_view()), grad<feature>(dy));
              auto const dx = wide(static_cast<float const*>(adjoint->data()), dy.rows, 1, program_channels);
              first->backward(now, in, *first_saved, grad_out(dx), grad<feature>(c.feature_grad_view()));
            };
          },
          memory};
}

candidate maximum_over_coo(program_case& c, bool shuffled) {
  auto const edges = shuffled ? c.edges().shuffled() : c.edges().by_destination();
  auto const kernel = fuse(graph{edges}, edge_balanced{}, max_program::program, extents{});
  return kernel_candidate(shuffled ? "coo_shuffled" : "coo", kernel, max_program::bind(c.operands()), c.out_view(1),
                          c.adjoint_view(), false, c.stream());
}

/// Calls add(op, impl, pass, make, check) for every case; `make(case)` gives its candidate.
template <class Add>
class cases {
public:
  explicit cases(Add const& add) : add_(&add) {}

  void all() const {
    both<weighted_program>("widths", "run_time");
    both<weighted_program>("widths", "static", extents{});
    both<weighted_program>("gcn", "weights_of_edges", extents{});
    both<factors_program>("gcn", "factors_of_vertices", extents{});
    both<weighted_program>("dropout", "kept", extents{});
    both<dropout_program>("dropout", "dropped", extents{});
    both<scored_program>("dropped_weights", "kept", extents{});
    both<dropped_weights_program>("dropped_weights", "dropped", extents{});
    both<squared_program>("row_sum", "without");
    both<normalized_program>("row_sum", "over_row");
    both<hops_program>("hops", "one_program");
    for (bool const backward : {false, true}) {
      (*add_)(
          "hops", "by_hand", backward ? "backward" : "forward",
          [backward](program_case& c) { return hops_by_hand(c, backward); },
          [backward](program_case& c, launch_function const& f) { return check_pass<hops_program>(c, backward, f); });
    }
    both<sum_program>("self_edges", "without", extents{});
    both<self_program>("self_edges", "with_self", extents{});
    both<sum_program>("aggregation", "sum", extents{});
    both<mean_program>("aggregation", "mean", extents{});
    both<max_program>("aggregation", "max", extents{});
    both<min_program>("aggregation", "min", extents{});
    both<prod_program>("aggregation", "prod", extents{});
    both<stddev_program>("aggregation", "stddev", extents{});
    (*add_)("four_aggregations", "apart", "forward", four_apart, check_four);
    (*add_)("four_aggregations", "concat", "forward", four_at_once, check_four);
    one<attention_program>("attention", "forward", false, extents{});
    (*add_)("attention", "weights", "forward", attention_weights, check_attention_weights);
    for (bool const joint : {false, true}) {
      (*add_)(
          "coo_gradients", joint ? "joint" : "apart", "backward",
          [joint](program_case& c) { return gradients_over_coo(c, joint); }, check_both_gradients);
    }
    one<max_program>("maximum", "csr", false, extents{});
    for (bool const shuffled : {false, true}) {
      (*add_)(
          "maximum", shuffled ? "coo_shuffled" : "coo", "forward",
          [shuffled](program_case& c) { return maximum_over_coo(c, shuffled); },
          [](program_case& c, launch_function const& f) { return check_pass<max_program>(c, false, f); });
    }
  }

private:
  template <class Named, class... Option>
  void one(char const* op, char const* impl, bool backward, Option... option) const {
    (*add_)(
        op, impl, backward ? "backward" : "forward",
        [=](program_case& c) { return pass_of<Named>(c, backward, option...); },
        [=](program_case& c, launch_function const& f) { return check_pass<Named>(c, backward, f); });
  }
  template <class Named, class... Option>
  void both(char const* op, char const* impl, Option... option) const {
    for (bool const backward : {false, true}) one<Named>(op, impl, backward, option...);
  }

  Add const* add_;
};

/// A graph's arrays stay until another graph is asked for.
struct session : device_session {
  using device_session::device_session;

  program_case& arrays(std::string const& name) {
    device_graph const& g = graph(name);
    if (name_ != name) {
      arrays_.reset();
      arrays_ = std::make_unique<program_case>(g, stream);
      name_ = name;
    }
    return *arrays_;
  }

private:
  std::string name_;
  std::unique_ptr<program_case> arrays_;
};

int run(int argc, char** argv) {
  session s(parse_options(argc, argv, description, {"forward", "backward"}, {"f32"}));
  for (std::string const& graph : s.chosen.graphs) {
    cases([&](std::string const& op, std::string const& impl, std::string const& pass, auto const& make,
              auto const& check) {
      if (std::ranges::find(s.chosen.passes, pass) == s.chosen.passes.end()) return;
      register_case(s, edgewise::detail::text(op, '/', graph, '/', pass, '/', impl), [=, &s](benchmark::State& state) {
        program_case& c = s.arrays(graph);
        result r;
        r.op = op;
        r.graph = graph;
        r.channels = program_channels;
        r.dtype = "f32";
        r.pass = pass;
        r.impl = impl;
        measure_fastest(state, s, r, {make(c)}, [&](launch_function const& f) { return check(c, f); });
      });
    }).all();
  }
  return run_session(s, argv[0]);
}

}  // namespace
}  // namespace edgewise::bench

int main(int argc, char** argv) {
  return edgewise::bench::run_program("bench_programs", argc, argv, edgewise::bench::run);
}
