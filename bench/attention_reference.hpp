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
  transformer,      ///< score = dot(destination, key) / sqrt(D): destination, key, value [H, D]
  gat,              ///< score = leaky_relu(key + destination): destination, key [H], value [H, D]
  gatv2,            ///< score = dot(parameter, leaky_relu(destination + key)), value = key: all [H, D]
  edge_transformer  ///< transformer with key + feature for key and value + feature for value: feature [H, D] of an edge
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
    case attention_form::edge_transformer:
      return "edge_transformer";
  }
  return "unknown";
}

/// Heads and channels of a row, and how wide the scores' operands are.
struct attention_shape {
  attention_form form;
  std::int32_t heads;
  std::int32_t channels;

  bool has_value() const { return form != attention_form::gatv2; }  // else values are the keys
  bool has_feature() const { return form == attention_form::edge_transformer; }
  bool sums_product() const { return form == attention_form::transformer || has_feature(); }
  std::int64_t width() const { return std::int64_t{heads} * channels; }
  std::int64_t score_width() const { return form == attention_form::gat ? heads : width(); }
};

/// Seeds of the arrays that a case is filled from by `random_value`.
struct attention_seeds {
  static constexpr std::uint64_t destination = 1, key = 2, value = 3, parameter = 4, out_grad = 5, feature = 6;
};

/// Recomputes rows in float64 from the seeds. Softmax of a destination is kept, because its sources share it. `stored`:
/// a random value as the arrays hold it.
class attention_reference {
public:
  using stored_value = double (*)(float);
  attention_reference(
      host_graph const& graph, attention_shape shape, stored_value stored = [](float x) -> double { return x; })
      : graph_(&graph), shape_(shape), stored_(stored) {}

