// The rows of sources that a piece of a part reads of all ranks, and how they get there: forward.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/size.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/halo_plan.hpp>
#include <edgewise/distributed/local_operands.hpp>
#include <edgewise/distributed/message_lists.hpp>
#include <edgewise/distributed/row_moves.hpp>
#include <edgewise/plan/plan_memory.hpp>

namespace edgewise::inline v0::detail {

/// An array for each leaf of a list.
template <class Exec, template <class> class Element, class Leaves>
class leaf_arrays;
template <class Exec, template <class> class Element, class... Leaf>
class leaf_arrays<Exec, Element, type_list<Leaf...>> {
  using space = typename Exec::space;

public:
  leaf_arrays() = default;
  /// size(type_tag<Leaf>) elements each.
  template <class Size>
  leaf_arrays(Exec const& exec, Size const& size)
      : arrays_(
            scratch<typename Element<Leaf>::type, space>(exec, static_cast<std::size_t>(size(type_tag<Leaf>{})))...) {}

  template <class L>
  auto* of() const {
    return std::get<index_of_type<L, type_list<Leaf...>>>(arrays_).data();
  }
  template <class L>
  std::size_t size() const {
    return std::get<index_of_type<L, type_list<Leaf...>>>(arrays_).size();
  }
  std::size_t size_bytes() const {
    return (std::size_t{0} + ... + std::get<index_of_type<Leaf, type_list<Leaf...>>>(arrays_).size_bytes());
  }

private:
  std::tuple<scratch<typename Element<Leaf>::type, space>...> arrays_;
};

/// The storage of the operand that is bound to a leaf.
template <class Set>
struct storage_in {
  template <class L>
  struct element {
    using type = std::remove_const_t<typename view_bound_to<L, Set>::value_type>;
  };
};
template <class Set, class Message>
struct message_in {
  template <class L>
  struct element {
    using type = message_type<typename storage_in<Set>::template element<L>::type, Message>;
  };
};

template <class Leaves>
using source_leaves = filter_types<in_role<role::source>::test, Leaves>;

/// A table for each source operand: [rows of the table, ...], dense, of the operand's type or of what it travels as.
template <class Exec, class Leaves, class Set, class Travels>
class source_tables : public leaf_arrays<Exec, message_in<Set, Travels>::template element, source_leaves<Leaves>> {
  using base = leaf_arrays<Exec, message_in<Set, Travels>::template element, source_leaves<Leaves>>;

public:
  template <class L>
  using element_of = typename message_in<Set, Travels>::template element<L>::type;

  using base::base;
};

/// An exchange with work that may run beside it; it is finished whatever becomes of the work. Where this rank sends and
/// receives nothing there is none.
template <communicator Comm, class Work>
void run_beside(Comm& comm, typename Comm::exec_type const& exec, std::vector<outgoing> const& sends,
                std::vector<incoming> const& receives, Work const& work) {
  if (sends.empty() && receives.empty()) return work();
  comm.start(exec, sends, receives);
  try {
    work();
  } catch (...) {
    try {
      comm.finish(exec);
    } catch (communication_error const&) {  // what was thrown first is what is told
    }
    throw;
  }
  comm.finish(exec);
}

/// Fills tables: rows of this rank are copied, those of others sent and received. PacksApart: rows are packed in memory
/// of the exchange, and not in what `run` is given.
template <class Graph, class Leaves, class Set, class Message, class Tables, bool PacksApart>
class source_exchange {
  using Exec = typename Graph::exec_type;
  using Index = typename Graph::index_type;
  using table_rows = halo_table<Index, typename Exec::space>;
  using sources = source_leaves<Leaves>;
  using tables_type = Tables;
  template <class L>
  using storage = typename storage_in<Set>::template element<L>::type;
  template <class L>
  using message = typename message_in<Set, Message>::template element<L>::type;
  template <class L>
  static constexpr bool converts = !std::is_same_v<storage<L>, message<L>>;
  template <class L>
  static constexpr bool unpacks = !std::is_same_v<typename Tables::template element_of<L>, message<L>>;
  using messages = leaf_arrays<Exec, message_in<Set, Message>::template element, sources>;

public:
  static constexpr bool has_sources = sources::size > 0;

  source_exchange() = default;
  source_exchange(Exec const& exec, Graph const& graph, table_rows const& table, Set const& in)
      : graph_(&graph), table_(&table) {
    auto const& halo = graph.halo();
    for_each_leaf(sources{}, [&]<class L>(type_tag<L>) { row_sizes_.push_back(view_for<L>(in).row_size()); });
    for_each_leaf(sources{}, [&]<class L>(type_tag<L>) {
      sent_bytes_ += halo.num_sent_rows() * row_size<L>() * static_cast<std::int64_t>(sizeof(message<L>));
    });
    sent_ = messages(exec, [&]<class L>(type_tag<L>) {
      return PacksApart ? halo.num_sent_rows() * row_size<L>() : std::int64_t{0};
    });
    received_ = messages(
        exec, [&]<class L>(type_tag<L>) { return unpacks<L> ? table.num_rows() * row_size<L>() : std::int64_t{0}; });
  }

