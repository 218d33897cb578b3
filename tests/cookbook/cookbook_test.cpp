// Every formula of the cookbook against plain loops in double.
#include "formulas.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/graphs.hpp"
#include "support/random.hpp"

using namespace cookbook;
using edgewise::testing::test_graph;

namespace {

using row = std::vector<double>;

// ---- operands: which rows, which kind, how many heads and channels
enum class rows_are { vertices, edges, types, one };
template <class Name>
struct operand;
template <rows_are Rows, ew::operand_kind Kind, int Heads, int Channels>
struct shape {
  static constexpr int heads = Heads, channels = Channels;
  static constexpr ew::operand_kind kind = Kind;
  static int rows(test_graph const& of) {
    if (Rows == rows_are::vertices) return std::max(of.num_sources, of.num_destinations);
    return Rows == rows_are::edges ? of.num_edges() : Rows == rows_are::types ? test_graph::num_types : 1;
  }
  static auto view(double const* data, std::int64_t count) {
    return ew::operand_view<double const, Kind>{data, count, Heads, Channels, Heads * Channels};
  }
};
/// Small vectors, whose component is the last axis.
template <rows_are Rows, int Heads, int Length = 2>
struct vectors : shape<Rows, ew::operand_kind::wide, Heads, Length> {
  static auto view(double const* data, std::int64_t count) {
    if constexpr (Heads == 1) {
      return ew::vec_per_row<Length>(data, count);
    } else {
      return ew::vec_per_head<Length>(data, count, Heads);
    }
  }
};
using ew::operand_kind;
template <>
struct operand<h> : shape<rows_are::vertices, operand_kind::wide, 1, 4> {};
template <>
struct operand<x0> : operand<h> {};
template <>
struct operand<left> : operand<h> {};
template <>
struct operand<right> : operand<h> {};
template <>
struct operand<x> : shape<rows_are::vertices, operand_kind::wide, 1, 3> {};
template <>
struct operand<f> : shape<rows_are::edges, operand_kind::wide, 1, 4> {};
template <>
struct operand<w> : shape<rows_are::edges, operand_kind::per_row, 1, 1> {};
template <>
struct operand<d> : shape<rows_are::vertices, operand_kind::per_row, 1, 1> {};
template <>
struct operand<cookbook::rank> : operand<d> {};
template <>
struct operand<eps> : shape<rows_are::one, operand_kind::per_row, 1, 1> {};
template <>
struct operand<beta> : operand<eps> {};
template <>
struct operand<el> : shape<rows_are::vertices, operand_kind::per_head, 2, 1> {};
template <>
struct operand<er> : operand<el> {};
template <>
struct operand<z> : shape<rows_are::vertices, operand_kind::wide, 2, 3> {};
template <>
struct operand<q> : operand<z> {};
template <>
struct operand<k> : operand<z> {};
template <>
struct operand<v> : operand<z> {};
template <>
struct operand<g> : shape<rows_are::edges, operand_kind::wide, 2, 3> {};
template <>
struct operand<a> : shape<rows_are::one, operand_kind::wide, 2, 3> {};
template <>
struct operand<own> : shape<rows_are::vertices, operand_kind::per_channel, 1, 3> {};
template <>
struct operand<c> : shape<rows_are::types, operand_kind::per_head, 2, 1> {};
template <>
struct operand<r> : shape<rows_are::types, operand_kind::wide, 1, 4> {};
template <>
struct operand<p> : vectors<rows_are::edges, 1> {};
template <>
struct operand<place> : vectors<rows_are::vertices, 1, 3> {};
template <>
struct operand<mu> : vectors<rows_are::one, 2> {};
template <>
struct operand<scale> : operand<mu> {};
/// Matrices: rows are inputs.
template <int Inputs, int Outputs>
struct matrix : shape<rows_are::one, operand_kind::wide, 1, Outputs> {
  static int rows(test_graph const&) { return Inputs; }
};
template <>
struct operand<W> : matrix<8, 3> {};
template <>
struct operand<V> : matrix<3, 3> {};
template <>
struct operand<first> : matrix<4, 3> {};
template <>
struct operand<b> : shape<rows_are::one, operand_kind::wide, 1, 3> {};

/// The elements of an operand: positive, so that no logarithm or quotient is special, of either sign for some names.
template <class Name>
struct values {
  std::vector<double> data;
  int width = 0;
  values(test_graph const& of, int number) {
    width = operand<Name>::heads * operand<Name>::channels;
    edgewise::testing::random_stream random("cookbook: operand " + std::to_string(number));
    data.resize(static_cast<std::size_t>(operand<Name>::rows(of) * width));
    for (double& y : data) y = 2 * random.uniform() - 0.7;
  }
  double operator()(int at, int element = 0) const { return data[static_cast<std::size_t>(at * width + element)]; }
};

struct fixture {
  test_graph graph = edgewise::testing::isolated_vertices();
  ew::typed_edges<> types;
  fixture() {
    std::vector<int> of_edges;
    for (int e = 0; e < graph.num_edges(); ++e) of_edges.push_back(test_graph::type_of(e));
    types = ew::to_typed_edges(ew::cpu{}, graph.csr(), of_edges, test_graph::num_types);
  }
  int vertices() const { return graph.num_destinations; }
  /// Edges into a vertex, by id.
  std::vector<int> into(int vertex) const {
    std::vector<int> found;
    for (int e = 0; e < graph.num_edges(); ++e) {
      if (graph.destinations[static_cast<std::size_t>(e)] == vertex) found.push_back(e);
    }
    return found;
  }
  int source(int e) const { return graph.sources[static_cast<std::size_t>(e)]; }
  int destination(int e) const { return graph.destinations[static_cast<std::size_t>(e)]; }
};
fixture const& on() {
  static fixture const made;
  return made;
}

/// Rows of sums over the edges into a vertex.
row sum_of(int vertex, int width, std::function<double(int e, int u, int element)> const& message) {
  row total(static_cast<std::size_t>(width));
  for (int const e : on().into(vertex)) {
    for (int i = 0; i < width; ++i) total[static_cast<std::size_t>(i)] += message(e, on().source(e), i);
  }
  return total;
}
row most_of(int vertex, int width, std::function<double(int e, int u, int element)> const& message) {
  row most(static_cast<std::size_t>(width));
  bool any = false;
  for (int const e : on().into(vertex)) {
    for (int i = 0; i < width; ++i) {
      double const m = message(e, on().source(e), i);
      auto& to = most[static_cast<std::size_t>(i)];
      to = any ? std::max(to, m) : m;
    }
    any = true;
  }
  return most;
}
int degree(int vertex) { return std::max<int>(1, static_cast<int>(on().into(vertex).size())); }
/// Attention of 2 heads over rows of 3 channels.
row attend(int vertex, std::function<double(int e, int u, int head)> const& score,
           std::function<double(int e, int u, int element)> const& value) {
  row out(6);
  for (int head = 0; head < 2; ++head) {
    double norm = 0;
    for (int const e : on().into(vertex)) norm += std::exp(score(e, on().source(e), head));
    for (int const e : on().into(vertex)) {
      double const weight = std::exp(score(e, on().source(e), head)) / norm;
      for (int i = 0; i < 3; ++i) {
        out[static_cast<std::size_t>(3 * head + i)] += weight * value(e, on().source(e), 3 * head + i);
      }
    }
  }
  return out;
}
double leaky(double y) { return y > 0 ? y : 0.2 * y; }
double ramp(double y) { return y > 0 ? y : 0; }
double gate_of(double y) { return 1 / (1 + std::exp(-y)); }

/// Runs a formula and compares every row of its output, `width` elements wide, with expected(row).
template <ew::operand_kind Kind, int Heads, int Channels, class... Name, class Program>
void check(char const* name, Program const& program, values<Name> const&... in, std::function<row(int)> const& expected,
           bool of_edges = false) {
  INFO(name);
  auto const& graph = on().graph;
  int const rows = of_edges ? graph.num_edges() : graph.num_destinations;
  std::vector<double> found(static_cast<std::size_t>(rows * Heads * Channels), std::nan(""));
  ew::operand_view<double, Kind> const to{found.data(), rows, Heads, Channels, Heads * Channels};
  auto const bound = ew::bindings(ew::bind<Name>(operand<Name>::view(in.data.data(), operand<Name>::rows(graph)))...);
  ew::graph const formats{graph.csr(), graph.csc(), on().types.view()};
  ew::fuse(formats, ew::automatic{}, program).plan(ew::cpu{}, bound).forward(ew::cpu{}, bound, ew::out(to));
  int far = 0;
  for (int at = 0; at < rows; ++at) {
    row const right = expected(at);
    REQUIRE(static_cast<int>(right.size()) == Heads * Channels);
    for (int i = 0; i < Heads * Channels; ++i) {
      double const y = found[static_cast<std::size_t>(at * Heads * Channels + i)];
      double const wanted = right[static_cast<std::size_t>(i)];
      far += !(y == wanted || std::abs(y - wanted) <= 1e-9 * (1 + std::abs(y)));
    }
  }
  CHECK(far == 0);
}
constexpr auto wide = operand_kind::wide;
constexpr auto per_head = operand_kind::per_head;
constexpr auto per_row = operand_kind::per_row;

}  // namespace

