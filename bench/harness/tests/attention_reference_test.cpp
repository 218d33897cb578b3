#include "../../attention_reference.hpp"

#include <cmath>
#include <edgewise/edgewise.hpp>
#include <vector>

#include "support/catch.hpp"

namespace {

using namespace edgewise;
using namespace edgewise::bench;

struct query;
struct key;
struct value;
struct direction;
struct feature;

// 6 vertices, an empty row, a self edge, a double edge
host_graph small_graph() {
  host_grouping rows;
  rows.offsets = {0, 3, 3, 5, 9, 10, 12};
  rows.neighbors = {1, 2, 5, 0, 0, 1, 2, 3, 4, 5, 0, 3};
  rows.num_neighbors = 6;
  return {"small", rows, transposed(rows)};
}

std::vector<double> filled(std::int64_t size, std::uint64_t seed, attention_reference::stored_value stored) {
  std::vector<double> values(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = stored(random_value(seed, i));
  return values;
}

constexpr int num_vertices = 6, num_edges = 12;

struct arrays {
  attention_shape shape;
  attention_reference::stored_value stored;
  std::vector<double> destination = filled(num_vertices * shape.score_width(), attention_seeds::destination, stored);
  std::vector<double> keys = filled(num_vertices * shape.score_width(), attention_seeds::key, stored);
  std::vector<double> values = filled(num_vertices * shape.width(), attention_seeds::value, stored);
  std::vector<double> parameter = filled(shape.width(), attention_seeds::parameter, stored);
  std::vector<double> features = filled(num_edges * shape.width(), attention_seeds::feature, stored);
  std::vector<double> out_grad = filled(num_vertices * shape.width(), attention_seeds::out_grad, stored);
  std::vector<double> out = std::vector<double>(out_grad.size());
  std::vector<double> destination_grad = std::vector<double>(destination.size());
  std::vector<double> key_grad = std::vector<double>(keys.size());
  std::vector<double> value_grad = std::vector<double>(values.size());
  std::vector<double> parameter_grad = std::vector<double>(parameter.size());
  std::vector<double> feature_grad = std::vector<double>(features.size());

  auto rows(std::vector<double>& v) { return wide(v.data(), num_vertices, shape.heads, shape.channels); }
  auto edges(std::vector<double>& v) { return wide(v.data(), num_edges, shape.heads, shape.channels); }
  auto heads(std::vector<double>& v) { return per_head(v.data(), num_vertices, shape.heads); }
};

template <class Program, class Inputs, class... Grads>
void run(arrays& a, host_graph const& g, Program const& program, Inputs const& in, Grads const&... grads) {
  csr_view<> const csr{{.offsets = g.by_destination.offsets.data(),
                        .neighbors = g.by_destination.neighbors.data(),
                        .edge_ids = nullptr,
                        .num_rows = num_vertices,
                        .num_neighbors = num_vertices,
                        .num_edges = num_edges}};
  csc_view<> const csc{{.offsets = g.by_source.offsets.data(),
                        .neighbors = g.by_source.neighbors.data(),
                        .edge_ids = g.by_source.edge_ids.data(),
                        .num_rows = num_vertices,
                        .num_neighbors = num_vertices,
                        .num_edges = num_edges}};
  auto const plan = fuse(edgewise::graph{csr, csc}, automatic{}, program).plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  plan.forward(cpu{}, in, edgewise::out(a.rows(a.out)), saved);
  plan.backward(cpu{}, in, saved, grad_out(a.rows(a.out_grad)), grads...);
}

void compare(attention_reference::row const& expected, std::vector<double> const& actual, int row) {
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    CHECK(actual[static_cast<std::size_t>(row) * expected.values.size() + i] ==
          Approx(expected.values[i]).margin(1e-12));
    CHECK(std::abs(expected.values[i]) <= expected.magnitudes[i] * (1 + 1e-12));
  }
}

void check_forms(attention_reference::stored_value stored) {
  host_graph const g = small_graph();
  for (attention_form form :
       {attention_form::transformer, attention_form::gat, attention_form::gatv2, attention_form::edge_transformer}) {
    CAPTURE(form_name(form));
    arrays a{{form, 3, 5}, stored};
    if (form == attention_form::transformer) {
      run(a, g, gather<sum>(softmax(dot(dst<query>, src<key>) * (1 / std::sqrt(5.0))) * src<value>),
          bindings(bind<query>(a.rows(a.destination)), bind<key>(a.rows(a.keys)), bind<value>(a.rows(a.values))),
          grad<query>(a.rows(a.destination_grad)), grad<key>(a.rows(a.key_grad)), grad<value>(a.rows(a.value_grad)));
    } else if (form == attention_form::edge_transformer) {
      auto const score = dot(dst<query>, src<key> + edge<feature>) * (1 / std::sqrt(5.0));
      run(a, g, gather<sum>(softmax(score) * (src<value> + edge<feature>)),
          bindings(bind<query>(a.rows(a.destination)), bind<key>(a.rows(a.keys)), bind<value>(a.rows(a.values)),
                   bind<feature>(a.edges(a.features))),
          grad<query>(a.rows(a.destination_grad)), grad<key>(a.rows(a.key_grad)), grad<value>(a.rows(a.value_grad)),
          grad<feature>(a.edges(a.feature_grad)));
    } else if (form == attention_form::gat) {
      run(a, g, gather<sum>(softmax(leaky_relu(src<key> + dst<query>, double{attention_slope})) * src<value>),
          bindings(bind<query>(a.heads(a.destination)), bind<key>(a.heads(a.keys)), bind<value>(a.rows(a.values))),
          grad<query>(a.heads(a.destination_grad)), grad<key>(a.heads(a.key_grad)), grad<value>(a.rows(a.value_grad)));
    } else {
      run(a, g,
          gather<sum>(softmax(dot(param<direction>, leaky_relu(dst<query> + src<key>, double{attention_slope}))) *
                      src<key>),
          bindings(bind<query>(a.rows(a.destination)), bind<key>(a.rows(a.keys)),
                   bind<direction>(wide(a.parameter.data(), 1, 3, 5))),
          grad<query>(a.rows(a.destination_grad)), grad<key>(a.rows(a.key_grad)),
          grad<direction>(wide(a.parameter_grad.data(), 1, 3, 5)));
    }
    attention_reference reference(g, a.shape, stored);
    for (int v = 0; v < num_vertices; ++v) {
      compare(reference.out(v), a.out, v);
      compare(reference.destination_grad(v), a.destination_grad, v);
      compare(reference.key_grad(v), a.key_grad, v);
      if (a.shape.has_value()) compare(reference.value_grad(v), a.value_grad, v);
    }
    for (int v = 0; v < num_vertices && a.shape.has_feature(); ++v) {
      auto const& offsets = g.by_destination.offsets;
      for (int k = offsets[v]; k < offsets[v + 1]; ++k) compare(reference.feature_grad(v, k), a.feature_grad, k);
    }
    if (form == attention_form::gatv2) compare(reference.parameter_grad(), a.parameter_grad, 0);
  }
}

}  // namespace

TEST_CASE("the float64 attention agrees with the library's host engine in double") {
  SECTION("as drawn") {
    check_forms([](float x) -> double { return x; });
  }
  SECTION("as 16-bit arrays hold what is drawn") {
    check_forms([](float x) -> double { return static_cast<float>(bfloat16(x)); });
  }
}
