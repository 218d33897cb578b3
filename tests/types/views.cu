// Arrays of CUDA's libraries where views are made: that these compile is the test.
#include <thrust/device_vector.h>

#include <cuda/std/mdspan>
#include <span>
#include <type_traits>

#include <edgewise/format/make_views.hpp>
#include <edgewise/interop/strided_array.hpp>

namespace ew = edgewise;

auto rows_of(thrust::device_vector<long> const& offsets, thrust::device_vector<int> const& neighbors) {
  return ew::view_csr(ew::vertices(3), offsets, neighbors);
}
auto pairs_of(thrust::device_vector<int> const& sources, std::span<int const> destinations) {
  return ew::view_coo(ew::vertices(3), sources, destinations);
}
auto operand_of(cuda::std::mdspan<float, cuda::std::dextents<int, 3>> const& m) { return ew::wide(ew::strided(m)); }

static_assert(std::is_same_v<decltype(rows_of({}, {})), ew::csr_view<int, long>>);
static_assert(std::is_same_v<decltype(pairs_of({}, {})), ew::coo_view<int, int>>);
static_assert(std::is_same_v<decltype(operand_of({})), ew::operand_view<float, ew::operand_kind::wide>>);
