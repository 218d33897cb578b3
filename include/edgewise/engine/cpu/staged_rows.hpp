// Feature tiles of the CPU: the rows that edges read, copied a few channels at a time to where they stay in a cache.
// (FeatGraph, SC 2020, section III-C, tiles features as well; it does not copy them.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <edgewise/core/cache_sizes.hpp>
#include <edgewise/core/cpu_threads.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/core/type_list.hpp>
#include <edgewise/engine/cpu/tiles_of_row.hpp>
#include <edgewise/program/bound_leaf.hpp>

namespace edgewise::inline v0::detail {

/// Is an operand one of whole rows, heads and channels?
template <class Bound>
struct has_whole_rows : std::bool_constant<Bound::kind == operand_kind::wide> {};
/// The operands of which a pass reads, for each edge, the row of the neighbor.
template <class Pass>
using gathered_rows = filter_types<has_whole_rows, typename Pass::tables::needed_neighbors>;

/// Bytes of a row of all operands of a list that has `channels` elements.
template <class... Bound>
constexpr std::int64_t bytes_of_gathered_row(type_list<Bound...>, std::int64_t channels) {
  return (std::int64_t{0} + ... + static_cast<std::int64_t>(sizeof(typename Bound::storage))) * channels;
}

/// When rows are staged, and how many channels of them at a time. Every staged row is read and written once more, so
/// that caches must miss it often enough as it lies.
struct staging_rule {
  static constexpr int most_channels = 64;
  /// In the last cache: rows that it holds as they lie gain nothing (docs/tuning.md, R67).
  static constexpr std::int64_t least_degree = 64;
  /// In a core's own: a copy takes as long as so many misses (docs/tuning.md, R72).
  static constexpr std::int64_t misses_of_copy = 7;

  std::int64_t bytes = 0;  ///< that staged rows may take; 0: nothing is staged
  std::int64_t more = 0;   ///< that the fewest channels of all rows may take, where they do not fit into `bytes`

  /// For `rows` rows that `edges` edges read, in the last cache.
  static staging_rule of(cpu const& exec, std::int64_t rows, std::int64_t edges, std::int64_t bytes_of_row) {
    std::int64_t const budget = (exec.cache_bytes > 0 ? exec.cache_bytes : last_cache_bytes()) / 2;
    return {edges < least_degree * rows || rows * bytes_of_row <= budget ? 0 : budget, 0};
  }
  /// In a core's own cache, of which a pass needs little else.
  static staging_rule near(cpu const& exec) {
    std::int64_t const size = bytes_of_core(exec);
    return {size / 2, size / 16 * 13};
  }
  static std::int64_t bytes_of_core(cpu const& exec) {
    return exec.core_cache_bytes > 0 ? exec.core_cache_bytes : core_cache_bytes();
  }
  /// Do copies for a core's own cache pay, where it has lost rows so many times when edges read them as they lie? The
  /// same for any number of threads, on which bits do not depend.
  static bool pays(double misses, std::int64_t rows) { return misses > static_cast<double>(misses_of_copy * rows); }

  /// Memory for the staged rows of one operand of T, and for what lies before them. Of several each has fewer channels.
  template <class T>
  std::int64_t memory_for(std::int64_t rows, std::int64_t channels) const {
    std::int64_t const most = rows * most_channels * std::int64_t{sizeof(T)};
    return bytes > 0 ? std::min(bytes, most) + bytes_before(channels) : 0;
  }
  /// The same for a core's own cache: all columns are staged at once.
  template <class T>
  static std::int64_t memory_near(cpu const& exec, std::int64_t rows, std::int64_t edges, std::int64_t channels) {
    constexpr int fewest_channels = 16;
    std::int64_t const bytes_of_channel = rows * std::int64_t{sizeof(T)};
    bool const overflows = bytes_of_channel * channels > bytes_of_core(exec);
    bool const fits = bytes_of_channel * fewest_channels <= near(exec).more;
    if (!overflows || !fits || !pays(static_cast<double>(edges), rows)) return 0;
    return bytes_of_channel * channels + bytes_before(channels);
  }
  /// Before staged rows lies room for a row of `channels` elements: theirs are counted from the whole row's beginning.
  static std::int64_t bytes_before(std::int64_t channels) { return (channels * 8 + 63) / 64 * 64; }
  /// As far as memory of so many bytes reaches.
  staging_rule within(std::int64_t memory, std::int64_t channels) const {
    std::int64_t const room = memory - bytes_before(channels);
    return {std::clamp<std::int64_t>(room, 0, bytes), std::clamp<std::int64_t>(room, 0, more)};
  }

