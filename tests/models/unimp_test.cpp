#include "models/unimp.hpp"

#include <cmath>

#include "support/catch.hpp"

#include "check_model.hpp"

namespace edgewise::testing {
namespace {

dense_rows mixed(dense_rows const& attended, dense_rows own, dense_rows const& attended_gate,
                 dense_rows const& own_gate) {
  for (int v = 0; v < own.count(); ++v) {
    double score = 0;
    for (int i = 0; i < own.width; ++i)
      score += attended_gate.elements[i] * attended.at(v, i) + own_gate.elements[i] * own.at(v, i);
    double const gate = 1 / (1 + std::exp(-score));
    for (int i = 0; i < own.width; ++i) own.at(v, i) = (1 - gate) * attended.at(v, i) + gate * own.at(v, i);
  }
  return own;
}
dense_rows normalized(dense_rows rows, dense_rows const& gain, dense_rows const& shift) {
  for (int v = 0; v < rows.count(); ++v) {
    double mean = 0, variance = 0;
    for (int i = 0; i < rows.width; ++i) mean += rows.at(v, i) / rows.width;
    for (int i = 0; i < rows.width; ++i) variance += (rows.at(v, i) - mean) * (rows.at(v, i) - mean) / rows.width;
    for (int i = 0; i < rows.width; ++i)
      rows.at(v, i) = (rows.at(v, i) - mean) / std::sqrt(variance + 1e-5) * gain.elements[i] + shift.elements[i];
  }
  return rows;
}

// Parameters: those of gt, then gates, gain and shift of the first layer, gates of the second.
dense_rows formula(test_graph const& graph, dense_rows const& x, dense_parameters const& p, int output_heads) {
  auto const attended = [&](dense_rows const& rows, std::size_t first, int heads) {
    auto const query = add(product(rows, p[first]), p[first + 4], same), key = product(rows, p[first + 1]);
    int const channels = key.width / heads;
    return attend(graph, false, product(rows, p[first + 2]), heads, [&, channels](int u, int v, int head) {
      return dot(query, v, key, u, head, channels) / std::sqrt(static_cast<double>(channels));
    });
  };
  auto const first = mixed(attended(x, 0, 2), add(product(x, p[3]), p[10], same), p[12], p[13]);
  auto const hidden = add(normalized(first, p[14], p[15]), zeros(1, first.width), ramp);
  auto const kept = add(mean_of_heads(product(hidden, p[8]), output_heads), p[11], same);
  return mixed(mean_of_heads(attended(hidden, 5, output_heads), output_heads), kept, p[16], p[17]);
}

TEST_CASE("unimp: its formula, gradients, inference and errors", "[models]") {
  check_model<models::unimp>("unimp", {1, 2}, formula);
}
TEST_CASE("unimp: trains", "[models]") { check_training<models::unimp>(0.8); }

}  // namespace
}  // namespace edgewise::testing
