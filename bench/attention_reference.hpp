// Float64 rows of attention and of its gradients, for checking a sample of a result.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <edgewise/core/error.hpp>

#include "harness/host_graph.hpp"
#include "harness/random_value.hpp"
#include "harness/spot_check.hpp"

namespace edgewise::bench {

/// out[v, h, :] = sum over edges u -> v of softmax(score) * value[u, h, :]. Operands by role, H heads of D channels:
enum class attention_form {
  transformer,  ///< score = dot(destination, key) / sqrt(D): destination, key, value [H, D]
  gat,          ///< score = leaky_relu(key + destination): destination, key [H], value [H, D]
  gatv2         ///< score = dot(parameter, leaky_relu(destination + key)), value = key: all [H, D]
};

inline constexpr float attention_slope = 0.2f;

inline char const* form_name(attention_form f) {
  switch (f) {
    case attention_form::transformer:
      return "transformer";
    case attention_form::gat:
      return "gat";
    case attention_form::gatv2:
      return "gatv2";
  }
  return "unknown";
}

/// Heads and channels of a row, and how wide the scores' operands are.
struct attention_shape {
  attention_form form;
  std::int32_t heads;
  std::int32_t channels;

  bool has_value() const { return form != attention_form::gatv2; }  // else values are the keys
  std::int64_t width() const { return std::int64_t{heads} * channels; }
  std::int64_t score_width() const { return form == attention_form::gat ? heads : width(); }
};

/// Seeds of the arrays that a case is filled from by `random_value`.
struct attention_seeds {
  static constexpr std::uint64_t destination = 1, key = 2, value = 3, parameter = 4, out_grad = 5;
};

/// Recomputes rows in float64 from the seeds. Softmax of a destination is kept, because its sources share it. `stored`:
/// a random value as the arrays hold it.
class attention_reference {
public:
  using stored_value = double (*)(float);
  attention_reference(
      host_graph const& graph, attention_shape shape, stored_value stored = [](float x) -> double { return x; })
      : graph_(&graph), shape_(shape), stored_(stored) {}

  /// Elements of a checked row, with the sums of the absolute values of their terms.
  struct row {
    std::vector<double> values;
    std::vector<double> magnitudes;
    double terms = 0;

    explicit row(std::int64_t size)
        : values(static_cast<std::size_t>(size)), magnitudes(static_cast<std::size_t>(size)) {}
    void add(std::int64_t i, double value, double magnitude) {
      values[static_cast<std::size_t>(i)] += value;
      magnitudes[static_cast<std::size_t>(i)] += std::abs(magnitude);
    }
  };

  row out(std::int32_t v) {
    row r(shape_.width());
    for_each_edge_into(v, [&](std::int32_t u) {
      for (std::int32_t h = 0; h < shape_.heads; ++h) {
        double const p = edge(v, u, h).weight;
        for (std::int32_t d = 0; d < shape_.channels; ++d) r.add(at(h, d), p * value(u, h, d), p * value(u, h, d));
      }
      r.terms += 1;
    });
    return r;
  }

  row destination_grad(std::int32_t v) {
    row r(shape_.score_width());
    for_each_edge_into(v, [&](std::int32_t u) {
      for (std::int32_t h = 0; h < shape_.heads; ++h) add_score_grad(r, v, u, h, edge(v, u, h), false);
      r.terms += 1;
    });
    return r;
  }

  /// The gradient of the keys, with what they get as values where they are the values.
  row key_grad(std::int32_t u) {
    row r(shape_.score_width());
    for_each_edge_from(u, [&](std::int32_t v) {
      for (std::int32_t h = 0; h < shape_.heads; ++h) {
        edge_terms const e = edge(v, u, h);
        add_score_grad(r, v, u, h, e, true);
        if (!shape_.has_value()) add_value_grad(r, v, h, e);
      }
      r.terms += 1;
    });
    return r;
  }

  row value_grad(std::int32_t u) {
    row r(shape_.width());
    for_each_edge_from(u, [&](std::int32_t v) {
      for (std::int32_t h = 0; h < shape_.heads; ++h) add_value_grad(r, v, h, edge(v, u, h));
      r.terms += 1;
    });
    return r;
  }

  /// A sum over all edges: affordable on small graphs alone.
  row parameter_grad() {
    row r(shape_.width());
    for (std::int32_t v = 0; v < graph_->by_destination.num_rows(); ++v) {
      for_each_edge_into(v, [&](std::int32_t u) {
        for (std::int32_t h = 0; h < shape_.heads; ++h) {
          edge_terms const e = edge(v, u, h);
          for (std::int32_t d = 0; d < shape_.channels; ++d) {
            double const z = leaky(hidden(v, u, h, d));
            r.add(at(h, d), e.score_grad * z, e.score_grad_size * z);
          }
        }
        r.terms += 1;
      });
    }
    return r;
  }

  /// Multiplications that the gradient of source u takes about, softmax of its destinations included.
  double source_cost(std::int32_t u) const {
    double edges = 0;
    for_each_edge_from(u, [&](std::int32_t v) { edges += degree(v) + 2; });
    return edges * static_cast<double>(shape_.width());
  }

private:
  struct edge_terms {
    double weight;           // softmax
    double score_grad;       // gradient of the score
    double score_grad_size;  // the same with absolute values of its terms
  };
  struct head_softmax {
    double largest = -HUGE_VAL;
    double total = 0;       // of exp(score - largest)
    double inner = 0;       // sum of weight * dot(out_grad, value)
    double inner_size = 0;  // of absolute values
  };

