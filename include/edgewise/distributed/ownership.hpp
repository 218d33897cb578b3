// Which rank owns which vertices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/format/vertex_counts.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// A number whose bits all depend on all of x's. Source: Steele, Lea & Flood 2014, SplitMix.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

}  // namespace detail

/// The owner of each vertex of one side, and the vertex's position among those of its owner, in ascending order. Either
/// ranges of ids, one for each rank, or a list, in which any rank may own any vertex.
class vertex_owners {
public:
  vertex_owners() = default;

  /// Rank r owns [first[r], first[r + 1]). Throws `invalid_argument` unless they ascend from 0.
  static vertex_owners of_ranges(std::vector<std::int64_t> first) {
    if (first.size() < 2 || first.front() != 0) {
      throw invalid_argument("vertex_owners: ranges are [ranks + 1] first vertices, of which the first is 0");
    }
    for (std::size_t r = 1; r < first.size(); ++r) {
      if (first[r] < first[r - 1]) {
        throw invalid_argument(detail::text("vertex_owners: the range of rank ", r - 1, " ends at ", first[r],
                                            ", before it begins at ", first[r - 1]));
      }
    }
    vertex_owners made;
    made.first_ = std::move(first);
    return made;
  }

  /// Vertex v belongs to rank owners[v]. Throws `invalid_argument` naming the first vertex whose owner is no rank.
  static vertex_owners of_list(std::span<std::int32_t const> owners, int num_ranks) {
    if (num_ranks < 1) throw invalid_argument(detail::text("vertex_owners: there are ", num_ranks, " ranks"));
    vertex_owners made;
    made.sizes_.assign(static_cast<std::size_t>(num_ranks), 0);
    made.owner_.assign(owners.begin(), owners.end());
    made.position_.resize(owners.size());
    for (std::size_t v = 0; v < owners.size(); ++v) {
      if (owners[v] < 0 || owners[v] >= num_ranks) {
        throw invalid_argument(
            detail::text("vertex_owners: vertex ", v, " belongs to rank ", owners[v], " of ", num_ranks));
      }
      std::int64_t& size = made.sizes_[static_cast<std::size_t>(owners[v])];
      if (size == std::numeric_limits<std::int32_t>::max()) {
        throw invalid_argument(detail::text("vertex_owners: rank ", owners[v], " has more than 2^31 - 1 vertices"));
      }
      made.position_[v] = static_cast<std::int32_t>(size++);
    }
    return made;
  }

  /// [ranks + 1]: rank r owns [first[r], first[r + 1]). Throws `invalid_argument` where owners are a list.
  std::vector<std::int64_t> const& first_of_ranges() const {
    if (is_list()) throw invalid_argument("vertex_owners: are a list, and no ranges of vertices");
    return first_;
  }
  int num_ranks() const { return static_cast<int>(is_list() ? sizes_.size() : first_.empty() ? 0 : first_.size() - 1); }
  std::int64_t num_vertices() const {
    return is_list() ? static_cast<std::int64_t>(owner_.size()) : first_.empty() ? 0 : first_.back();
  }
  /// How many vertices a rank owns.
  std::int64_t size_of(int rank) const {
    auto const r = static_cast<std::size_t>(rank);
    return is_list() ? sizes_[r] : first_[r + 1] - first_[r];
  }
  /// The rank that owns vertex v < num_vertices().
  int owner_of(std::int64_t v) const {
    if (is_list()) return owner_[static_cast<std::size_t>(v)];
    return static_cast<int>(std::upper_bound(first_.begin(), first_.end(), v) - first_.begin()) - 1;
  }
  /// How many vertices below v its owner owns.
  std::int64_t position_of(std::int64_t v) const {
    return is_list() ? position_[static_cast<std::size_t>(v)] : v - first_[static_cast<std::size_t>(owner_of(v))];
  }
  /// The vertices of a rank, ascending.
  std::vector<std::int64_t> vertices_of(int rank) const {
    std::vector<std::int64_t> found(static_cast<std::size_t>(size_of(rank)));
    if (is_list()) {
      std::size_t next = 0;
      for (std::size_t v = 0; v < owner_.size(); ++v) {
        if (owner_[v] == rank) found[next++] = static_cast<std::int64_t>(v);
      }
    } else {
      for (std::size_t i = 0; i < found.size(); ++i) {
        found[i] = first_[static_cast<std::size_t>(rank)] + static_cast<std::int64_t>(i);
      }
    }
    return found;
  }

  /// Equal where owners are, and hardly elsewhere.
  std::uint64_t hash() const {
    std::uint64_t sum = detail::mixed(static_cast<std::uint64_t>(num_ranks()));
    auto const add = [&](auto const& numbers) {
      for (auto const x : numbers) sum = detail::mixed(sum ^ static_cast<std::uint64_t>(x));
    };
    add(first_);
    add(owner_);
    return sum;
  }

private:
  bool is_list() const { return !sizes_.empty(); }

  std::vector<std::int64_t> first_;  // of ranges, [ranks + 1]
  std::vector<std::int64_t> sizes_;  // of a list, [ranks]
  std::vector<std::int32_t> owner_;
  std::vector<std::int32_t> position_;
};

/// The owners of both sides of a graph. Where there are as many sources as destinations they are the same vertices, and
/// `sources` is empty.
struct ownership {
  vertex_owners destinations;
  vertex_owners sources = {};
  bool shares_vertices = true;

  vertex_owners const& of_sources() const { return shares_vertices ? destinations : sources; }
  int num_ranks() const { return destinations.num_ranks(); }
  std::uint64_t hash() const { return destinations.hash() ^ detail::mixed(shares_vertices ? 0 : sources.hash() | 1); }
  vertex_counts counts() const {
    return {.sources = of_sources().num_vertices(), .destinations = destinations.num_vertices()};
  }
};

}  // namespace edgewise::inline v0
