// How tests describe a program: its operands, the gradients asked of it, and what one run takes and gives.
//
// A case is a struct: `name`, `program` (the expression), `operands` (a std::tuple of `operand`), `out_kind`,
// `gradients` (a std::tuple of `gradient_set`, tried one by one), `masks` if it drops anything, and `reference(row)`,
// the definition in float64 (plan/reference_row.hpp). Files that only run cases need no reference. A case may name a
// `mapping` (a value), the others run with `automatic`; `extents` (a type), the others are compiled for any;
// `keeping` (a type), the others recompute; `handing` (a type), the traversals of the others hand nothing over; and
// `sums` (a type), the others are deterministic. One with `has_constant_edges` binds operands of edges as
// `constant_rows`. A case with `is_of_edges` has a row of output for every edge, and its
// reference takes the edge. One that `reads_types` runs over edges with types. One with `weights_kind` also gives out
// its attention weights, `weight(edge)`. One that ends in concat has a `part_kind`, the kind of each of its `num_parts`
// parts, and a `reference(row, part)`.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <edgewise/core/operand.hpp>
#include <edgewise/core/random.hpp>
#include <edgewise/mapping/automatic.hpp>
#include <edgewise/program/stash.hpp>
#include <edgewise/program/static_extents.hpp>
#include <edgewise/program/sums.hpp>

#include "support/test_graph.hpp"

namespace edgewise::testing {

/// Whose rows an operand has; `vertex` operands are read as source and as destination.
enum class rows_of { source, destination, edge, type, parameter, vertex };

template <class Name, rows_of Rows, operand_kind Kind>
struct operand {
  using name = Name;
  static constexpr rows_of rows = Rows;
  static constexpr operand_kind kind = Kind;
  static constexpr int length = 0;
};
/// An operand that is bound in this role alone, by bind<src<Name>> or bind<dst<Name>>: the other role may have rows of
/// another operand. Its gradient is asked for by role too.
template <class Name, rows_of Rows, operand_kind Kind>
struct role_operand : operand<Name, Rows, Kind> {
  static_assert(Rows == rows_of::source || Rows == rows_of::destination);
  static constexpr bool is_of_one_role = true;
};
/// An operand of small vectors of Length components, [rows, Length] or [rows, heads, Length].
template <class Name, rows_of Rows, operand_kind Kind, int Length>
struct vec_operand {
  using name = Name;
  static constexpr rows_of rows = Rows;
  static constexpr operand_kind kind = Kind;
  static constexpr int length = Length;
};

/// A dropout's name and stream; a case with masks also has `random_state random`, the state of all of them.
template <class Name, int Stream>
struct mask {
  using name = Name;
  static constexpr int stream = Stream;
};

template <class Case>
struct masks_of {
  using type = std::tuple<>;
};
template <class Case>
requires requires { typename Case::masks; }
struct masks_of<Case> {
  using type = typename Case::masks;
};

/// Gradients that a backward pass is asked for, by position of the operand.
template <int Operand>
struct whole {};  // over all roles
template <int Operand>
struct as_source {};
template <int Operand>
struct as_destination {};
template <int Operand>
struct added {};  // over all roles, to a tensor that holds the operand's values
template <class... Asked>
struct gradient_set {};

/// A gradient as the judging side sees it.
struct asked_gradient {
  enum part { whole, source, destination };
  int operand;
  part of;
  bool accumulates;
};
template <int I>
constexpr asked_gradient describe(whole<I>) {
  return {I, asked_gradient::whole, false};
}
template <int I>
constexpr asked_gradient describe(as_source<I>) {
  return {I, asked_gradient::source, false};
}
template <int I>
constexpr asked_gradient describe(as_destination<I>) {
  return {I, asked_gradient::destination, false};
}
template <int I>
constexpr asked_gradient describe(added<I>) {
  return {I, asked_gradient::whole, true};
}
template <class... Asked>
std::vector<asked_gradient> describe(gradient_set<Asked...>) {
  return {describe(Asked{})...};
}

template <class Case>
constexpr auto mapping_of() {
  if constexpr (requires { Case::mapping; }) {
    return Case::mapping;
  } else {
    return automatic{};
  }
}

/// The extents that a case is compiled for: any, unless it names a type `extents`.
template <class Case>
struct compiled_extents {
  using type = any_extents;
};
template <class Case>
requires requires { typename Case::extents; }
struct compiled_extents<Case> {
  using type = typename Case::extents;
};

/// What a case keeps for the backward pass: nothing, unless it names a type `keeping`.
template <class Case>
struct keeping_of {
  using type = recompute;
};
template <class Case>
requires requires { typename Case::keeping; }
struct keeping_of<Case> {
  using type = typename Case::keeping;
};

/// How a case's gradients are summed: in a fixed order, unless it names a type `sums`.
template <class Case>
struct sums_of {
  using type = deterministic;
};
template <class Case>
requires requires { typename Case::sums; }
struct sums_of<Case> {
  using type = typename Case::sums;
};

template <class Case>
inline constexpr int num_operands = std::tuple_size_v<typename Case::operands>;
template <class Case>
inline constexpr int num_gradient_sets = std::tuple_size_v<typename Case::gradients>;

constexpr bool has_heads(operand_kind kind) { return kind == operand_kind::wide || kind == operand_kind::per_head; }
constexpr bool has_channels(operand_kind kind) {
  return kind == operand_kind::wide || kind == operand_kind::per_channel;
}

/// How operands are drawn; a case says so in `values`, and is given uniform numbers otherwise.
enum class draw {
  uniform,  // in [-1, 1)
  grid,     // multiples of 1/16 in [-1, 1]: sums and products are exact, so that float decides kinks as float64 does
  factors   // in +-[0.5, 1.5), every sixteenth 0: products neither vanish nor overflow at once
};

/// Heads and channels of a run.
struct width {
  int heads = 1;
  int channels = 1;

