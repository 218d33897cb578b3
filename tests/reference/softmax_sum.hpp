// Reference of the softmax-weighted sum: out[v,h,l] = sum over e into v of p[e,h] * value[e,h,l],
// p[e,h] = exp(score[e,h]) / sum over e' into v of exp(score[e',h]).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "gather.hpp"

namespace edgewise::reference {

/// The softmax-weighted sum and what goes with it.
/// Shapes: out [num_destinations, heads, channels]; lse [num_destinations, heads]; probability [E, heads] by edge id.
struct softmax_gathered {
  expected_values out;
  expected_values lse;  // natural logarithm of the sum of exp(score)
  expected_values probability;
};

/// Weights value(source, destination, edge_id, head, channel) by the softmax over each row of
/// score(source, destination, edge_id, head); both return a number or `term`.
/// Empty rows, and rows whose scores are all -inf, give 0 and lse = -inf. A score of -inf masks its edge: probability
/// 0, and its value is not read, so that it may be infinite or NaN. A score of +inf or NaN makes its row and head NaN.
template <class Score, class Value>
softmax_gathered reference_softmax_sum(test_graph const& graph, int heads, int channels, Score&& score, Value&& value) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  auto const& rows = graph.by_destination;
  softmax_gathered result{.out = expected_values(graph.num_destinations, static_cast<std::size_t>(heads) * channels),
                          .lse = expected_values(graph.num_destinations, heads),
                          .probability = expected_values(graph.num_edges(), heads)};
  for (int v = 0; v < graph.num_destinations; ++v) {
    for (int head = 0; head < heads; ++head) {
      int const begin = rows.offsets[v];
      int const end = rows.offsets[v + 1];
      double const degree = end - begin;
      std::vector<term> scores;
      for (int k = begin; k < end; ++k) scores.push_back(score(rows.neighbors[k], v, rows.edge_ids[k], head));

      double greatest = -infinity;
      double magnitude = 0;  // of the scores that count: an error of score is a relative error of its exponential
      bool all_numbers = true;
      for (term const& s : scores) {
        if (s.value == -infinity) continue;
        all_numbers = all_numbers && std::isfinite(s.value);
        greatest = std::max(greatest, s.value);
        magnitude = std::max(magnitude, s.magnitude);
      }
      double total = 0;
      for (term const& s : scores) total += s.value == -infinity ? 0 : std::exp(s.value - greatest);
      if (!all_numbers) total = std::numeric_limits<double>::quiet_NaN();

      std::size_t const row_head = static_cast<std::size_t>(v) * heads + head;
      result.lse.value[row_head] = total == 0 ? -infinity : greatest + std::log(total);
      result.lse.scale[row_head] = total == 0 ? 0 : 1 + magnitude + std::abs(result.lse.value[row_head]);
      result.lse.terms[row_head] = degree;

      double const relative = 1 + 2 * magnitude;  // rounding errors of p are this many eps of p
      for (int k = begin; k < end; ++k) {
        bool const masked = scores[k - begin].value == -infinity;
        double p = masked ? 0 : std::exp(scores[k - begin].value - greatest) / total;
        if (!all_numbers) p = std::numeric_limits<double>::quiet_NaN();
        std::size_t const edge_head = static_cast<std::size_t>(rows.edge_ids[k]) * heads + head;
        result.probability.value[edge_head] = p;
        result.probability.scale[edge_head] = p * relative;
        result.probability.terms[edge_head] = degree;
        if (masked && all_numbers) continue;
        for (int channel = 0; channel < channels; ++channel) {
          term const x = value(rows.neighbors[k], v, rows.edge_ids[k], head, channel);
          result.out.value[row_head * channels + channel] += p * x.value;
          result.out.scale[row_head * channels + channel] += p * relative * x.magnitude;
        }
      }
      for (int channel = 0; channel < channels; ++channel) result.out.terms[row_head * channels + channel] = degree;
    }
  }
  return result;
}

}  // namespace edgewise::reference
