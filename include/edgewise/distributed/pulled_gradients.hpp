// Where the gradients are that come together at each source of a part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <edgewise/core/config.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/distributed/list_operations.hpp>
#include <edgewise/distributed/part_memory.hpp>
#include <edgewise/distributed/row_moves.hpp>

namespace edgewise::inline v0 {

/// Sources of a part whose gradients come together from several places, and for each where they are: rows of what is
/// received when gradients come back, as `halo_plan::send_rows` lists them, or ~k of row k of this rank's table, in the
/// order of ranks. Those of the i-th are parts[first_part[i]] to parts[first_part[i + 1] - 1].
template <class Index, class Space>
struct pulled_gradients {
  buffer<Index, Space> rows;  ///< numbers in the part
  buffer<Index, Space> first_part;
  buffer<Index, Space> parts;

  std::int64_t num_rows() const { return static_cast<std::int64_t>(rows.size()); }
};

namespace detail {

/// Which places are in what is received?
template <class Index>
struct mark_received {
  Index const* places;
  Index* marks;

  EDGEWISE_HD void operator()(std::int64_t k) const { marks[k] = places[k] >= 0 ? 1 : 0; }
};
template <class Index>
struct keep_received {
  Index const* rows;
  Index const* places;
  Index const* kept_before;
  Index* kept_rows;
  Index* kept_places;

  EDGEWISE_HD void operator()(std::int64_t k) const {
    if (places[k] < 0) return;
    kept_rows[kept_before[k]] = rows[k];
    kept_places[kept_before[k]] = places[k];
  }
};

/// Where does a row begin in ascending ones?
template <class Index>
struct mark_first_of_row {
  Index const* rows;
  Index* marks;

  EDGEWISE_HD void operator()(std::int64_t k) const { marks[k] = k == 0 || rows[k] != rows[k - 1] ? 1 : 0; }
};
/// Lists these rows and where they begin, for k up to the number of elements, where the last ends.
template <class Index>
struct list_rows {
  Index const* rows;
  std::int64_t size;
  Index const* rows_before;
  Index* listed;
  Index* first_part;

  EDGEWISE_HD void operator()(std::int64_t k) const {
    if (k > 0 && k < size && rows[k] == rows[k - 1]) return;
    first_part[rows_before[k]] = static_cast<Index>(k);
    if (k < size) listed[rows_before[k]] = rows[k];
  }
};

template <class Index>
struct mark_listed {
  Index const* listed;
  Index* marks;

  EDGEWISE_HD void operator()(std::int64_t i) const { marks[listed[i]] = 1; }
};
/// The same of all rows, listed or not: those that are not begin where the next one does.
template <class Index>
struct list_all_rows {
  Index const* listed_before;
  Index const* first_of_listed;
  std::int64_t num_rows;
  Index* rows;
  Index* first_part;

  EDGEWISE_HD void operator()(std::int64_t row) const {
    first_part[row] = first_of_listed[listed_before[row]];
    if (row < num_rows) rows[row] = static_cast<Index>(row);
  }
};

/// The sources of a part that other places have gradients of, ascending, and these places, in the order of ranks.
template <class Exec, class Index>
class gradient_places {
  using Space = typename Exec::space;
  using memory = part_memory<Exec>;
  using marks_type = typename list_operations<Exec>::template marks<Index>;

public:
  /// Of lists in the order of ranks. Shapes: rows and places [places].
  gradient_places(Exec const& exec, buffer<Index, Space> rows, buffer<Index, Space> places, std::int64_t num_sources)
      : gradient_places(num_sources, std::move(rows), std::move(places)) {
    list_operations<Exec>::sort(exec, rows_, places_, num_sources_);
  }

  /// Those in what is received, without this rank's table.
  gradient_places received(Exec const& exec) const {
    marks_type marks(exec, "halo_plan", size());
    for_each_element(exec, size(), mark_received<Index>{places_.data(), marks.data()});
    marks.count(exec);
    std::size_t const kept = marks.read_total(exec);
    auto rows = memory::template make_passing<Index>(exec, kept),
         places = memory::template make_passing<Index>(exec, kept);
    for_each_element(exec, size(),
                     keep_received<Index>{rows_.data(), places_.data(), marks.data(), rows.data(), places.data()});
    return {num_sources_, std::move(rows), std::move(places)};
  }

  /// The lists of sources that have any, or of all.
  pulled_gradients<Index, Space> pulled(Exec const& exec, bool of_all) const {
    auto parts = memory::template make<Index>(exec, places_.size());
    for_each_number(exec, size(), 1, copy_rows_of<Index, Index, Index>{places_.data(), 1, nullptr, parts.data(), 1});
    marks_type marks(exec, "halo_plan", size());
    for_each_element(exec, size(), mark_first_of_row<Index>{rows_.data(), marks.data()});
    marks.count(exec);
    auto any = lists_of(exec, marks.read_total(exec), std::move(parts));
    for_each_element(exec, size() + 1,
                     list_rows<Index>{rows_.data(), size(), marks.data(), any.rows.data(), any.first_part.data()});
    if (!of_all) return any;

    marks_type listed(exec, "halo_plan", num_sources_);
    for_each_element(exec, any.num_rows(), mark_listed<Index>{any.rows.data(), listed.data()});
    listed.count(exec);
    auto all = lists_of(exec, static_cast<std::size_t>(num_sources_), std::move(any.parts));
    for_each_element(exec, num_sources_ + 1,
                     list_all_rows<Index>{listed.data(), any.first_part.data(), num_sources_, all.rows.data(),
                                          all.first_part.data()});
    return all;
  }

private:
  gradient_places(std::int64_t num_sources, buffer<Index, Space> rows, buffer<Index, Space> places)
      : num_sources_(num_sources), rows_(std::move(rows)), places_(std::move(places)) {}

  std::int64_t size() const { return static_cast<std::int64_t>(rows_.size()); }
  static pulled_gradients<Index, Space> lists_of(Exec const& exec, std::size_t num_rows, buffer<Index, Space> parts) {
    return {memory::template make<Index>(exec, num_rows), memory::template make<Index>(exec, num_rows + 1),
            std::move(parts)};
  }

  std::int64_t num_sources_;
  buffer<Index, Space> rows_;
  buffer<Index, Space> places_;
};

}  // namespace detail
}  // namespace edgewise::inline v0
