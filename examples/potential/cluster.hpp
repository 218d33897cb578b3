// A cluster of atoms of two elements, its neighbor list, a model with drawn weights, and checks of its forces.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <utility>
#include <vector>

#include "potential.hpp"

namespace potential {

inline constexpr int side = 3, atoms = side * side * side;

/// The next number in [-1, 1), the same everywhere.
inline double draw(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return static_cast<double>(state) / 2147483648.0 - 1;
}

/// A cubic lattice, shaken.
inline std::vector<double> draw_positions(unsigned& seed) {
  std::vector<double> r;
  for (int v = 0; v < atoms; ++v) {
    for (int const cell : {v % side, v / side % side, v / (side * side)}) r.push_back(2.5 * cell + 0.4 * draw(seed));
  }
  return r;
}

/// Pairs in both directions, some beyond the cutoff: atoms may move a little, and the list stays.
inline ew::csr<> list_neighbors(std::vector<double> const& r) {
  std::vector<int> sources, destinations;
  for (std::size_t u = 0; u < r.size(); u += 3) {
    for (std::size_t v = 0; v < r.size(); v += 3) {
      bool const near = std::hypot(r[u] - r[v], r[u + 1] - r[v + 1], r[u + 2] - r[v + 2]) < cosine_cutoff::radius + 0.5;
      if (u == v || !near) continue;
      sources.push_back(static_cast<int>(u / 3));
      destinations.push_back(static_cast<int>(v / 3));
    }
  }
  return ew::to_csr(ew::cpu{}, ew::make_coo(ew::vertices(atoms), sources, destinations));
}

inline std::vector<double> draw_model(unsigned& seed) {
  std::vector<double> model(model_size(atoms));
  for (double& weight : model) weight = 0.4 * draw(seed);
  double* const centers = &model[atoms * F];
  for (int k = 2 * F; k < atoms * F; ++k) model[k] = model[k - 2 * F];  // elements alternate
  for (int k = 0; k < K; ++k) centers[k] = cosine_cutoff::radius * k / K;
  std::fill_n(centers + K + F, atoms, -1.0);
  return model;
}

/// Returns 0 where evaluate(positions, &forces), called once, fills in what the energies say that evaluate(positions,
/// nullptr) returns.
int check_forces(std::vector<double> r, auto evaluate) {
  std::vector<double> forces(r.size());
  double const energy = evaluate(r, &forces), step = 2e-5;
  double largest = 0, deviation = 0, sums[3] = {};
  for (std::size_t i = 0; i < r.size(); ++i) {
    double const place = std::exchange(r[i], r[i] + step), above = evaluate(r, nullptr);
    r[i] = place - step;
    double const difference = -(above - evaluate(r, nullptr)) / (2 * step);
    r[i] = place;
    largest = std::max(largest, std::abs(forces[i]));
    deviation = std::max(deviation, std::abs(forces[i] - difference));
    sums[i % 3] += forces[i];
  }
  double const net = std::hypot(sums[0], sums[1], sums[2]);
  for (std::size_t i = 0; i < r.size(); i += 3) {  // turns the cluster about two axes, one after the other
    for (std::size_t const k : {i, i + 1}) {
      double const a = r[k], b = r[k + 1];
      r[k] = std::cos(0.7) * a - std::sin(0.7) * b;
      r[k + 1] = std::sin(0.7) * a + std::cos(0.7) * b;
    }
  }
  double const change = std::abs(evaluate(r, nullptr) - energy);
  std::cout << "energy " << energy << ", largest force " << largest << "\nlargest deviation from central differences "
            << deviation << "\nsum of all forces " << net << ", change of the energy by a rotation " << change << "\n";
  bool const agree = largest > 0 && deviation < 1e-8 * largest;
  return agree && net < 1e-12 * largest && change < 1e-12 * std::abs(energy) ? 0 : 1;
}

}  // namespace potential
