// Which rows have a score per thread or are taken by half of them, and that each of their elements is one
// thread's. Which groups sum tiles of inner products.
#include "support/catch.hpp"

#include <vector>

#include <edgewise/core/float16.hpp>
#include <edgewise/engine/cuda/geometries.hpp>
#include <edgewise/program/bound_leaf.hpp>

using namespace edgewise;
using edgewise::detail::access;
using edgewise::detail::bound_leaf;
using edgewise::detail::cuda_geometry;
using edgewise::detail::find_half_group;
using edgewise::detail::find_thread_score_group;
using edgewise::detail::layout_need;
using edgewise::detail::make_row_layout;
using edgewise::detail::packing;
using edgewise::detail::pays_to_score_by_thread;
using edgewise::detail::power_of_two_from;
using edgewise::detail::row_extents;
using edgewise::detail::row_layout;
using edgewise::detail::scores;

namespace {

constexpr layout_need all_needs[] = {layout_need::flat, layout_need::head_aware, layout_need::all_heads,
                                     layout_need::whole_heads, layout_need::whole_rows};

template <int GroupSize, int Chunks, int Channels>
using by_thread = cuda_geometry<GroupSize, Chunks, Channels, access::chunk, packing::dense, scores::by_thread>;

/// Does each element of a row lie in one chunk of one thread, where the dense packing says?
template <class Geometry>
bool covers_rows(layout_need need, row_extents extents) {
  row_layout const layout = make_row_layout(need, extents.heads, extents.channels, Geometry::capacity_chunks,
                                            Geometry::channels_per_chunk, true);
  std::vector<int> seen(static_cast<std::size_t>(layout.row_size()));
  for (int tile = 0; tile < layout.num_tiles; ++tile) {
    for (int t = 0; t < Geometry::group_size; ++t) {
      Geometry const geo(layout, tile, t);
      for (int c = 0; c < Geometry::max_chunks; ++c) {
        int const valid = geo.valid_channels(c);
        bool const has_whole_chunks = layout.channels % Geometry::channels_per_chunk == 0;
        if (has_whole_chunks && valid != (geo.valid(c) ? Geometry::channels_per_chunk : 0)) return false;
        for (int l = 0; l < valid; ++l) {
          int const at = geo.offset(c) + l;
          if (at != geo.head(c) * layout.channels + geo.channel_in_head(c) + l) return false;
          ++seen.at(static_cast<std::size_t>(at));
        }
      }
    }
  }
  for (int const times : seen) {
    if (times != 1) return false;
  }
  return layout.num_tiles > 0;
}
bool covers_rows(layout_need need, row_extents extents, int group, int longest) {
  if (longest == 8) {
    return group == 16 ? covers_rows<by_thread<16, 1, 8>>(need, extents)
                       : covers_rows<by_thread<32, 1, 8>>(need, extents);
  }
  if (group == 16) return covers_rows<by_thread<16, 1, 4>>(need, extents);
  return group == 32 ? covers_rows<by_thread<32, 1, 4>>(need, extents)
                     : covers_rows<by_thread<32, 2, 4>>(need, extents);
}

struct h;
/// What geometries are chosen by, of a pass that stores inner products of rows of Storage.
template <class Storage>
struct product_pass : edgewise::detail::row_pass {
  struct tables {
    using needed_varying = type_list<bound_leaf<leaf<role::source, h>, operand_kind::wide, Storage const>>;
  };
  static constexpr layout_need need = layout_need::whole_heads;
  static constexpr bool sums_inside = true;
  static constexpr bool adds_up_tiles = true;
};

/// Does the group that takes a tile also have the kernel that adds to what earlier tiles stored?
template <class Storage>
bool adds_tiles(int tile, int chunk) {
  using pass = product_pass<Storage>;
  return edgewise::detail::choose_geometry<pass, any_extents>({1, tile}, chunk, []<class Geometry>(type_tag<Geometry>) {
    return edgewise::detail::takes_dot_tiles<Geometry, pass>;
  });
}

}  // namespace

TEST_CASE("dot_tiles: every group that takes a tile can add to those before it", "[engine]") {
  for (int const tile : {64, 128}) {
    for (int const chunk : {4, 8}) {
      CAPTURE(tile, chunk);
      CHECK(adds_tiles<float>(tile, chunk));
      CHECK(adds_tiles<double>(tile, chunk));
      CHECK(adds_tiles<bfloat16>(tile, chunk));
      CHECK(adds_tiles<float16>(tile, chunk));
    }
  }
  CHECK_FALSE(adds_tiles<float>(32, 4));  // no tile: its kernel is not compiled
}

TEST_CASE("split groups: rows are covered, and a round has four edges at least", "[engine]") {
  int found = 0;
  for (layout_need const need : all_needs) {
    for (int const longest : {4, 8}) {
      for (int const heads : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 31, 32, 33, 64, 65}) {
        for (int const channels : {1, 4, 7, 8, 12, 16, 24, 32, 40, 48, 64, 96, 128, 200, 256, 512, 602, 1024}) {
          row_extents const extents{heads, channels};
          int const chunk = (heads * channels) % longest == 0 && channels % longest == 0 ? longest : 1;
          for (bool const by_head : {false, true}) {
            int const group = find_thread_score_group(need, by_head, extents, chunk, longest);
            if (group == 0) continue;
            ++found;
            CAPTURE(static_cast<int>(need), longest, heads, channels, by_head, group);
            row_layout const layout = make_row_layout(need, heads, channels, group, longest, true);
            int const threads = group < 32 ? group : 32;
            CHECK((by_head ? power_of_two_from(layout.heads_per_tile) : 1) * 4 <= threads);
            CHECK(covers_rows(need, extents, group, longest));
          }
        }
      }
    }
  }
  CHECK(found > 100);
}

