// bench_numerics: errors of the library's results on the host by storage type, against float64 on the operands and
// adjoints as they are stored. Prints the table of docs/numerics.md; it times nothing and takes no options.
#include <edgewise/edgewise.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "harness/random_value.hpp"

namespace {

namespace ew = edgewise;
using ew::bench::random_value;

struct feature;
struct weight;
struct query;
struct key;
struct value;

constexpr int num_vertices = 2000;
constexpr int degree = 25;
constexpr int num_edges = num_vertices * degree;
constexpr int heads = 4;
constexpr int channels = 64;
constexpr int width = heads * channels;
constexpr double scale = 0.125;  // of scores: 1 / sqrt(channels)

constexpr std::uint64_t source_seed = 1, weight_seed = 2, query_seed = 3, key_seed = 4, value_seed = 5,
                        adjoint_seed = 6;

/// Standard normal (Box-Muller, one of the pair): element `index` of array `seed`.
float normal_value(std::uint64_t seed, std::uint64_t index) {
  double const radius = std::sqrt(-2 * std::log((1 - double{random_value(seed, 2 * index)}) / 2));  // of (0, 1]
  return static_cast<float>(radius * std::cos(3.141592653589793 * random_value(seed, 2 * index + 1)));
}

template <class T>
std::vector<T> normal_values(std::size_t size, std::uint64_t seed) {
  std::vector<T> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<T>(normal_value(seed, i));
  return values;
}

template <class T>
std::vector<double> widened(std::vector<T> const& values) {
  std::vector<double> wide(values.size());
  std::transform(values.begin(), values.end(), wide.begin(), [](T x) { return double{static_cast<float>(x)}; });
  return wide;
}

/// Edge e goes from sources[e] to vertex e / degree.
struct random_graph {
  std::vector<int> sources = std::vector<int>(num_edges);
  std::vector<int> destinations = std::vector<int>(num_edges);

  random_graph() {
    for (int e = 0; e < num_edges; ++e) {
      double const uniform = (random_value(source_seed, static_cast<std::uint64_t>(e)) + 1.0) / 2;
      sources[e] = static_cast<int>(uniform * num_vertices);
      destinations[e] = e / degree;
    }
  }
};

/// Elements of a result beside what they should be.
class error_meter {
public:
  template <class T>
  void add(std::vector<T> const& actual, std::vector<double> const& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      double const error = double{static_cast<float>(actual[i])} - expected[i];
      squared_errors_ += error * error;
      squares_ += expected[i] * expected[i];
      largest_error_ = std::max(largest_error_, std::abs(error));
      largest_ = std::max(largest_, std::abs(expected[i]));
    }
  }

  /// Root mean square of the errors over that of the results.
  double root_mean_square() const { return std::sqrt(squared_errors_ / squares_); }
  /// Largest error over the largest result.
  double largest() const { return largest_error_ / largest_; }

private:
  double squared_errors_ = 0;
  double squares_ = 0;
  double largest_error_ = 0;
  double largest_ = 0;
};

/// Weights [E], features and result [V, heads, channels].
std::vector<double> reference_weighted_sum(random_graph const& graph, std::vector<double> const& weights,
                                           std::vector<double> const& features) {
  std::vector<double> out(features.size());
  for (int e = 0; e < num_edges; ++e) {
    double const* const from = &features[static_cast<std::size_t>(graph.sources[e]) * width];
    double* const to = &out[static_cast<std::size_t>(graph.destinations[e]) * width];
    for (int i = 0; i < width; ++i) to[i] += weights[e] * from[i];
  }
  return out;
}

/// Attention and its gradients, or its operands: all [V, heads, channels].
struct attention_rows {
  std::vector<double> out, query, key, value;
};

double dot_of(double const* a, double const* b) {
  double sum = 0;
  for (int channel = 0; channel < channels; ++channel) sum += a[channel] * b[channel];
  return sum;
}

void add_scaled(double* to, double factor, double const* from) {
  for (int channel = 0; channel < channels; ++channel) to[channel] += factor * from[channel];
}

/// `operands.out` is the adjoint of the result's `out`.
attention_rows reference_attention(random_graph const& graph, attention_rows const& operands) {
  std::vector<double> const zeros(operands.out.size());
  attention_rows result{zeros, zeros, zeros, zeros};
  for (int v = 0; v < num_vertices; ++v) {
    for (int head = 0; head < heads; ++head) {
      auto const at = [head](auto& rows, int vertex) {
        return &rows[static_cast<std::size_t>(vertex) * width + static_cast<std::size_t>(head) * channels];
      };
      int const* const sources = &graph.sources[static_cast<std::size_t>(v) * degree];
      double p[degree];
      for (int j = 0; j < degree; ++j) {
        p[j] = scale * dot_of(at(operands.query, v), at(operands.key, sources[j]));
      }
      double const greatest = *std::max_element(p, p + degree);
      double total = 0;
      for (double& x : p) total += x = std::exp(x - greatest);
      double slope[degree];  // of the adjoint's inner product with `out`, by p
      double mean_slope = 0;
      for (int j = 0; j < degree; ++j) {
        p[j] /= total;
        slope[j] = dot_of(at(operands.out, v), at(operands.value, sources[j]));
        mean_slope += p[j] * slope[j];
      }
      for (int j = 0; j < degree; ++j) {
        double const score_gradient = scale * p[j] * (slope[j] - mean_slope);
        add_scaled(at(result.out, v), p[j], at(operands.value, sources[j]));
        add_scaled(at(result.query, v), score_gradient, at(operands.key, sources[j]));
        add_scaled(at(result.key, sources[j]), score_gradient, at(operands.query, v));
        add_scaled(at(result.value, sources[j]), p[j], at(operands.out, v));
      }
    }
  }
  return result;
}