  tables_type make_tables(Exec const& exec) const {
    return tables_type(exec, [&]<class L>(type_tag<L>) { return table_->num_rows() * row_size<L>(); });
  }
  std::size_t size_bytes() const { return sent_.size_bytes() + received_.size_bytes(); }
  std::int64_t sent_bytes() const { return sent_bytes_; }

  /// Packs and sends, runs `work` while rows travel, and leaves the tables filled. tables.of<L>(): that of a leaf;
  /// packed.of<L, T>(): where rows of T that are sent may be packed.
  template <class AnyTables, class Packed, class Work>
  void run(Exec const& exec, Set const& in, AnyTables const& tables, Packed const& packed, Work const& work) const {
    if constexpr (!has_sources) {
      work();
    } else {
      std::vector<outgoing> sends;
      std::vector<incoming> receives;
      int const own = graph_->comm().rank();
      for_each_leaf(sources{}, [&]<class L>(type_tag<L>) {
        auto const& view = view_for<L>(in);
        std::int64_t const size = row_size<L>();
        message<L>* const into = [&] {
          if constexpr (unpacks<L>) {
            return received_.template of<L>();
          } else {
            return tables.template of<L>();
          }
        }();
        for (int q = 0; q < graph_->comm().size(); ++q) {
          if (q == own) continue;
          if constexpr (PacksApart) {
            add_sent_rows<L>(exec, view, sent_.template of<L>(), q, sends);
          } else {
            add_sent_rows<L>(exec, view, packed.template of<L, message<L>>(), q, sends);
          }
          add_rows_of_rank(receives, into, table_->first, q, size);
        }
      });
      run_beside(graph_->comm(), exec, sends, receives, [&] {
        copy_own_rows(exec, in, tables);
        work();
      });
      unpack(exec, tables);
    }
  }

private:
  template <class L>
  std::int64_t row_size() const {
    return row_sizes_[static_cast<std::size_t>(index_of_type<L, sources>)];
  }
  /// The rows for a rank: where they lie, if side by side and as they travel, else packed.
  template <class L, class View>
  void add_sent_rows(Exec const& exec, View const& view, message<L>* packed, int rank,
                     std::vector<outgoing>& sends) const {
    auto const& halo = graph_->halo();
    auto const r = static_cast<std::size_t>(rank);
    std::int64_t const size = row_size<L>(), first = halo.send_first[r], count = halo.send_first[r + 1] - first;
    if constexpr (!converts<L>) {
      if (halo.send_run[r] >= 0 && view.row_stride == size) {
        add_message(sends, view.data + halo.send_run[r] * size, count * size, rank);
        return;
      }
    }
    message<L>* const to = packed + first * size;
    for_each_number(exec, count, size,
                    copy_rows_of<storage<L>, message<L>, Index>{view.data, view.row_stride,
                                                                halo.send_rows.data() + first, to, size});
    add_rows_of_rank(sends, packed, halo.send_first, rank, size);
  }

  template <class AnyTables>
  void copy_own_rows(Exec const& exec, Set const& in, AnyTables const& tables) const {
    if (table_->num_own_rows() == 0) return;
    std::int64_t const first = table_->first[static_cast<std::size_t>(graph_->comm().rank())];
    for_each_leaf(sources{}, [&]<class L>(type_tag<L>) {
      using element = typename Tables::template element_of<L>;
      auto const& view = view_for<L>(in);
      std::int64_t const size = row_size<L>();
      for_each_number(exec, table_->num_own_rows(), size,
                      copy_rows_of<storage<L>, element, Index>{view.data, view.row_stride, table_->own_rows.data(),
                                                               tables.template of<L>() + first * size, size});
    });
  }
  /// Rows of other ranks that travelled as another type.
  template <class AnyTables>
  void unpack(Exec const& exec, AnyTables const& tables) const {
    auto const& first = table_->first;
    auto const own = static_cast<std::size_t>(graph_->comm().rank());
    for_each_leaf(sources{}, [&]<class L>(type_tag<L>) {
      if constexpr (unpacks<L>) {
        std::int64_t const size = row_size<L>();
        auto const convert = [&](std::int64_t begin, std::int64_t end) {
          if (begin == end) return;
          for_each_number(
              exec, end - begin, size,
              copy_rows_of<message<L>, storage<L>, Index>{received_.template of<L>() + begin * size, size, nullptr,
                                                          tables.template of<L>() + begin * size, size});
        };
        convert(0, first[own]);
        convert(first[own + 1], first.back());
      }
    });
  }

  Graph const* graph_ = nullptr;
  table_rows const* table_ = nullptr;
  std::vector<std::int64_t> row_sizes_;
  std::int64_t sent_bytes_ = 0;
  messages sent_;
  messages received_;
};

}  // namespace edgewise::inline v0::detail
