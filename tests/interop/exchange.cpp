// A function that Python calls with arrays of any library that speaks DLPack (exchange_test.py).
#include <edgewise/edgewise.hpp>
#include <edgewise/format/make_views.hpp>
#include <edgewise/interop/dlpack.hpp>

#include <cstdint>
#include <string>

#include "dlpack_tensors.hpp"

namespace ew = edgewise;

namespace {

struct h;
struct w;

// [begin exchange]
/// out[v] = the sum of weight times features over the edges u -> v of edge_index [2, E].
template <class Tensor>
void weighted_sum(Tensor const& edge_index, Tensor const& weights, Tensor const& features, Tensor const& result) {
  auto const ends = ew::read_dlpack<std::int64_t const>(ew::cpu{}, edge_index);
  auto const h_rows = ew::wide(ew::read_dlpack<float const>(ew::cpu{}, features));
  auto const out_rows = ew::wide(ew::read_dlpack<float>(ew::cpu{}, result));
  auto const edges = ew::view_coo<std::int64_t>({.sources = h_rows.rows, .destinations = out_rows.rows},
                                                ew::flat(ew::row_of(ends, 0)), ew::flat(ew::row_of(ends, 1)));
  ew::validate(edges);  // they come from somebody else
  auto const csr = ew::to_csr(ew::cpu{}, edges);
  auto const in =
      ew::bindings(ew::bind<h>(h_rows), ew::bind<w>(ew::per_row(ew::read_dlpack<float const>(ew::cpu{}, weights))));
  ew::fuse(ew::graph{csr}, ew::automatic{}, ew::gather<ew::sum>(ew::edge<w> * ew::src<h>))
      .plan(ew::cpu{}, in)
      .forward(ew::cpu{}, in, ew::out(out_rows));
}
// [end exchange]

template <class Tensor>
char const* call(void* const* tensors) {
  static std::string message;
  auto const at = [&](int k) -> Tensor const& { return *static_cast<Tensor const*>(tensors[k]); };
  try {
    weighted_sum(at(0), at(1), at(2), at(3));
    return nullptr;
  } catch (ew::error const& error) {
    message = error.what();
    return message.c_str();
  }
}

}  // namespace

/// tensors: edge_index, weights, features, result. Returns null, or an error's message.
extern "C" char const* weighted_sum_of(void* const* tensors) { return call<DLManagedTensor>(tensors); }
extern "C" char const* weighted_sum_of_versioned(void* const* tensors) {
  return call<DLManagedTensorVersioned>(tensors);
}
