// Gradients of operands that every rank has a copy of: parameters, matrices and operands by type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

#include <edgewise/core/type_list.hpp>
#include <edgewise/distributed/communicator.hpp>
#include <edgewise/distributed/local_operands.hpp>
#include <edgewise/distributed/rank_sum.hpp>
#include <edgewise/distributed/row_moves.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/plan/plan_memory.hpp>

namespace edgewise::inline v0::detail {

/// Passes write them to arrays of their own, in A; these are added, summed over the ranks in their order, and stored.
template <class Exec, class Comm, class Leaves, class Set, class A>
class shared_gradients {
  using shared = filter_types<is_shared_leaf, Leaves>;
  static constexpr int most_sides = 2;

public:
  shared_gradients(Exec const& exec, Comm& comm, Set const& in) {
    for_each_leaf(shared{}, [&]<class L>(type_tag<L>) {
      first_.push_back(size_);
      size_ += view_for<L>(in).rows * view_for<L>(in).row_size();
    });
    if (size_ > 0) {
      memory_ = {exec, static_cast<std::size_t>((most_sides + 1) * size_)};
      // Operands that a call asks no gradient of are summed with the others.
      engine<Exec>::clear(exec, memory_.data(), memory_.size_bytes());
      sum_.emplace(comm, exec, size_);
    }
  }

  std::size_t size_bytes() const { return memory_.size_bytes(); }
  std::int64_t sent_bytes() const { return sum_ ? sum_->sent_bytes() : 0; }

  /// What a pass is asked for in place of a request: gradients of shared operands go to the array of a side, others to
  /// where the user wants them. As a tuple.
  template <class Request>
  auto own_requests(int side, Request const& request) const {
    return own_request(side, request, shared{});
  }
  /// Adds what the passes of `sides` sides wrote, of all ranks.
  template <class... Request>
  void add(Exec const& exec, int sides, Request const&... requests) const {
    if constexpr ((asks_for_any<Request>(shared{}) || ...)) {
      A* const sums = memory_.data() + most_sides * size_;
      for_each_number(exec, size_, 1, sum_numbers<A>{memory_.data(), size_, sides, sums});
      (*sum_)(exec, sums);
      (store(exec, sums, requests), ...);
    }
  }
  /// In the place of a side that has no rows, or does not read all of them: zeros, before it writes the others.
  template <class... Request>
  void clear(Exec const& exec, int side) const {
    if constexpr ((asks_for_any<Request>(shared{}) || ...)) {
      engine<Exec>::clear(exec, memory_.data() + side * size_, static_cast<std::size_t>(size_) * sizeof(A));
    }
  }
  /// The gradient of L as a side writes it.
  template <class L, class View>
  auto view_of(int side, View const& view) const {
    A* const to = memory_.data() + side * size_ + first_[static_cast<std::size_t>(index_of_type<L, shared>)];
    return view_over(to, view.rows, view);
  }

private:
  template <class Request, class... L>
  static constexpr bool asks_for_any(type_list<L...>) {
    return (targets_whole_leaf<typename Request::target, L> || ...);
  }
  template <class Request, class... L>
  auto own_request([[maybe_unused]] int side, Request const& request, type_list<L...>) const {
    if constexpr (asks_for_any<Request>(shared{})) {
      return std::tuple_cat(of_leaf<L>(side, request)...);
    } else {
      return std::tuple(request);
    }
  }
  template <class L, class Request>
  auto of_leaf([[maybe_unused]] int side, [[maybe_unused]] Request const& request) const {
    if constexpr (targets_whole_leaf<typename Request::target, L>) {
      auto const view = view_of<L>(side, request.view);
      return std::tuple(gradient_request<L, std::remove_const_t<decltype(view)>, false>{view});
    } else {
      return std::tuple<>();
    }
  }
  template <class Request>
  void store(Exec const& exec, A const* sums, Request const& request) const {
    for_each_leaf(shared{}, [&]<class L>(type_tag<L>) {
      if constexpr (targets_whole_leaf<typename Request::target, L>) {
        using G = typename Request::view_type::value_type;
        auto const& view = request.view;
        std::int64_t const first = first_[static_cast<std::size_t>(index_of_type<L, shared>)];
        for_each_number(
            exec, view.rows, view.row_size(),
            store_rows<A, G>{sums + first, view.row_size(), view.data, view.row_stride, Request::accumulates});
      }
    });
  }

  std::vector<std::int64_t> first_;  // elements before each leaf's
  std::int64_t size_ = 0;
  scratch<A, typename Exec::space> memory_;  // of each side, and the sums
  std::optional<rank_sum<Comm, A>> sum_;
};

}  // namespace edgewise::inline v0::detail