  std::size_t elements(operand_kind kind) const {
    return static_cast<std::size_t>(has_heads(kind) ? heads : 1) *
           static_cast<std::size_t>(has_channels(kind) ? channels : 1);
  }
};

template <class Case>
constexpr int parts_of_output() {
  if constexpr (requires { Case::num_parts; }) {
    return Case::num_parts;
  } else {
    return 1;
  }
}
/// Heads and channels of a case's output: the parts of a concatenation lie one behind the other, as heads do.
template <class Case>
width out_extents(width extents) {
  if constexpr (requires { Case::num_parts; }) {
    extents.heads = Case::num_parts * (has_heads(Case::part_kind) ? extents.heads : 1);
  }
  return extents;
}

/// Elements of a row of an operand.
template <class Operand>
std::size_t row_elements(width extents) {
  return extents.elements(Operand::kind) * static_cast<std::size_t>(Operand::length > 0 ? Operand::length : 1);
}

inline int num_rows(rows_of rows, test_graph const& graph) {
  switch (rows) {
    case rows_of::destination:
      return graph.num_destinations;
    case rows_of::edge:
      return graph.num_edges();
    case rows_of::type:
      return test_graph::num_types;
    case rows_of::parameter:
      return 1;
    default:
      return graph.num_sources;
  }
}

/// Rows of a case's output.
template <class Case>
int num_out_rows(test_graph const& graph) {
  if constexpr (requires { Case::is_of_edges; }) {
    return graph.num_edges();
  } else {
    return graph.num_destinations;
  }
}

/// Cases that also run with 64-bit offsets and edge ids. One for each way to read them is enough: it doubles what has
/// to be compiled.
template <class Case>
concept has_wide_offsets = requires {
  requires Case::has_wide_offsets;
};

/// Cases whose operands of edges are constant.
template <class Case>
concept binds_constant_edges = requires {
  requires Case::has_constant_edges;
};

/// A case with the first of its sets of gradients alone: for tests that ask for no other, each of which would be
/// compiled.
template <class Case>
struct first_set : Case {
  static constexpr bool has_wide_offsets = false;
  using gradients = std::tuple<std::tuple_element_t<0, typename Case::gradients>>;
};

/// How arrays lie in memory: elements between rows, and by how much their base misses its alignment. is_padded: what
/// lies between rows may be written.
struct array_layout {
  int row_padding = 0;
  int offset = 0;
  bool is_padded = false;
};

/// What the masks of a case are drawn from.
template <class Case>
constexpr random_state random_of() {
  if constexpr (requires { Case::random; }) {
    return Case::random;
  } else {
    return {};
  }
}

/// How a case's tensors are stored: as the run's T, unless the case says otherwise in `storage` (a std::tuple of one
/// type per operand), `out_storage` (the output and its adjoint) and `gradient_storage` (one type, or a std::tuple).
/// Requests and results then hold the stored numbers as T, exactly.
template <class Case, class T, int Operand>
struct stored_operand {
  using type = T;
};
template <class Case, class T, int Operand>
requires requires { typename Case::storage; }
struct stored_operand<Case, T, Operand> {
  using type = std::tuple_element_t<Operand, typename Case::storage>;
};
template <class Case, class T>
struct stored_output {
  using type = T;
};
template <class Case, class T>
requires requires { typename Case::out_storage; }
struct stored_output<Case, T> {
  using type = typename Case::out_storage;
};
template <class Case, class T, int Operand>
struct stored_gradient : stored_operand<Case, T, Operand> {};
template <class Storage, int>
struct storage_at {
  using type = Storage;
};
template <class... S, int Operand>
struct storage_at<std::tuple<S...>, Operand> : std::tuple_element<Operand, std::tuple<S...>> {};
template <class Case, class T, int Operand>
requires requires { typename Case::gradient_storage; }
struct stored_gradient<Case, T, Operand> : storage_at<typename Case::gradient_storage, Operand> {};

/// The first of the sets that ask for the most gradients.
template <class Longest, class... Sets>
struct longest_gradient_set {
  using type = Longest;
};
template <class... A, class... B, class... Rest>
struct longest_gradient_set<gradient_set<A...>, gradient_set<B...>, Rest...>
    : longest_gradient_set<std::conditional_t<(sizeof...(B) > sizeof...(A)), gradient_set<B...>, gradient_set<A...>>,
                           Rest...> {};
template <class Sets>
struct longest_of;
template <class... Sets>
struct longest_of<std::tuple<Sets...>> : longest_gradient_set<Sets...> {};

/// A case with its operands stored as S, its output as Out and its gradients as Gradient. Offsets of 64 bits and other
/// sets of gradients are left to the case itself: they multiply what has to be compiled.
template <class Case, class Out, class Gradient, class... S>
struct stored : Case {
  static constexpr bool has_wide_offsets = false;
  using gradients = std::tuple<typename longest_of<typename Case::gradients>::type>;
  using storage = std::tuple<S...>;
  using out_storage = Out;
  using gradient_storage = Gradient;
};
template <class Case, class S, class Operands = typename Case::operands>
struct stored_alike;
template <class Case, class S, class... Operand>
struct stored_alike<Case, S, std::tuple<Operand...>> {
  template <class>
  using each = S;
  using type = stored<Case, S, S, each<Operand>...>;
};
/// A case with everything stored as S.
template <class Case, class S>
using stored_as = typename stored_alike<Case, S>::type;

/// Which arrays of a run its layout is for; the others are packed.
struct laid_out {
  bool operands = true;
  bool output = true;  ///< and its adjoint
  bool gradients = true;
};

/// One run. Arrays are packed; they are laid out as `layout` says when they are uploaded.
template <class T>
struct run_request {
  test_graph const* graph = nullptr;
  width extents = {};
  std::vector<std::vector<T>> operands = {};
  std::vector<T> grad_out = {};
  int asked_set = -1;  // position in Case::gradients; -1: forward only
  array_layout layout = {};
  laid_out lays_out = {};
  int threads = 0;            // CPU only
  bool wide_offsets = false;  // 64-bit offsets and edge ids, of cases that have them
};

/// What a run wrote, packed, and what it took.
template <class T>
struct run_result {
  std::vector<T> out;
  std::vector<T> out_without_saved;             // of a forward pass that keeps nothing
  std::vector<T> out_again;                     // the same plan, once more
  std::vector<std::vector<T>> gradients;        // one per asked gradient
  std::vector<std::vector<T>> gradients_again;  // the same plan and saved state, once more; not for added ones
  std::vector<T> weights;                       // of a case with `weights_kind`: of every edge, after `out`
  std::vector<T> weights_again;
  std::string damage;               // what was written outside of rows and padding; empty when nothing was
  std::set<std::string> padding;    // of what padding was written: "out", "gradient 0"
  std::size_t num_allocations = 0;  // while forward and backward ran
  std::size_t saved_bytes = 0;
  std::size_t workspace_bytes = 0;
  std::size_t peak_bytes = 0;  // of all that the plan, its saved state and both passes took from the memory resource
};

}  // namespace edgewise::testing