TEST_CASE("cookbook: sums and other aggregations", "[cookbook]") {
  auto const& graph = on().graph;
  values<h> const H(graph, 1);
  values<w> const weight(graph, 2);
  values<f> const F(graph, 3);
  values<x0> const X(graph, 4);
  values<d> const D(graph, 5);
  values<eps> const E(graph, 6);
  values<cookbook::rank> const R(graph, 7);
  auto const weighted = [&](int t) { return sum_of(t, 4, [&](int e, int u, int i) { return weight(e) * H(u, i); }); };
  check<wide, 1, 4, w, h>("GCN", gcn, weight, H, weighted);
  check<wide, 1, 4, d, h>("GCN by vertices", gcn_by_vertices, D, H, [&](int t) {
    return sum_of(t, 4, [&](int, int u, int i) { return D(t) * D(u) * H(u, i); });
  });
  check<wide, 1, 4, h>("SAGE, mean", sage_mean, H,
                       [&](int t) { return sum_of(t, 4, [&](int, int u, int i) { return H(u, i) / degree(t); }); });
  check<wide, 1, 4, h>("SAGE, pool", sage_pool, H,
                       [&](int t) { return most_of(t, 4, [&](int, int u, int i) { return ramp(H(u, i)); }); });
  check<wide, 1, 4, eps, h>("GIN", gin, E, H, [&](int t) {
    row y = sum_of(t, 4, [&](int, int u, int i) { return H(u, i); });
    for (int i = 0; i < 4; ++i) y[static_cast<std::size_t>(i)] += (1 + E(0)) * H(t, i);
    return y;
  });
  check<wide, 1, 4, eps, h, f>("GINE", gine, E, H, F, [&](int t) {
    row y = sum_of(t, 4, [&](int e, int u, int i) { return ramp(H(u, i) + F(e, i)); });
    for (int i = 0; i < 4; ++i) y[static_cast<std::size_t>(i)] += (1 + E(0)) * H(t, i);
    return y;
  });
  check<wide, 1, 4, w, h>("SGC", sgc, weight, H, [&](int t) {
    return sum_of(t, 4, [&](int e, int u, int i) { return weight(e) * weighted(u)[static_cast<std::size_t>(i)]; });
  });
  auto const mixed = [&](int t) {
    row y = weighted(t);
    for (int i = 0; i < 4; ++i) y[static_cast<std::size_t>(i)] = 0.9 * y[static_cast<std::size_t>(i)] + 0.1 * X(t, i);
    return y;
  };
  check<wide, 1, 4, w, h, x0>("APPNP", appnp, weight, H, X, mixed);
  check<wide, 1, 4, w, h, x0>("GCNII", gcn2, weight, H, X, [&](int t) {
    row y = mixed(t);
    for (double& value : y) value = ramp(value);
    return y;
  });
  check<per_row, 1, 1, d, cookbook::rank>("PageRank", pagerank, D, R, [&](int t) {
    row y = sum_of(t, 1, [&](int, int u, int) { return 0.85 * D(u) * R(u); });
    return row{0.15 + y[0]};
  });
  check<wide, 4, 4, h, d>("PNA", pna, H, D, [&](int t) {
    row y(16);
    row const all = sum_of(t, 4, [&](int, int u, int i) { return H(u, i); });
    row const squares = sum_of(t, 4, [&](int, int u, int i) { return H(u, i) * H(u, i); });
    row const most = most_of(t, 4, [&](int, int u, int i) { return H(u, i); });
    row const least = most_of(t, 4, [&](int, int u, int i) { return -H(u, i); });
    for (std::size_t i = 0; i < 4; ++i) {
      double const middle = all[i] / degree(t);
      y[i] = middle;
      y[4 + i] = D(t) * most[i];
      y[8 + i] = -least[i];
      double const variance = std::max(0.0, squares[i] / degree(t) - middle * middle);
      y[12 + i] = on().into(t).empty() ? 0 : D(t) * std::sqrt(variance + 1e-5);
    }
    return y;
  });
}

