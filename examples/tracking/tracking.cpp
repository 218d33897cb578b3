// Particle tracking on the host: trains the network on simulated events and scores the edges of a fresh one.
#include <cmath>
#include <cstddef>
#include <iostream>
#include <vector>

#include "events.hpp"
#include "tracking.hpp"

using namespace tracking;

namespace {

/// The parameters after steps of Adam (Kingma and Ba 2015), each on the binary cross entropy of the edges of an event.
std::vector<float> train(std::vector<event> const& events, std::vector<float> values, int epochs) {
  std::vector<float> gradients(values.size()), first(values.size()), second(values.size());
  parameters<float> const d{gradients.data()};
  for (int step = 0; step < epochs * static_cast<int>(events.size()); ++step) {
    event const& now = events[static_cast<std::size_t>(step) % events.size()];
    std::vector<float> out(now.is_true.size()), dout(out.size());
    auto const edges = view_edges(now.num_hits(), now.edge_index.data(), now.num_edges());
    auto const csr = ew::to_csr(ew::cpu{}, edges);
    auto const csc = ew::to_csc(ew::cpu{}, edges);  // backward reads it
    auto const in = bind_all(now.hits.data(), now.num_hits(), {values.data()});
    auto const plan = ew::fuse(ew::graph{csr, csc}, ew::automatic{}, logits).plan(ew::cpu{}, in);
    auto saved = plan.make_saved(ew::cpu{});
    plan.forward(ew::cpu{}, in, ew::out(ew::per_head(out.data(), now.num_edges(), 1)), saved);
    for (std::size_t e = 0; e < out.size(); ++e) {
      float const score = 1 / (1 + std::exp(-out[e]));
      dout[e] = (score - static_cast<float>(now.is_true[e])) / static_cast<float>(out.size());
    }
    plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::per_head(dout.data(), now.num_edges(), 1)), ew::grad<R1>(d.R1),
                  ew::grad<b1>(d.b1), ew::grad<O>(d.O), ew::grad<bO>(d.bO), ew::grad<R2>(d.R2), ew::grad<b2>(d.b2),
                  ew::grad<w>(d.w), ew::grad<b>(d.b));
    double const rate = 0.01 * std::sqrt(1 - std::pow(0.999, step + 1)) / (1 - std::pow(0.9, step + 1));
    for (std::size_t i = 0; i < values.size(); ++i) {
      first[i] += 0.1f * (gradients[i] - first[i]);
      second[i] += 0.001f * (gradients[i] * gradients[i] - second[i]);
      values[i] -= static_cast<float>(rate) * first[i] / (std::sqrt(second[i]) + 1e-8f);
    }
  }
  return values;
}

/// Prints and returns the area under the ROC curve: how often a true edge scores above a false one.
double evaluate(char const* name, event const& fresh, std::vector<float> const& values) {
  std::vector<float> scores(fresh.is_true.size());
  score_edges(ew::cpu{}, fresh.hits.data(), fresh.num_hits(), fresh.edge_index.data(), fresh.num_edges(), values.data(),
              scores.data());
  double pairs = 0, ordered = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t j = 0; j < scores.size(); ++j) {
      pairs += fresh.is_true[i] > fresh.is_true[j];
      ordered += fresh.is_true[i] > fresh.is_true[j] && scores[i] > scores[j];
    }
  }
  std::cout << "area under the ROC curve, " << name << ": " << ordered / pairs << "\n";
  return ordered / pairs;
}

}  // namespace

int main() {
  std::vector<event> events;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) events.push_back(make_event({seed}));
  auto const fresh = make_event({100});
  std::vector<float> untrained(parameters<float>::size);
  for (uniform draw{200}; float& value : untrained) value = draw(-0.4, 0.4);
  std::cout << fresh.num_hits() << " hits, " << fresh.num_edges() << " candidate edges\n";
  std::cout.precision(2);
  evaluate("untrained", fresh, untrained);
  return evaluate("trained", fresh, train(events, untrained, 20)) > 0.9 ? 0 : 1;
}
