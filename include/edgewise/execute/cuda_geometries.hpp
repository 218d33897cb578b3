// The geometries of passes on a device, and which one takes rows of which extents.
#pragma once

#include <edgewise/execute/tiles.hpp>
#include <edgewise/program/static_extents.hpp>

namespace edgewise::detail {

/// Lanes of a row that the largest group holds.
inline constexpr int widest_group = 16384;

/// Rows of 4-byte loads. Six chunks a thread keep groups small, so that a warp's loads serve several rows, and fill
/// them well (H200 2026-11, products, SpMM, ms by threads x chunks: D=33 8 x 6 1.06, 16 x 4 1.36, 32 x 4 2.21; D=602
/// 32 x 6 12.0, 32 x 8 14.5, 32 x 4 15.2). Up to four elements are one thread's.
template <class F>
constexpr auto choose_flat_unaligned(int elements, F const& f) {
  if (elements <= 4) return f(type_tag<cuda_geometry<1, 1, 4, access::element>>{});
  if (elements <= 8) return f(type_tag<cuda_geometry<2, 1, 4, access::element>>{});
  if (elements <= 48) return f(type_tag<cuda_geometry<8, 6, 1>>{});
  if (elements <= 96) return f(type_tag<cuda_geometry<16, 6, 1>>{});
  return f(type_tag<cuda_geometry<32, 6, 1>>{});
}

template <class F>
constexpr auto choose_flat(row_extents extents, bool aligned, F const& f) {
  int const elements = extents.heads * extents.lanes;
  if (!aligned) return choose_flat_unaligned(elements, f);
  // Wider rows are cut into tiles of 256 lanes: two tiles of D=512 take 7.5 ms on products, groups that hold all of
  // it 8.1 (H200 2026-11).
  int const chunks = ceil_div(elements, 4);
  if (chunks <= 2) return f(type_tag<cuda_geometry<2, 1, 4>>{});
  if (chunks <= 4) return f(type_tag<cuda_geometry<4, 1, 4>>{});
  if (chunks <= 8) return f(type_tag<cuda_geometry<8, 1, 4>>{});
  if (chunks <= 16) return f(type_tag<cuda_geometry<16, 1, 4>>{});
  if (chunks <= 32) return f(type_tag<cuda_geometry<32, 1, 4>>{});
  return f(type_tag<cuda_geometry<32, 2, 4>>{});
}

/// Are rows of more than 256 lanes cut between heads into tiles of that? Groups that hold twice as much keep fewer edges in
/// flight, or spill.
constexpr bool is_cut_by_heads(layout_need need, row_extents extents) {
  bool const may_cut = need == layout_need::whole_heads || need == layout_need::head_aware;
  return may_cut && extents.heads > 1 && power_of_two_from(ceil_div(extents.lanes, 4)) <= 64;
}

template <class F>
constexpr auto choose_heads(layout_need need, row_extents extents, bool aligned, F const& f) {
  if (!aligned) return f(type_tag<cuda_geometry<32, 4, 1, access::chunk, packing::padded>>{});
  int const chunks_per_head = ceil_div(extents.lanes, 4);
  int const chunks = power_of_two_from(chunks_per_head) * extents.heads;
  // Where a group holds a part of every head, the parts lie apart.
  bool const is_apart = need == layout_need::all_heads && chunks > 128;
  bool const dense = extents.heads == 1 || (power_of_two_from(chunks_per_head) * 4 == extents.lanes && !is_apart);
  if (!dense && chunks <= 32) return f(type_tag<cuda_geometry<32, 1, 4, access::chunk, packing::padded>>{});
  if (!dense) return f(type_tag<cuda_geometry<32, 4, 4, access::chunk, packing::padded>>{});
  if (chunks <= 4) return f(type_tag<cuda_geometry<4, 1, 4>>{});
  if (chunks <= 8) return f(type_tag<cuda_geometry<8, 1, 4>>{});
  if (chunks <= 16) return f(type_tag<cuda_geometry<16, 1, 4>>{});
  if (chunks <= 32) return f(type_tag<cuda_geometry<32, 1, 4>>{});
  if (chunks <= 64 || is_cut_by_heads(need, extents)) return f(type_tag<cuda_geometry<32, 2, 4>>{});
  return f(type_tag<cuda_geometry<32, 4, 4>>{});
}

/// Calls f(type_tag<Geometry>) for the one geometry of these rows.
template <class Pass, class F>
constexpr auto choose_among_all(row_extents extents, bool aligned, F const& f) {
  if constexpr (Pass::need == layout_need::flat) {
    return choose_flat(extents, aligned, f);
  } else if constexpr (Pass::sums_inside) {
    using half = cuda_geometry<256, 8, 1, access::chunk, packing::padded>;
    using largest = cuda_geometry<512, 8, 4, access::element, packing::padded>;
    auto const holds = [&]<class Geometry>(type_tag<Geometry>) {
      return lay_out_on_device<Pass, Geometry>(extents).layout.num_tiles > 0;
    };
    if (choose_heads(Pass::need, extents, aligned, holds)) return choose_heads(Pass::need, extents, aligned, f);
    // A whole block for what no warp holds and the pass goes on with.
    return holds(type_tag<half>{}) ? f(type_tag<half>{}) : f(type_tag<largest>{});
  } else {
    return choose_heads(Pass::need, extents, aligned, f);
  }
}

/// What `choose_among_all` may choose.
using all_geometries =
    type_list<cuda_geometry<1, 1, 4, access::element>, cuda_geometry<2, 1, 4, access::element>, cuda_geometry<8, 6, 1>,
              cuda_geometry<16, 6, 1>, cuda_geometry<32, 6, 1>, cuda_geometry<2, 1, 4>, cuda_geometry<4, 1, 4>,
              cuda_geometry<8, 1, 4>, cuda_geometry<16, 1, 4>, cuda_geometry<32, 1, 4>, cuda_geometry<32, 2, 4>,
              cuda_geometry<32, 4, 4>, cuda_geometry<32, 4, 1, access::chunk, packing::padded>,
              cuda_geometry<32, 1, 4, access::chunk, packing::padded>, cuda_geometry<32, 4, 4, access::chunk, packing::padded>,
              cuda_geometry<256, 8, 1, access::chunk, packing::padded>,
              cuda_geometry<512, 8, 4, access::element, packing::padded>>;
/// Where a geometry stands among them: a number, which constant expressions can carry.
struct geometry_position {
  template <class Geometry>
  constexpr int operator()(type_tag<Geometry>) const {
    return index_of_type<Geometry, all_geometries>;
  }
};

/// Calls f(type_tag<Geometry>) for the one geometry of these rows: at most eleven for each pass and mapping, the widths are
/// run-time numbers; or for the one that static extents leave.
template <class Pass, class Extents, class F>
bool choose_geometry(row_extents extents, bool aligned, F const& f) {
  if constexpr (is_static_extents<Extents>) {
    constexpr row_extents fixed{Extents::heads, Extents::lanes};
    using dense = type_at<choose_among_all<Pass>(fixed, true, geometry_position{}), all_geometries>;
    using any = type_at<choose_among_all<Pass>(fixed, false, geometry_position{}), all_geometries>;
    return aligned ? f(type_tag<dense>{}) : f(type_tag<any>{});
  } else {
    return choose_among_all<Pass>(extents, aligned, f);
  }
}

}  // namespace edgewise::detail
