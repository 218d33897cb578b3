// bench_linear: programs with dense products, formed for vertices, for edges on chip, or with tensors of edges.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <edgewise/vendor/vendor_cublas.cuh>

#include "edgewise_program.cuh"
#include "harness/device_session.cuh"
#include "harness/program.hpp"
#include "linear_case.cuh"

namespace edgewise::bench {
namespace {

constexpr char const* description =
    "Times programs with dense products, forward and all gradients: MLP aggregation (8 inputs, --channels outputs),\n"
    "EdgeConv (64 to 64) and a GAT layer (64 to 8 x 8). vertices: every product by cuBLAS for all vertices; edges: "
    "MLP\n"
    "aggregation with its product in registers; edge_tensors: tensors of edges and cuBLAS; GAT: program (scores as\n"
    "numbers of vertices), dots_in_messages, and by_hand, the same products and passes called one by one. Device time\n"
    "of one launch in a CUDA graph, warm. Every result is checked against the engine's own products for vertices.";

/// The forward pass, and then all gradients, of a program over the arrays of a case.
template <class Named, class... Option>
candidate program_pass(linear_case& c, std::string name, bool backward, Option const&... option) {
  auto const kernel = fuse(c.graph(), automatic{}, Named::program, option...);
  auto const request = [&](auto const&... gradients) {
    return kernel_candidate(std::move(name), kernel, Named::bind(c), c.out_view(Named::heads),
                            c.adjoint_view(Named::heads), backward, c.stream(), gradients...);
  };
  return std::apply(request, Named::gradients(c));
}

/// MLP aggregation and EdgeConv with tensors of edges: messages [E, inputs], a product [E, outputs], the maximum.
struct edge_tensors {
  linear_case& c;
  bool is_mlp;
  bool backward;
  counted_memory memory = make_counted_memory();

  candidate make() const {
    return {"edge_tensors", [self = *this]() { return self.prepare(); }, memory};
  }

private:
  launch_function prepare() const {
    cuda const exec{.stream = c.stream(), .memory = memory.get()};
    std::int64_t const edges = c.num_edges();
    auto tensor = [&](std::int64_t columns) {
      return std::make_shared<device_buffer<float>>(
          make_array<float>(static_cast<std::size_t>(edges * columns), c.stream(), memory.get()));
    };
    auto const x = tensor(c.inputs()), m = tensor(c.outputs());
    auto const in_x = bindings(bind<feature>(c.features()));
    auto const rows_x = wide(x->data(), edges, c.inputs());
    auto const in_m = bindings(bind<message>(wide(static_cast<float const*>(m->data()), edges, c.outputs())));
    auto own = [&](auto const& program, auto const& in) {
      auto const kernel = fuse(c.graph(), automatic{}, program);
      using plan_type = decltype(kernel.plan(exec, in));
      return std::make_shared<plan_type>(kernel.plan(exec, in));
    };
    auto const w = c.matrix(0);
    auto const multiply = [&c = c](cudaStream_t s, matrix_view<float const> a, matrix_view<float const> b,
                                   matrix_view<float> to, bool adds) {
      if (!c.blas.multiply(cuda{.stream = s}, a, b, to, adds)) throw error("edge_tensors: cuBLAS took no product");
    };
    auto const of = [](float* data, std::int64_t rows, std::int64_t columns) {
      return matrix_view<float>{data, rows, columns, columns, 1};
    };
    auto const as_const = [](matrix_view<float> v) {
      return matrix_view<float const>{v.data, v.rows, v.columns, v.row_stride, v.column_stride};
    };
    auto const matrix_w = as_const(of(const_cast<float*>(w.data), c.inputs(), c.outputs()));
    auto const mx = of(x->data(), edges, c.inputs());
    auto const mm = of(m->data(), edges, c.outputs());
    auto const run = [&](auto edge_inputs, auto edge_maximum) -> launch_function {
      auto const first = own(edge_inputs, in_x);
      auto const last = own(edge_maximum, in_m);
      auto const y = c.out_view(1);
      auto forward = [=, held = std::pair{x, m}](cudaStream_t s) {
        static_cast<void>(held);
        first->forward(cuda{.stream = s}, in_x, out(rows_x));
        multiply(s, as_const(mx), matrix_w, mm, false);
        last->forward(cuda{.stream = s}, in_m, out(y));
      };
      if (!backward) return forward;
      auto saved = std::make_shared<decltype(last->make_saved(exec))>(last->make_saved(exec));
      forward(c.stream());
      last->forward(exec, in_m, out(y), *saved);
      auto const dm = tensor(c.outputs()), dx = tensor(c.inputs());
      auto const in_dx = bindings(bind<message>(wide(static_cast<float const*>(dx->data()), edges, c.inputs())));
      auto const to_destinations = own(gather<sum>(edge<message>), in_dx);
      auto const by_source = fuse(reverse(c.graph()), automatic{}, gather<sum>(edge<message>));
      using plan_type = decltype(by_source.plan(exec, in_dx));
      auto const to_sources = std::make_shared<plan_type>(by_source.plan(exec, in_dx));
      auto const partial = std::make_shared<device_buffer<float>>(
          make_array<float>(static_cast<std::size_t>(c.num_vertices()) * c.inputs(), c.stream(), memory.get()));
      auto const grad_w = of(c.matrix_gradient(0).data, c.inputs(), c.outputs());
      auto const m_dm = of(dm->data(), edges, c.outputs());
      auto const m_dx = of(dx->data(), edges, c.inputs());
      auto const d_out = c.adjoint_view(1);
      auto const dh = c.feature_gradient();
      auto const sign = is_mlp ? 1.0f : -1.0f;
      return [=, held = std::tuple{x, m, dm, dx, first}](cudaStream_t s) {
        cuda const now{.stream = s};
        last->backward(now, in_m, *saved, grad_out(d_out), grad<message>(wide(m_dm.data, edges, m_dm.columns)));
        multiply(s, as_const(mx).transposed(), as_const(m_dm), grad_w, false);
        multiply(s, as_const(m_dm), matrix_w.transposed(), m_dx, false);
        static_cast<void>(held);
        to_destinations->forward(now, in_dx, out(wide(partial->data(), dh.rows, m_dx.columns)));
        to_sources->forward(now, in_dx, out(dh));
        add_scaled<<<1024, 256, 0, s>>>(dh.data, partial->data(), sign, dh.rows * m_dx.columns);
      };
    };
    if (is_mlp) return run(scatter(src<feature> + dst<feature>), gather<edgewise::max>(relu(edge<message>)));
    return run(scatter(src<feature> - dst<feature>), gather<edgewise::max>(edge<message>));
  }
};

/// A GAT layer whose steps are called by hand: cuBLAS, kernels of the scores, the attention.
candidate gat_by_hand(linear_case& c, bool backward) {
  auto const memory = make_counted_memory();
  return {"by_hand",
          [=, &c]() -> launch_function {
            cuda const exec{.stream = c.stream(), .memory = memory.get()};
            auto const steps = std::make_shared<gat_steps<decltype(c.graph())>>(c, exec);
            if (!backward) return [memory, steps](cudaStream_t s) { steps->forward(s, false); };
            steps->forward(c.stream(), true);
            return [memory, steps](cudaStream_t s) { steps->backward(s); };
          },
          memory};
}

/// A graph's arrays stay until another graph or width is asked for.
struct session : device_session {
  using device_session::device_session;