TEST_CASE("cookbook: attention and gates", "[cookbook]") {
  auto const& graph = on().graph;
  values<el> const L(graph, 11);
  values<er> const R(graph, 12);
  values<z> const Z(graph, 13);
  values<q> const Q(graph, 14);
  values<k> const K(graph, 15);
  values<v> const X(graph, 16);
  values<g> const G(graph, 17);
  values<a> const A(graph, 18);
  values<beta> const B(graph, 19);
  values<eps> const E(graph, 25);
  values<w> const weight(graph, 20);
  values<h> const H(graph, 21);
  values<f> const F(graph, 22);
  values<left> const M(graph, 23);
  values<right> const N(graph, 24);
  auto const value = [&](int, int u, int i) { return Z(u, i); };
  auto const of_gat = [&](int t) {
    return attend(
        t, [&](int, int u, int head) { return leaky(L(u, head) + R(t, head)); }, value);
  };
  auto const dots = [](auto const& one, int s, auto const& two, int t, int head) {
    double total = 0;
    for (int i = 0; i < 3; ++i) total += one(s, 3 * head + i) * two(t, 3 * head + i);
    return total;
  };
  check<wide, 2, 3, el, er, z>("GAT", gat, L, R, Z, of_gat);
  check<wide, 2, 3, a, z, q>("GATv2", gatv2, A, Z, Q, [&](int t) {
    return attend(
        t,
        [&](int, int u, int head) {
          double total = 0;
          for (int i = 3 * head; i < 3 * head + 3; ++i) total += A(0, i) * leaky(Z(u, i) + Q(t, i));
          return total;
        },
        value);
  });
  check<wide, 2, 3, q, k, v>("graph transformer", transformer, Q, K, X, [&](int t) {
    return attend(
        t, [&](int, int u, int head) { return 0.57735 * dots(Q, t, K, u, head); },
        [&](int, int u, int i) { return X(u, i); });
  });
  check<wide, 2, 3, q, k, g, v>("UniMP", unimp, Q, K, G, X, [&](int t) {
    return attend(
        t, [&](int e, int u, int head) { return 0.57735 * (dots(Q, t, K, u, head) + dots(Q, t, G, e, head)); },
        [&](int e, int u, int i) { return X(u, i) + G(e, i); });
  });
  check<wide, 2, 3, beta, z, v>("AGNN", agnn, B, Z, X, [&](int t) {
    return attend(
        t, [&](int, int u, int head) { return B(0) * dots(Z, u, Z, t, head); },
        [&](int, int u, int i) { return X(u, i); });
  });
  check<wide, 2, 3, eps, v, el, er, w, z>("FAGCN", fagcn, E, X, L, R, weight, Z, [&](int t) {
    row y =
        sum_of(t, 6, [&](int e, int u, int i) { return std::tanh(L(u, i / 3) + R(t, i / 3)) * weight(e) * Z(u, i); });
    for (int i = 0; i < 6; ++i) y[static_cast<std::size_t>(i)] += E(0) * X(t, i);
    return y;
  });
  check<wide, 1, 4, w, h>("normalised", normalised, weight, H, [&](int t) {
    double const all = sum_of(t, 1, [&](int e, int, int) { return weight(e); }).front();
    return sum_of(t, 4, [&](int e, int u, int i) { return weight(e) / all * H(u, i); });
  });
  check<wide, 1, 4, f, left, right, h>("GatedGCN", gated_gcn, F, M, N, H, [&](int t) {
    auto const opens = [&](int e, int u, int i) { return gate_of(F(e, i) + M(u, i) + N(t, i)); };
    row y = sum_of(t, 4, [&](int e, int u, int i) { return opens(e, u, i) * H(u, i); });
    row const all = sum_of(t, 4, opens);
    for (std::size_t i = 0; i < 4; ++i) y[i] /= all[i] + 1e-6;
    return y;
  });
  check<operand_kind::per_channel, 1, 3, el, er, z>("mean of heads", mean_of_heads, L, R, Z, [&](int t) {
    row const y = of_gat(t);
    return row{(y[0] + y[3]) / 2, (y[1] + y[4]) / 2, (y[2] + y[5]) / 2};
  });
  check<per_head, 2, 1, el, er>(
      "weights of attention", attention_weights, L, R,
      [&](int e) {
        int const t = on().destination(e);
        row y(2);
        for (int head = 0; head < 2; ++head) {
          auto const score = [&](int u) { return std::exp(leaky(L(u, head) + R(t, head))); };
          double const all = sum_of(t, 1, [&](int, int u, int) { return score(u); }).front();
          y[static_cast<std::size_t>(head)] = score(on().source(e)) / all;
        }
        return y;
      },
      true);
}

