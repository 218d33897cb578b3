// Reference gathers: the messages of a row in a list, combined as the definition says.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../support/test_graph.hpp"
#include "../support/tolerance.hpp"
#include "term.hpp"

namespace edgewise::reference {

using testing::expected_values;
using testing::test_graph;

/// How a row combines its messages m_1 .. m_n; n = 0 gives 0 (max, min: with argument -1).
enum class gather_kind {
  sum,     // m_1 + ... + m_n
  mean,    // sum / n
  max,     // greatest; the first of the row on ties; NaN (the first) if any is NaN
  min,     // least, the same way
  prod,    // m_1 * ... * m_n
  stddev,  // sqrt(variance + epsilon), variance = sum of (m_i - mean)^2 / n; with n = 1 it is sqrt(epsilon)
};

inline constexpr char const* name_of(gather_kind kind) {
  constexpr char const* names[]{"sum", "mean", "max", "min", "prod", "stddev"};
  return names[static_cast<int>(kind)];
}

/// One combined row: `argument` is the index of the message that max or min chose, -1 for others and empty rows.
struct combined {
  term result;
  int argument = -1;
};

/// Combines the messages of one row. An empty row gives 0, and prod too.
inline combined combine(gather_kind kind, std::vector<term> const& messages, double epsilon) {
  if (messages.empty()) return {};
  double const count = static_cast<double>(messages.size());
  term sum(0);
  for (term const& m : messages) sum = {sum.value + m.value, sum.magnitude + m.magnitude};
  switch (kind) {
    case gather_kind::sum:
      return {sum};
    case gather_kind::mean:
      return {{sum.value / count, sum.magnitude / count}};
    case gather_kind::prod: {
      term product(1);
      for (term const& m : messages) product = {product.value * m.value, product.magnitude * m.magnitude};
      return {product};
    }
    case gather_kind::max:
    case gather_kind::min: {
      int best = 0;
      for (int i = 1; i < static_cast<int>(messages.size()); ++i) {
        double const old = messages[best].value;
        double const candidate = messages[i].value;
        if (std::isnan(old)) break;
        bool const better = kind == gather_kind::max ? candidate > old : candidate < old;
        if (better || std::isnan(candidate)) best = i;
      }
      return {messages[best], best};
    }
    case gather_kind::stddev: {
      double const mean = sum.value / count;
      double variance = 0;
      double mean_square = 0;
      for (term const& m : messages) {
        variance += (m.value - mean) * (m.value - mean) / count;
        mean_square += m.magnitude * m.magnitude / count;
      }
      double const deviation = std::sqrt(variance + epsilon);
      // Stable one-pass algorithms err by about eps * root mean square (Chan, Golub & LeVeque 1983); the difference of
      // mean square and squared mean errs by more where the mean is large, and is meant to fail.
      return {{deviation, deviation + std::sqrt(mean_square)}};
    }
  }
  return {};
}

/// A gathered array. Shapes: out [num_destinations, heads * channels]; the arguments the same, filled by max and min
/// only.
struct gathered {
  expected_values out;
  std::vector<std::int64_t> argument_position = {};  // position in the destination grouping, -1 in empty rows
  std::vector<std::int64_t> argument_edge = {};      // the edge id there, -1 in empty rows
};

/// Gathers message(source, destination, edge_id, head, channel), a number or `term`, over the incoming edges of every
/// row. Arguments are meaningful for an implementation in lower precision only where messages are exact in it.
template <class Message>
gathered reference_gather(test_graph const& graph, gather_kind kind, int heads, int channels, Message&& message,
                          double epsilon = 1e-5) {
  auto const& rows = graph.by_destination;
  bool const has_argument = kind == gather_kind::max || kind == gather_kind::min;
  std::size_t const width = static_cast<std::size_t>(heads) * channels;
  gathered result{.out = expected_values(graph.num_destinations, width)};
  if (has_argument) {
    result.argument_position.assign(result.out.size(), -1);
    result.argument_edge.assign(result.out.size(), -1);
  }
  for (int v = 0; v < graph.num_destinations; ++v) {
    for (int head = 0; head < heads; ++head) {
      for (int channel = 0; channel < channels; ++channel) {
        std::vector<term> messages;
        for (int k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
          messages.push_back(message(rows.neighbors[k], v, rows.edge_ids[k], head, channel));
        }
        combined const row = combine(kind, messages, epsilon);
        std::size_t const element = v * width + head * channels + channel;
        result.out.value[element] = row.result.value;
        result.out.scale[element] = row.result.magnitude;
        // Choosing rounds nothing: only the chosen message's own rounding counts.
        result.out.terms[element] = has_argument ? 1.0 : static_cast<double>(messages.size());
        if (row.argument >= 0) {
          int const position = rows.offsets[v] + row.argument;
          result.argument_position[element] = position;
          result.argument_edge[element] = rows.edge_ids[position];
        }
      }
    }
  }
  return result;
}

}  // namespace edgewise::reference
