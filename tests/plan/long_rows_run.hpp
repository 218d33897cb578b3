// Runs programs over long rows on either engine. Array: an array of floats or ints where the engine reads it, made of a
// vector; `values()` gives its contents.
#pragma once

#include <cmath>

#include <edgewise/edgewise.hpp>

#include "long_rows.hpp"

namespace edgewise::testing {

namespace long_row_names {
struct weight;
struct row;
struct scale;
struct half;
struct score;
}  // namespace long_row_names

/// One row and one source with all edges.
template <template <class> class Array>
struct long_row_graph {
  Array<int> offsets{std::vector<int>{0, long_row_edges}};
  Array<int> neighbors{std::vector<int>(long_row_edges, 0)};
  csr_view<int, int> csr() const { return {{offsets.data(), neighbors.data(), nullptr, 1, 1, long_row_edges}}; }
  csc_view<int, int> csc() const { return {{offsets.data(), neighbors.data(), nullptr, 1, 1, long_row_edges}}; }
};

template <template <class> class Array, class Exec>
struct long_row_run {
  Exec const& exec;
  int channels;
  long_row_graph<Array> rows = {};
  std::vector<long_row_error> errors = {};

  void judge(std::string of, std::vector<float> const& actual, double expected) {
    double worst = 0;
    for (float x : actual) worst = std::fmax(worst, x == x ? std::fabs(x - expected) / std::fabs(expected) : 1.0);
    errors.push_back({std::move(of), worst});
  }

  /// out = sum of w * row * scale, and the gradients of row and scale: three sums of equal terms.
  template <class Mapping>
  void sums(Mapping mapping) {
    using namespace long_row_names;
    std::size_t const width = static_cast<std::size_t>(channels);
    Array<float> const w(std::vector<float>(long_row_edges, 0.1f));
    Array<float> const ones(std::vector<float>(width, 1.0f));
    Array<float> out(std::vector<float>(width, NAN)), drow(std::vector<float>(width, NAN)),
        dscale(std::vector<float>(width, NAN));
    auto const view = [&](auto& array) { return wide(array.data(), 1, channels); };
    auto const in =
        bindings(bind<weight>(per_row(w.data(), long_row_edges)), bind<row>(view(ones)), bind<scale>(view(ones)));
    edgewise::graph const both{rows.csr(), rows.csc()};
    auto const plan = fuse(both, mapping, gather<sum>(edge<weight> * src<row> * param<scale>)).plan(exec, in);
    auto saved = plan.make_saved(exec);
    plan.forward(exec, in, edgewise::out(view(out)), saved);
    plan.backward(exec, in, saved, grad_out(view(ones)), grad<row>(view(drow)), grad<scale>(view(dscale)));
    double const expected = double{0.1f} * long_row_edges;
    judge(std::string("sum, ") + Mapping::name, out.values(), expected);
    judge(std::string("gradient of a source, ") + Mapping::name, drow.values(), expected);
    judge(std::string("gradient of a parameter, ") + Mapping::name, dscale.values(), expected);
  }

  /// mean, standard deviation and softmax sum of one number per edge.
  void others() {
    using namespace long_row_names;
    std::vector<float> step(long_row_edges, 0.0f);
    for (std::size_t k = step.size() / 2; k < step.size(); ++k) step[k] = 1;
    Array<float> const w(std::vector<float>(long_row_edges, 0.1f));
    Array<float> const halves(step);
    Array<float> out(std::vector<float>(3, NAN));
    auto const numbers = [](auto& array) { return per_row(array.data(), long_row_edges); };
    auto const in = bindings(bind<weight>(numbers(w)), bind<half>(numbers(halves)));
    edgewise::graph const by_row{rows.csr()};
    auto const program = concat(gather<mean>(edge<weight>), gather<stddev>(edge<half>),
                                gather<sum>(softmax(edge<weight> * 3) * edge<weight>));
    fuse(by_row, automatic{}, program).plan(exec, in).forward(exec, in, edgewise::out(per_head(out.data(), 1, 3)));
    auto const found = out.values();
    judge("mean", {found[0]}, 0.1f);
    judge("stddev", {found[1]}, std::sqrt(0.25 + 1e-5));
    judge("softmax sum", {found[2]}, 0.1f);
  }
};

template <template <class> class Array, class Exec>
std::vector<long_row_error> run_long_rows(Exec const& exec, int channels) {
  long_row_run<Array, Exec> run{exec, channels};
  run.sums(automatic{});
  run.sums(vertex_balanced{});
  run.sums(edge_balanced{});
  run.others();
  return run.errors;
}

}  // namespace edgewise::testing
