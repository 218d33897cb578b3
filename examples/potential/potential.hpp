// SchNet (Schuett et al., 2017), an interatomic potential, as one program: the energy of every atom from the positions.
// Features of atoms are heads and radial functions are channels, so that a filter is one inner product for each head.
#pragma once

#include <utility>

#include <edgewise/edgewise.hpp>

namespace potential {

namespace ew = edgewise;

struct gaussian {  // a radial basis function
  static constexpr char const* name = "gaussian";
  static constexpr double width = 0.5;
  template <class T>
  EDGEWISE_HD T operator()(T distance, T center) const {
    T const d = (distance - center) / T(width);
    return ew::exp(-d * d);
  }
};
struct cosine_cutoff {  // goes smoothly to 0 at the radius
  static constexpr char const* name = "cosine_cutoff";
  static constexpr double radius = 5, pi = 3.14159265358979323846;
  template <class T>
  EDGEWISE_HD T operator()(T distance) const {
    return distance < T(radius) ? (ew::cos(distance * T(pi / radius)) + T(1)) / T(2) : T(0);
  }
};

struct x;        // positions [atoms, 3]
struct h;        // embedding of the atom's element [atoms, features]
struct centers;  // of the radial functions [radial]
struct readout;  // [features, 1]
template <int>
struct layer {
  struct A;  // coefficients of filters [features, radial]
  struct W;  // dense layers of an atom [features, features]
  struct U;
  struct V;
  struct b;  // bias [features]
};

// [begin program]
inline constexpr auto distance = ew::sqrt(ew::sum_over<3>(ew::square(ew::src<x> - ew::dst<x>)));
inline constexpr auto radial = ew::apply(gaussian{}, distance, ew::param<centers>);

template <class matrix>
constexpr auto dense(auto x) {  // of an atom; features stay heads
  return ew::per_vertex(ew::sum_channels(ew::linear<matrix>(x)));
}

// x[v] + V softplus(U sum over neighbors u of (W x[u]) filter(|r_u - r_v|) + b)
template <class names>
constexpr auto interaction(auto of_atom, auto of_neighbor) {
  auto const filter = ew::dot(ew::param<typename names::A>, radial) * ew::apply(cosine_cutoff{}, distance);
  auto const sum = ew::gather<ew::sum>(dense<typename names::W>(of_neighbor) * filter);
  return of_atom + dense<typename names::V>(ew::softplus(dense<typename names::U>(sum) + ew::param<typename names::b>));
}

inline constexpr auto first = interaction<layer<0>>(ew::dst<h>, ew::src<h>);
inline constexpr auto second = interaction<layer<1>>(first, ew::at_source(first));
inline constexpr auto energy_of_atom = ew::linear<readout>(second);  // [atoms, 1]
// [end program]

inline constexpr int F = 16, K = 10, num_layers = 2;  // features, radial functions
constexpr int model_size(int atoms) { return atoms * (F + 1) + K + F + num_layers * (F * K + 3 * F * F + F); }

/// Makes a function of (energies, forces or null) that fills both from what is in `positions` by then. The arrays of
/// the model lie one behind the other. All arrays are in memory of the executor and outlive the function.
template <class Exec, class Graph>
auto make_potential(Exec const& exec, Graph const& graph, int atoms, double const* positions, double const* model) {
  auto const next = [&](int size) { return std::exchange(model, model + size); };
  double const *embedding = next(atoms * F), *radii = next(K), *last = next(F), *minus_one = next(atoms);
  struct {
    double const *A, *W, *U, *V, *b;
  } at[num_layers];
  for (auto& place : at) place = {next(F * K), next(F * F), next(F * F), next(F * F), next(F)};
  auto const in = ew::bindings(
      ew::bind<x>(ew::vec_per_row<3>(positions, atoms)), ew::bind<h>(ew::per_head(embedding, atoms, F)),
      ew::bind<centers>(ew::per_channel(radii, 1, K)), ew::bind<readout>(ew::wide(last, F, 1)),
      ew::bind<layer<0>::A>(ew::wide(at[0].A, 1, F, K)), ew::bind<layer<0>::W>(ew::wide(at[0].W, F, F, 1)),
      ew::bind<layer<0>::U>(ew::wide(at[0].U, F, F, 1)), ew::bind<layer<0>::V>(ew::wide(at[0].V, F, F, 1)),
      ew::bind<layer<0>::b>(ew::per_head(at[0].b, 1, F)), ew::bind<layer<1>::A>(ew::wide(at[1].A, 1, F, K)),
      ew::bind<layer<1>::W>(ew::wide(at[1].W, F, F, 1)), ew::bind<layer<1>::U>(ew::wide(at[1].U, F, F, 1)),
      ew::bind<layer<1>::V>(ew::wide(at[1].V, F, F, 1)), ew::bind<layer<1>::b>(ew::per_head(at[1].b, 1, F)));
  // [begin plan]
  auto plan = ew::fuse(graph, ew::automatic{}, energy_of_atom).plan(exec, in);
  auto saved = plan.make_saved(exec);
  return [=, plan = std::move(plan), saved = std::move(saved)](double* energies, double* forces) mutable {
    plan.forward(exec, in, ew::out(ew::wide(energies, atoms, 1)), saved);
    if (forces == nullptr) return;
    plan.backward(exec, in, saved, ew::grad_out(ew::wide(minus_one, atoms, 1)),  // forces are -dE/dx
                  ew::grad<x>(ew::vec_per_row<3>(forces, atoms)));
  };
  // [end plan]
}

}  // namespace potential