  /// The most channels of `rows` rows that fit at once: `least`, twice that and so on; 0 where not even `least` do.
  int channels(std::int64_t rows, std::int64_t bytes_of_channel, int least) const {
    std::int64_t const bytes_of_least = rows * least * bytes_of_channel;
    if (least <= 0 || least > most_channels || bytes_of_least > std::max(bytes, more)) return 0;
    int result = least;
    while (2 * result <= most_channels && rows * 2 * result * bytes_of_channel <= bytes) result *= 2;
    return result;
  }
};

/// Copies a few steps of Step bytes, and what is left, without a call for each row, which would take longer.
template <int Step>
void copy_steps(char* to, char const* from, std::size_t bytes) {
  std::size_t i = 0;
  for (; i + Step <= bytes; i += Step) std::memcpy(to + i, from + i, Step);
  if (i < bytes) std::memcpy(to + i, from + i, bytes - i);
}

/// Channels [first, last) of the rows of one axis that a pass reads, in columns of `width`, each of which runs apart:
/// staged, or one column where they lie. `run(column, f)` calls f(pass, tiles) with the pass that reads a column.
/// Shapes: staged [columns][operands][rows][width], the last column as narrow as it is.
template <class Pass, int L, int Most>
struct channel_columns {
  using gathered = gathered_rows<Pass>;

  Pass const& pass;
  std::int64_t rows;  ///< of neighbors
  int first;
  int last;
  int channels;  ///< of a row
  int width;
  char* staged = nullptr;  ///< there is memory for `channels` elements before it

  int count() const { return (last - first + width - 1) / width; }

  /// Copies all columns.
  void stage([[maybe_unused]] cpu const& exec) const {
    [[maybe_unused]] int const threads = num_threads(exec, rows * (last - first));
#if defined(_OPENMP)
#pragma omp parallel for schedule(static) num_threads(threads)
#endif
    for (std::int64_t row = 0; row < rows; ++row) {
      for (int column = 0; column < count(); ++column) {
        for_each_place(column, [&]<class Bound>(type_tag<Bound>, char* place) {
          std::size_t const bytes = row_bytes<Bound>(column);
          auto const* const source = pass.operands.template of<Bound>().row(row, begin(column));
          copy_steps<64>(place + static_cast<std::size_t>(row) * bytes, reinterpret_cast<char const*>(source), bytes);
        });
      }
    }
  }
  template <class F>
  void run(int column, F const& f) const {
    Pass own = pass;
    if (staged != nullptr) {
      for_each_place(column, [&]<class Bound>(type_tag<Bound>, char* place) {
        auto& operand = own.operands.template of<Bound>();
        operand.data = reinterpret_cast<std::remove_const_t<typename Bound::storage>*>(place) - begin(column);
        operand.row_bytes = static_cast<std::int32_t>(row_bytes<Bound>(column));
      });
    }
    f(own, tiles_of_row<L, Most>{begin(column), end(column), channels});
  }

private:
  int begin(int column) const { return first + column * width; }
  int end(int column) const { return std::min(begin(column) + width, last); }
  template <class Bound>
  std::size_t row_bytes(int column) const {
    return static_cast<std::size_t>(end(column) - begin(column)) * sizeof(typename Bound::storage);
  }
  /// Calls f(operand, where its rows of a column begin).
  template <class F>
  void for_each_place(int column, F const& f) const {
    char* place = staged + column * rows * bytes_of_gathered_row(gathered{}, width);
    [&]<class... Bound>(type_list<Bound...>) {
      ((f(type_tag<Bound>{}, place), place += rows * static_cast<std::int64_t>(row_bytes<Bound>(column))), ...);
    }(gathered{});
  }
};

}  // namespace edgewise::inline v0::detail