  linear_case& arrays(std::string const& name, int inputs, int outputs) {
    device_graph const& g = graph(name);
    std::string const key = edgewise::detail::text(name, ' ', inputs, ' ', outputs);
    if (key_ != key) {
      arrays_.reset();
      arrays_ = std::make_unique<linear_case>(g, inputs, outputs, stream);
      key_ = key;
    }
    return *arrays_;
  }

private:
  std::string key_;
  std::unique_ptr<linear_case> arrays_;
};

/// Registers a case whose candidate is `make(case, backward)`; Named: the program that says what is right.
template <class Named, class Make>
void add(session& s, std::string const& op, std::string const& graph, int inputs, int outputs, std::string const& impl,
         Make const& make) {
  for (std::string const& pass : s.chosen.passes) {
    bool const backward = pass == "backward";
    register_case(s, edgewise::detail::text(op, '/', graph, '/', outputs, '/', pass, '/', impl),
                  [=, &s](benchmark::State& state) {
                    linear_case& c = s.arrays(graph, inputs, outputs);
                    result r;
                    r.op = op;
                    r.graph = graph;
                    r.heads = Named::heads;
                    r.channels = outputs / Named::heads;
                    r.dtype = "f32";
                    r.pass = pass;
                    r.impl = impl;
                    auto const expected = program_pass<Named>(c, "expected", backward);
                    measure_fastest(state, s, r, {make(c, backward)}, [&](launch_function const& f) {
                      return c.check(expected, f, backward, Named::num_matrices, Named::has_scores);
                    });
                  });
  }
}

int run(int argc, char** argv) {
  session s(parse_options(argc, argv, description, {"forward", "backward"}, {"f32"}));
  for (std::string const& graph : s.chosen.graphs) {
    for (int const outputs : s.chosen.channels) {
      add<mlp_program>(s, "mlp", graph, 8, outputs, "vertices", [](linear_case& c, bool backward) {
        return program_pass<mlp_program>(c, "vertices", backward, products_by(c.blas));
      });
      add<mlp_program>(s, "mlp", graph, 8, outputs, "edges", [](linear_case& c, bool backward) {
        return program_pass<mlp_program>(c, "edges", backward, along_edges<8>{});
      });
      add<mlp_program>(s, "mlp", graph, 8, outputs, "edge_tensors", [](linear_case& c, bool backward) {
        return edge_tensors{c, true, backward}.make();
      });
    }
    add<edge_conv_program>(s, "edge_conv", graph, 64, 64, "vertices", [](linear_case& c, bool backward) {
      return program_pass<edge_conv_program>(c, "vertices", backward, products_by(c.blas));
    });
    add<edge_conv_program>(s, "edge_conv", graph, 64, 64, "edge_tensors", [](linear_case& c, bool backward) {
      return edge_tensors{c, false, backward}.make();
    });
    add<gat_program>(s, "gat", graph, 64, 64, "program", [](linear_case& c, bool backward) {
      return program_pass<gat_program>(c, "program", backward, products_by(c.blas));
    });
    add<gat_program>(s, "gat", graph, 64, 64, "dots_in_messages", [](linear_case& c, bool backward) {
      return program_pass<gat_dots_program>(c, "dots_in_messages", backward, products_by(c.blas));
    });
    add<gat_program>(s, "gat", graph, 64, 64, "by_hand", gat_by_hand);
  }
  return run_session(s, argv[0]);
}

}  // namespace
}  // namespace edgewise::bench

int main(int argc, char** argv) {
  return edgewise::bench::run_program("bench_linear", argc, argv, edgewise::bench::run);
}