  host_graph const& graph() const { return *graph_; }
  attention_shape shape() const { return shape_; }

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
    for_each_edge_into(v, [&](edge_ends const& e) {
      for (std::int32_t h = 0; h < shape_.heads; ++h) {
        double const p = terms_of(e, h).weight;
        for (std::int32_t d = 0; d < shape_.channels; ++d) r.add(at(h, d), p * value(e, h, d), p * value(e, h, d));
      }
      r.terms += 1;
    });
    return r;
  }

  row destination_grad(std::int32_t v) {
    row r(shape_.score_width());
    for_each_edge_into(v, [&](edge_ends const& e) {
      for (std::int32_t h = 0; h < shape_.heads; ++h) add_score_grad(r, e, h, terms_of(e, h), false);
      r.terms += 1;
    });
    return r;
  }

  /// The gradient of the keys, with what they get as values where they are the values.
  row key_grad(std::int32_t u) {
    row r(shape_.score_width());
    for_each_edge_from(u, [&](edge_ends const& e) {
      for (std::int32_t h = 0; h < shape_.heads; ++h) {
        edge_terms const terms = terms_of(e, h);
        add_score_grad(r, e, h, terms, true);
        if (!shape_.has_value()) add_value_grad(r, e, h, terms);
      }
      r.terms += 1;
    });
    return r;
  }

  row value_grad(std::int32_t u) {
    row r(shape_.width());
    for_each_edge_from(u, [&](edge_ends const& e) {
      for (std::int32_t h = 0; h < shape_.heads; ++h) add_value_grad(r, e, h, terms_of(e, h));
      r.terms += 1;
    });
    return r;
  }

  /// The gradient of an edge's feature: of the edge at `position` of the grouping by destination, into v.
  row feature_grad(std::int32_t v, std::int32_t position) {
    row r(shape_.width());
    host_grouping const& g = graph_->by_destination;
    edge_ends const e{v, g.neighbors[static_cast<std::size_t>(position)], g.edge_id(position)};
    for (std::int32_t h = 0; h < shape_.heads; ++h) {
      edge_terms const terms = terms_of(e, h);
      add_score_grad(r, e, h, terms, true);
      add_value_grad(r, e, h, terms);
    }
    r.terms = 1;
    return r;
  }

  /// A sum over all edges: affordable on small graphs alone.
  row parameter_grad() {
    row r(shape_.width());
    for (std::int32_t v = 0; v < graph_->by_destination.num_rows(); ++v) {
      for_each_edge_into(v, [&](edge_ends const& e) {
        for (std::int32_t h = 0; h < shape_.heads; ++h) {
          edge_terms const terms = terms_of(e, h);
          for (std::int32_t d = 0; d < shape_.channels; ++d) {
            double const z = leaky(hidden(e, h, d));
            r.add(at(h, d), terms.score_grad * z, terms.score_grad_size * z);
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
    for_each_edge_from(u, [&](edge_ends const& e) { edges += degree(e.destination) + 2; });
    return edges * static_cast<double>(shape_.width());
  }

private:
  struct edge_ends {
    std::int32_t destination;
    std::int32_t source;
    std::int32_t id;
  };
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
    for (std::int32_t k = g.offsets[v]; k < g.offsets[v + 1]; ++k) f(edge_ends{v, g.neighbors[k], g.edge_id(k)});
  }
  template <class F>
  void for_each_edge_from(std::int32_t u, F const& f) const {
    host_grouping const& g = graph_->by_source;
    for (std::int32_t k = g.offsets[u]; k < g.offsets[u + 1]; ++k) f(edge_ends{g.neighbors[k], u, g.edge_id(k)});
  }

  std::int64_t at(std::int32_t h, std::int32_t d) const { return std::int64_t{h} * shape_.channels + d; }
  double wide(std::uint64_t seed, std::int32_t row, std::int32_t h, std::int32_t d) const {
    return stored_(random_value(seed, static_cast<std::uint64_t>(row * shape_.width() + at(h, d))));
  }
  double narrow(std::uint64_t seed, std::int32_t vertex, std::int32_t h) const {
    return stored_(random_value(seed, static_cast<std::uint64_t>(std::int64_t{vertex} * shape_.heads + h)));
  }
  double feature(edge_ends const& e, std::int32_t h, std::int32_t d) const {
    return shape_.has_feature() ? wide(attention_seeds::feature, e.id, h, d) : 0;
  }
  double key(edge_ends const& e, std::int32_t h, std::int32_t d) const {
    return wide(attention_seeds::key, e.source, h, d) + feature(e, h, d);
  }
  double value(edge_ends const& e, std::int32_t h, std::int32_t d) const {
    return wide(shape_.has_value() ? attention_seeds::value : attention_seeds::key, e.source, h, d) + feature(e, h, d);
  }
  static double leaky(double x) { return x > 0 ? x : double{attention_slope} * x; }
  static double leaky_slope(double x) { return x > 0 ? 1 : double{attention_slope}; }
  double scale() const { return 1 / std::sqrt(static_cast<double>(shape_.channels)); }
  // what leaky_relu is taken of
  double hidden(edge_ends const& e, std::int32_t h, std::int32_t d) const {
    return shape_.form == attention_form::gat
               ? narrow(attention_seeds::key, e.source, h) + narrow(attention_seeds::destination, e.destination, h)
               : wide(attention_seeds::destination, e.destination, h, d) + wide(attention_seeds::key, e.source, h, d);
  }

  double score(edge_ends const& e, std::int32_t h) const {
    if (shape_.form == attention_form::gat) return leaky(hidden(e, h, 0));
    double sum = 0;
    for (std::int32_t d = 0; d < shape_.channels; ++d) {
      sum += shape_.sums_product() ? wide(attention_seeds::destination, e.destination, h, d) * key(e, h, d) * scale()
                                   : wide(attention_seeds::parameter, 0, h, d) * leaky(hidden(e, h, d));
    }
    return sum;
  }
  // dot(out_grad, value), and the same of absolute values
  std::pair<double, double> value_dot(edge_ends const& e, std::int32_t h) const {
    double sum = 0, size = 0;
    for (std::int32_t d = 0; d < shape_.channels; ++d) {
      double const term = wide(attention_seeds::out_grad, e.destination, h, d) * value(e, h, d);
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
        for_each_edge_into(v, [&](edge_ends const& e) { scores.push_back(score(e, h)); });
        for (double x : scores) s.largest = std::max(s.largest, x);
        std::size_t k = 0;
        for_each_edge_into(v, [&](edge_ends const& e) {
          double const p = std::exp(scores[k++] - s.largest);
          auto const [dot, size] = value_dot(e, h);
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

  edge_terms terms_of(edge_ends const& e, std::int32_t h) {
    head_softmax const& s = softmax_of(e.destination)[static_cast<std::size_t>(h)];
    double const p = std::exp(score(e, h) - s.largest) / s.total;
    auto const [dot, size] = value_dot(e, h);
    return {p, p * (dot - s.inner), p * (size + s.inner_size)};
  }

  // the score's gradient times its derivative by the destination's (or the key's) operand
  void add_score_grad(row& r, edge_ends const& e, std::int32_t h, edge_terms const& terms, bool by_key) const {
    if (shape_.form == attention_form::gat) {
      double const slope = leaky_slope(hidden(e, h, 0));
      r.add(h, terms.score_grad * slope, terms.score_grad_size * slope);
      return;
    }
    for (std::int32_t d = 0; d < shape_.channels; ++d) {
      double const slope =
          shape_.sums_product()
              ? scale() * (by_key ? wide(attention_seeds::destination, e.destination, h, d) : key(e, h, d))
              : wide(attention_seeds::parameter, 0, h, d) * leaky_slope(hidden(e, h, d));
      r.add(at(h, d), terms.score_grad * slope, terms.score_grad_size * slope);
    }
  }
  void add_value_grad(row& r, edge_ends const& e, std::int32_t h, edge_terms const& terms) const {
    for (std::int32_t d = 0; d < shape_.channels; ++d) {
      double const term = terms.weight * wide(attention_seeds::out_grad, e.destination, h, d);
      r.add(at(h, d), term, term);
    }
  }

  host_graph const* graph_;
  attention_shape shape_;
  stored_value stored_;
  std::unordered_map<std::int32_t, std::vector<head_softmax>> kept_;
};

}  // namespace edgewise::bench