TEST_CASE("split groups: by width, heads, and what the pass needs of a layout", "[engine]") {
  auto const group_of = [](layout_need need, int heads, int channels, int longest = 4) {
    return find_thread_score_group(need, true, {heads, channels}, longest, longest);
  };
  constexpr auto by_head = layout_need::head_aware;
  CHECK(group_of(by_head, 1, 64) == 16);
  CHECK(group_of(by_head, 4, 16) == 16);
  CHECK(group_of(by_head, 2, 64) == 32);
  CHECK(group_of(by_head, 4, 64) == 64);
  CHECK(group_of(by_head, 16, 128) == 64);  // two heads per tile
  CHECK(group_of(by_head, 4, 64, 8) == 32);
  CHECK(group_of(by_head, 16, 16) == 0);  // rounds of two edges
  CHECK(group_of(by_head, 1, 32) == 0);
  CHECK(group_of(by_head, 3, 24) == 0);  // heads lie apart
  for (layout_need const sums : {layout_need::all_heads, layout_need::whole_heads, layout_need::whole_rows}) {
    CHECK(group_of(sums, 4, 64) == 0);
    CHECK(group_of(sums, 8, 64) == 0);
    CHECK(group_of(sums, 1, 512) == 0);
  }
  CHECK(find_thread_score_group(by_head, true, {4, 64}, 1, 4) == 0);  // rows that do not move as words
  // Scores of rows: heads and channels are one axis.
  CHECK(find_thread_score_group(layout_need::flat, false, {16, 16}, 4, 4) == 64);
  CHECK(find_thread_score_group(layout_need::flat, false, {1, 64}, 4, 4) == 16);
}

TEST_CASE("split groups: rows must fill rounds, and two chunks a thread lie in the cache", "[engine]") {
  CHECK(pays_to_score_by_thread(16, 4, 1 << 30, 1 << 20));
  CHECK_FALSE(pays_to_score_by_thread(32, 3.9, 1 << 10, 1 << 20));
  CHECK(pays_to_score_by_thread(64, 16, 1 << 20, 1 << 20));
  CHECK_FALSE(pays_to_score_by_thread(64, 16, (1 << 20) + 1, 1 << 20));
  CHECK_FALSE(pays_to_score_by_thread(64, 15, 1 << 10, 1 << 20));
}

TEST_CASE("half groups: rows are covered, by two chunks a thread", "[engine]") {
  int found = 0;
  for (layout_need const need : all_needs) {
    for (int const longest : {4, 8}) {
      for (int const heads : {1, 2, 3, 4, 5, 8, 9, 16, 31, 32, 33}) {
        for (int const channels :
             {1, 4, 7, 8, 12, 16, 20, 24, 32, 33, 36, 40, 48, 64, 65, 96, 100, 128, 132, 136, 256}) {
          row_extents const extents{heads, channels};
          int const group = find_half_group(need, extents, channels % longest == 0 ? longest : 1, longest);
          CAPTURE(static_cast<int>(need), heads, channels, longest, group);
          if (group == 0) continue;
          ++found;
          if (longest == 8) {
            CHECK(group == 16);
            CHECK(covers_rows<cuda_geometry<16, 2, 8>>(need, extents));
          } else {
            CHECK((group == 8 ? covers_rows<cuda_geometry<8, 2, 4>>(need, extents)
                              : covers_rows<cuda_geometry<16, 2, 4>>(need, extents)));
          }
          CHECK(make_row_layout(need, heads, channels, 2 * group, longest, true).num_tiles == 1);
        }
      }
    }
  }
  CHECK(found > 100);
}

TEST_CASE("half groups: of rows of 33 to 128 elements that move as words", "[engine]") {
  constexpr auto flat = layout_need::flat;
  CHECK(find_half_group(flat, {1, 32}, 4, 4) == 0);
  CHECK(find_half_group(flat, {1, 36}, 4, 4) == 8);
  CHECK(find_half_group(flat, {4, 16}, 4, 4) == 8);
  CHECK(find_half_group(flat, {1, 68}, 4, 4) == 16);
  CHECK(find_half_group(flat, {3, 40}, 4, 4) == 16);
  CHECK(find_half_group(flat, {1, 132}, 4, 4) == 0);
  CHECK(find_half_group(flat, {1, 64}, 1, 4) == 0);
  CHECK(find_half_group(flat, {1, 128}, 8, 8) == 0);  // of words of eight numbers the wider group alone
  CHECK(find_half_group(flat, {1, 136}, 8, 8) == 16);
  CHECK(find_half_group(flat, {1, 256}, 4, 8) == 0);
  CHECK(find_half_group(flat, {1, 264}, 8, 8) == 0);
  for (layout_need const sums : {layout_need::head_aware, layout_need::all_heads, layout_need::whole_rows}) {
    CHECK(find_half_group(sums, {1, 64}, 4, 4) == 8);
    CHECK(find_half_group(sums, {2, 64}, 4, 4) == 16);
    CHECK(find_half_group(sums, {2, 40}, 4, 4) == 0);  // heads lie apart
  }
}