TEST_CASE("cookbook: geometry", "[cookbook]") {
  auto const& graph = on().graph;
  values<p> const P(graph, 31);
  values<mu> const Mu(graph, 32);
  values<scale> const S(graph, 33);
  values<z> const Z(graph, 34);
  values<f> const F(graph, 35);
  values<h> const H(graph, 36);
  values<left> const M(graph, 37);
  values<right> const N(graph, 38);
  values<x> const X(graph, 39);
  values<place> const Place(graph, 41);
  values<w> const weight(graph, 40);
  check<operand_kind::per_channel, 1, 3, p, mu, scale, z>("MoNet", monet, P, Mu, S, Z, [&](int t) {
    return sum_of(t, 3, [&](int e, int u, int i) {
      double total = 0;
      for (int head = 0; head < 2; ++head) {
        double square = 0;
        for (int j = 0; j < 2; ++j) square += std::pow((P(e, j) - Mu(0, 2 * head + j)) * S(0, 2 * head + j), 2);
        total += std::exp(-0.5 * square) * Z(u, 3 * head + i);
      }
      return total;
    });
  });
  check<wide, 1, 4, f, h>("SchNet", schnet, F, H,
                          [&](int t) { return sum_of(t, 4, [&](int e, int u, int i) { return F(e, i) * H(u, i); }); });
  check<wide, 1, 4, place, h>("filter of a distance", filtered, Place, H, [&](int t) {
    return sum_of(t, 4, [&](int, int u, int i) {
      double square = 0;
      for (int j = 0; j < 3; ++j) square += std::pow(Place(u, j) - Place(t, j), 2);
      return std::exp(-std::sqrt(square)) * H(u, i);
    });
  });
  check<wide, 1, 4, left, right>("EdgeConv", edge_conv, M, N, [&](int t) {
    return most_of(t, 4, [&](int, int u, int i) { return ramp(M(u, i) - M(t, i) + N(t, i)); });
  });
  check<wide, 1, 3, x, w>("EGNN", egnn, X, weight, [&](int t) {
    row y = sum_of(t, 3, [&](int e, int u, int i) { return (X(t, i) - X(u, i)) * weight(e) / degree(t); });
    for (int i = 0; i < 3; ++i) y[static_cast<std::size_t>(i)] += X(t, i);
    return y;
  });
  check<per_head, 1, 1, x>(
      "distances", distances, X,
      [&](int e) {
        double total = 0;
        for (int i = 0; i < 3; ++i) total += std::pow(X(on().source(e), i) - X(on().destination(e), i), 2);
        return row{total};
      },
      true);
  check<wide, 1, 4, left, h, right>("FiLM", film, M, H, N, [&](int t) {
    return sum_of(t, 4, [&](int, int u, int i) { return ramp(M(t, i) * H(u, i) + N(t, i)); });
  });
}