template <class T>
auto rows_of(std::vector<T>& values) {
  return ew::wide(values.data(), num_vertices, heads, channels);
}
template <class T>
auto rows_of(std::vector<T> const& values) {
  return ew::wide(values.data(), num_vertices, heads, channels);
}

constexpr std::size_t row_elements = std::size_t{num_vertices} * width;

template <class Operand, class Output>
error_meter weighted_sum_error(random_graph const& edges, auto const& graph) {
  auto const weights = normal_values<Operand>(num_edges, weight_seed);
  auto const features = normal_values<Operand>(row_elements, value_seed);
  std::vector<Output> out(row_elements);
  auto const program = ew::gather<ew::sum>(ew::edge<weight> * ew::src<feature>);
  auto const in =
      ew::bindings(ew::bind<weight>(ew::per_row(weights.data(), num_edges)), ew::bind<feature>(rows_of(features)));
  auto const plan = ew::fuse(graph, ew::automatic{}, program).plan(ew::cpu{}, in);
  plan.forward(ew::cpu{}, in, ew::out(rows_of(out)));
  error_meter errors;
  errors.add(out, reference_weighted_sum(edges, widened(weights), widened(features)));
  return errors;
}

struct attention_errors {
  error_meter out, scores, values;
};

template <class Operand, class Output, class Gradient>
attention_errors errors_of_attention(random_graph const& edges, auto const& graph) {
  auto const queries = normal_values<Operand>(row_elements, query_seed);
  auto const keys = normal_values<Operand>(row_elements, key_seed);
  auto const values = normal_values<Operand>(row_elements, value_seed);
  auto const adjoint = normal_values<Output>(row_elements, adjoint_seed);  // stored as the output
  std::vector<Output> out(row_elements);
  std::vector<Gradient> query_gradient(row_elements), key_gradient(row_elements), value_gradient(row_elements);
  auto const score = ew::dot(ew::dst<query>, ew::src<key>) * scale;
  auto const program = ew::gather<ew::sum>(ew::softmax(score) * ew::src<value>);
  auto const in =
      ew::bindings(ew::bind<query>(rows_of(queries)), ew::bind<key>(rows_of(keys)), ew::bind<value>(rows_of(values)));
  auto const plan = ew::fuse(graph, ew::automatic{}, program).plan(ew::cpu{}, in);
  auto saved = plan.make_saved(ew::cpu{});
  plan.forward(ew::cpu{}, in, ew::out(rows_of(out)), saved);
  plan.backward(ew::cpu{}, in, saved, ew::grad_out(rows_of(adjoint)), ew::grad<query>(rows_of(query_gradient)),
                ew::grad<key>(rows_of(key_gradient)), ew::grad<value>(rows_of(value_gradient)));
  auto const expected =
      reference_attention(edges, {widened(adjoint), widened(queries), widened(keys), widened(values)});
  attention_errors errors;
  errors.out.add(out, expected.out);
  errors.scores.add(query_gradient, expected.query);
  errors.scores.add(key_gradient, expected.key);
  errors.values.add(value_gradient, expected.value);
  return errors;
}

/// Two digits: 1.7e-3.
std::string to_text(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", x);
  std::string digits(text);
  auto const zero = digits.find("e-0");
  return zero == std::string::npos ? digits : digits.erase(zero + 2, 1);
}

/// Prints a row of the table; the largest error of its columns, over the largest result.
template <class Operand, class Output, class Gradient>
double print_row(random_graph const& edges, auto const& graph) {
  auto const sum = weighted_sum_error<Operand, Output>(edges, graph);
  auto const attention = errors_of_attention<Operand, Output, Gradient>(edges, graph);
  std::printf("| `%s` | `%s` | `%s` |", ew::storage_name<Operand>(), ew::storage_name<Output>(),
              ew::storage_name<Gradient>());
  double largest = 0;
  for (error_meter const& column : {sum, attention.out, attention.scores, attention.values}) {
    std::printf(" %s |", to_text(column.root_mean_square()).c_str());
    largest = std::max(largest, column.largest());
  }
  std::printf("\n");
  return largest;
}

}  // namespace

int main() {
  random_graph const edges;
  auto const coo =
      ew::make_coo({.sources = num_vertices, .destinations = num_vertices}, edges.sources, edges.destinations);
  auto const csr = ew::to_csr(ew::cpu{}, coo);
  auto const csc = ew::to_csc(ew::cpu{}, coo);
  ew::graph const graph{csr, csc};
  using ew::bfloat16;
  using ew::float16;
  std::printf(
      "| operands | output | gradients | sum of weighted rows | attention | gradient of queries, keys | of "
      "values |\n| --- | --- | --- | --- | --- | --- | --- |\n");
  print_row<float, float, float>(edges, graph);
  print_row<bfloat16, float, float>(edges, graph);
  double of_bfloat16 = print_row<bfloat16, bfloat16, float>(edges, graph);
  of_bfloat16 = std::max(of_bfloat16, print_row<bfloat16, bfloat16, bfloat16>(edges, graph));
  print_row<float16, float, float>(edges, graph);
  double of_float16 = print_row<float16, float16, float>(edges, graph);
  of_float16 = std::max(of_float16, print_row<float16, float16, float16>(edges, graph));
  std::printf("\nLargest error of 16-bit outputs and gradients over the largest result: %s (bfloat16), %s (float16)\n",
              to_text(of_bfloat16).c_str(), to_text(of_float16).c_str());
  return 0;
}