  double degree(std::int32_t v) const {
    return graph_->by_destination.offsets[v + 1] - graph_->by_destination.offsets[v];
  }
  template <class F>
  void for_each_edge_into(std::int32_t v, F const& f) const {
    host_grouping const& g = graph_->by_destination;
    for (std::int32_t k = g.offsets[v]; k < g.offsets[v + 1]; ++k) f(g.neighbors[k]);
  }
  template <class F>
  void for_each_edge_from(std::int32_t u, F const& f) const {
    host_grouping const& g = graph_->by_source;
    for (std::int32_t k = g.offsets[u]; k < g.offsets[u + 1]; ++k) f(g.neighbors[k]);
  }

  std::int64_t at(std::int32_t h, std::int32_t d) const { return std::int64_t{h} * shape_.channels + d; }
  double wide(std::uint64_t seed, std::int32_t vertex, std::int32_t h, std::int32_t d) const {
    return stored_(random_value(seed, static_cast<std::uint64_t>(vertex * shape_.width() + at(h, d))));
  }
  double narrow(std::uint64_t seed, std::int32_t vertex, std::int32_t h) const {
    return stored_(random_value(seed, static_cast<std::uint64_t>(std::int64_t{vertex} * shape_.heads + h)));
  }
  double value(std::int32_t u, std::int32_t h, std::int32_t d) const {
    return wide(shape_.has_value() ? attention_seeds::value : attention_seeds::key, u, h, d);
  }
  static double leaky(double x) { return x > 0 ? x : double{attention_slope} * x; }
  static double leaky_slope(double x) { return x > 0 ? 1 : double{attention_slope}; }
  double scale() const { return 1 / std::sqrt(static_cast<double>(shape_.channels)); }
  // what leaky_relu is taken of
  double hidden(std::int32_t v, std::int32_t u, std::int32_t h, std::int32_t d) const {
    return shape_.form == attention_form::gat
               ? narrow(attention_seeds::key, u, h) + narrow(attention_seeds::destination, v, h)
               : wide(attention_seeds::destination, v, h, d) + wide(attention_seeds::key, u, h, d);
  }

  double score(std::int32_t v, std::int32_t u, std::int32_t h) const {
    if (shape_.form == attention_form::gat) return leaky(hidden(v, u, h, 0));
    double sum = 0;
    for (std::int32_t d = 0; d < shape_.channels; ++d) {
      sum += shape_.form == attention_form::transformer
                 ? wide(attention_seeds::destination, v, h, d) * wide(attention_seeds::key, u, h, d) * scale()
                 : wide(attention_seeds::parameter, 0, h, d) * leaky(hidden(v, u, h, d));
    }
    return sum;
  }
  // dot(out_grad, value), and the same of absolute values
  std::pair<double, double> value_dot(std::int32_t v, std::int32_t u, std::int32_t h) const {
    double sum = 0, size = 0;
    for (std::int32_t d = 0; d < shape_.channels; ++d) {
      double const term = wide(attention_seeds::out_grad, v, h, d) * value(u, h, d);
      sum += term;
      size += std::abs(term);
    }
    return {sum, size};
  }

  std::vector<head_softmax> const& softmax_of(std::int32_t v) {
    auto const [found, is_new] = kept_.try_emplace(v);
    if (is_new) {
      found->second.resize(static_cast<std::size_t>(shape_.heads));
      for (std::int32_t h = 0; h < shape_.heads; ++h) {
        head_softmax& s = found->second[static_cast<std::size_t>(h)];
        std::vector<double> scores;
        for_each_edge_into(v, [&](std::int32_t u) { scores.push_back(score(v, u, h)); });
        for (double x : scores) s.largest = std::max(s.largest, x);
        std::size_t k = 0;
        for_each_edge_into(v, [&](std::int32_t u) {
          double const p = std::exp(scores[k++] - s.largest);
          auto const [dot, size] = value_dot(v, u, h);
          s.total += p;
          s.inner += p * dot;
          s.inner_size += p * size;
        });
        s.inner /= s.total;
        s.inner_size /= s.total;
      }
    }
    return found->second;
  }

  edge_terms edge(std::int32_t v, std::int32_t u, std::int32_t h) {
    head_softmax const& s = softmax_of(v)[static_cast<std::size_t>(h)];
    double const p = std::exp(score(v, u, h) - s.largest) / s.total;
    auto const [dot, size] = value_dot(v, u, h);
    return {p, p * (dot - s.inner), p * (size + s.inner_size)};
  }

  // the score's gradient times its derivative by the destination's (or the key's) operand
  void add_score_grad(row& r, std::int32_t v, std::int32_t u, std::int32_t h, edge_terms const& e, bool by_key) const {
    if (shape_.form == attention_form::gat) {
      double const slope = leaky_slope(hidden(v, u, h, 0));
      r.add(h, e.score_grad * slope, e.score_grad_size * slope);
      return;
    }
    for (std::int32_t d = 0; d < shape_.channels; ++d) {
      double const slope =
          shape_.form == attention_form::transformer
              ? scale() * (by_key ? wide(attention_seeds::destination, v, h, d) : wide(attention_seeds::key, u, h, d))
              : wide(attention_seeds::parameter, 0, h, d) * leaky_slope(hidden(v, u, h, d));
      r.add(at(h, d), e.score_grad * slope, e.score_grad_size * slope);
    }
  }
  void add_value_grad(row& r, std::int32_t v, std::int32_t h, edge_terms const& e) const {
    for (std::int32_t d = 0; d < shape_.channels; ++d) {
      double const term = e.weight * wide(attention_seeds::out_grad, v, h, d);
      r.add(at(h, d), term, term);
    }
  }

  host_graph const* graph_;
  attention_shape shape_;
  stored_value stored_;
  std::unordered_map<std::int32_t, std::vector<head_softmax>> kept_;
};

}  // namespace edgewise::bench