TEST_CASE("cookbook: types of edges", "[cookbook]") {
  auto const& graph = on().graph;
  values<c> const C(graph, 51);
  values<w> const weight(graph, 58);
  values<own> const O(graph, 59);
  values<z> const Z(graph, 52);
  values<h> const H(graph, 53);
  values<r> const R(graph, 54);
  values<q> const Q(graph, 55);
  values<k> const K(graph, 56);
  values<v> const X(graph, 57);
  auto const type = [](int e) { return test_graph::type_of(e); };
  check<operand_kind::per_channel, 1, 3, w, c, z, own>("R-GCN", rgcn, weight, C, Z, O, [&](int t) {
    row y = sum_of(
        t, 3, [&](int e, int u, int i) { return weight(e) * (C(type(e), 0) * Z(u, i) + C(type(e), 1) * Z(u, 3 + i)); });
    for (int i = 0; i < 3; ++i) y[static_cast<std::size_t>(i)] += O(t, i);
    return y;
  });
  check<wide, 1, 4, h, r>("CompGCN", compgcn, H, R, [&](int t) {
    return sum_of(t, 4, [&](int e, int u, int i) { return H(u, i) - R(type(e), i); });
  });
  check<wide, 2, 3, c, q, k, v>("HGT", hgt, C, Q, K, X, [&](int t) {
    return attend(
        t,
        [&](int e, int u, int head) {
          double total = 0;
          for (int i = 3 * head; i < 3 * head + 3; ++i) total += Q(t, i) * K(u, i);
          return C(type(e), head) * total;
        },
        [&](int, int u, int i) { return X(u, i); });
  });
  auto const triple = [&](int e, auto const& term) {
    double total = 0;
    for (int i = 0; i < 4; ++i) total += term(H(on().source(e), i), R(type(e), i), H(on().destination(e), i));
    return row{total};
  };
  check<per_head, 1, 1, h, r>(
      "DistMult", distmult, H, R,
      [&](int e) { return triple(e, [](double s, double m, double t) { return s * m * t; }); }, true);
  check<per_head, 1, 1, h, r>(
      "TransE", transe, H, R,
      [&](int e) { return triple(e, [](double s, double m, double t) { return -std::abs(s + m - t); }); }, true);
}

