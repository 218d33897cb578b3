// How often the edges of a grouping read rows that a cache of some size no longer has.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <edgewise/format/grouping.hpp>

namespace edgewise::inline v0::detail {

/// Shares of misses, for caches that hold so many rows of neighbors and replace the least recently used: edges are read
/// in order, by a model of caches of eight ways. Of all rows one in `rows_a_sample` is looked at, in caches that are
/// smaller by as much, and of many edges four windows. Nothing is looked at where copies of rows cannot pay: few edges
/// a row, or too many rows for a cache of a core.
class row_reuse {
public:
  static constexpr int rows_a_sample = 16;
  static constexpr std::int64_t least_degree = 5;
  static constexpr std::int64_t most_rows = 1 << 16;

  row_reuse() = default;
  template <class Index, class Offset>
  explicit row_reuse(grouping_view<Index, Offset> const& g) {
    bool const has_many = g.num_edges > 0 && g.num_edges / least_degree >= g.num_neighbors;
    if (g.neighbors == nullptr || g.num_neighbors > most_rows || !has_many) return;
    std::vector<cache> caches;
    for (std::size_t size = 0; size < num_sizes; ++size) caches.emplace_back((least_size << size) / rows_a_sample);
    std::array<std::int64_t, num_sizes> missed{};
    std::int64_t seen = 0;
    std::int64_t const windows = g.num_edges > num_windows * window ? num_windows : 1;
    std::int64_t const length = windows == 1 ? std::int64_t{g.num_edges} : window;
    for (std::int64_t i = 0; i < windows; ++i) {
      Index const* const first = g.neighbors + first_position(g) + i * (g.num_edges / windows);
      for (std::int64_t k = 0; k < length; ++k) {
        std::uint32_t const hash = static_cast<std::uint32_t>(first[k]) * 2654435761u;
        if (hash % rows_a_sample != 0) continue;
        ++seen;
        for (std::size_t size = 0; size < num_sizes; ++size) missed[size] += caches[size].misses(hash / rows_a_sample);
      }
    }
    for (std::size_t size = 0; size < num_sizes && seen > 0; ++size) {
      shares_[size] = static_cast<float>(missed[size]) / static_cast<float>(seen);
    }
  }

  /// The share of edges whose row a cache of so many rows does not have; 1 where nothing was looked at.
  float misses(std::int64_t rows_in_cache) const {
    std::size_t size = 0;
    while (size + 1 < num_sizes && (least_size << (size + 1)) <= rows_in_cache) ++size;
    return shares_[size];
  }

private:
  static constexpr std::size_t num_sizes = 7;
  static constexpr std::int64_t least_size = 512;
  static constexpr std::int64_t num_windows = 4, window = 1 << 18;

  static constexpr std::array<float, num_sizes> all_missed() {
    std::array<float, num_sizes> result{};
    for (float& share : result) share = 1;
    return result;
  }
  template <class Index, class Offset>
  static std::int64_t first_position(grouping_view<Index, Offset> const& g) {
    return g.num_rows > 0 ? std::int64_t{g.offsets[0]} : 0;
  }

  /// Of so many rows in sets of eight, the last read first.
  class cache {
  public:
    explicit cache(std::int64_t rows) : rows_(static_cast<std::size_t>(rows), none) {}
    /// Reads a row: 1 where it was not there.
    int misses(std::uint32_t row) {
      std::uint32_t* const set = rows_.data() + row % (rows_.size() / ways) * ways;
      auto way = static_cast<std::size_t>(std::find(set, set + ways, row) - set);
      int const missed = way == ways ? 1 : 0;
      way -= static_cast<std::size_t>(missed);
      std::copy_backward(set, set + way, set + way + 1);
      set[0] = row;
      return missed;
    }

  private:
    static constexpr std::size_t ways = 8;
    static constexpr std::uint32_t none = 0xffffffffu;
    std::vector<std::uint32_t> rows_;
  };

  std::array<float, num_sizes> shares_ = all_missed();
};

}  // namespace edgewise::inline v0::detail