TEST_CASE("cookbook: matrices, and gathers in messages", "[cookbook]") {
  auto const& graph = on().graph;
  values<h> const H(graph, 61);
  values<W> const M(graph, 62);
  values<first> const first_matrix(graph, 63);
  values<V> const second(graph, 64);
  values<b> const B(graph, 65);
  values<w> const weight(graph, 66);
  auto const times = [](row const& in, auto const& by, int outputs) {
    row y(static_cast<std::size_t>(outputs));
    for (std::size_t i = 0; i < in.size(); ++i) {
      for (int o = 0; o < outputs; ++o) y[static_cast<std::size_t>(o)] += in[i] * by(static_cast<int>(i), o);
    }
    return y;
  };
  check<wide, 1, 3, h, W, b>("SAGE with its matrix", sage, H, M, B, [&](int t) {
    row in;
    for (int i = 0; i < 4; ++i) in.push_back(H(t, i));
    for (double const y : sum_of(t, 4, [&](int, int u, int i) { return H(u, i) / degree(t); })) in.push_back(y);
    row y = times(in, M, 3);
    for (int i = 0; i < 3; ++i) y[static_cast<std::size_t>(i)] = ramp(y[static_cast<std::size_t>(i)] + B(0, i));
    return y;
  });
  auto const hidden = [&](int t) {
    row y = times(sum_of(t, 4, [&](int e, int u, int i) { return weight(e) * H(u, i); }), first_matrix, 3);
    for (double& value : y) value = ramp(value);
    return y;
  };
  check<wide, 1, 3, w, h, first, V>("two layers", two_layers, weight, H, first_matrix, second, [&](int t) {
    return sum_of(t, 3, [&](int e, int u, int i) {
      return weight(e) * times(hidden(u), second, 3)[static_cast<std::size_t>(i)];
    });
  });
  check<per_row, 1, 1, w>("log-sum-exp", log_sum_exp, weight, [&](int t) {
    return row{on().into(t).empty() ? std::log(0.0)
                                    : std::log(sum_of(t, 1, [&](int e, int, int) { return std::exp(weight(e)); })[0])};
  });
  check<per_head, 1, 1, h>(
      "links", links, H,
      [&](int e) {
        double total = 0;
        for (int i = 0; i < 4; ++i) total += H(on().source(e), i) * H(on().destination(e), i);
        return row{gate_of(total)};
      },
      true);
}

TEST_CASE("cookbook: readout of a batch of graphs", "[cookbook]") {
  std::vector<int> const members{0, 1, 2, 3, 4}, graphs{0, 0, 0, 1, 1};  // vertex k is of graph graphs[k]
  auto const to_graphs = ew::to_csr(ew::cpu{}, ew::make_coo({.sources = 5, .destinations = 2}, members, graphs));
  std::vector<double> const features{3, 1, 6, 2, 9, 3, 1, 5, 3, 7};
  std::vector<double> found(4);
  auto const in = ew::bindings(ew::bind<h>(ew::wide(features.data(), 5, 2)));
  ew::fuse(ew::graph{to_graphs}, ew::automatic{}, readout)
      .plan(ew::cpu{}, in)
      .forward(ew::cpu{}, in, ew::out(ew::wide(found.data(), 2, 2)));
  CHECK(found == std::vector<double>{6, 2, 2, 6});
}
