// Plain text about a plan: what runs, what it reads and writes per edge, what it keeps.
#pragma once

#include <sstream>
#include <string>

#include <edgewise/program/program_traits.hpp>

namespace edgewise::detail {

/// An expression as text: src<h> * edge<w>.
template <class E>
struct describe {
  static std::string text() { return "?"; }
};
template <role R, class Name>
struct describe<leaf<R, Name>> {
  static std::string text() { return leaf_name<leaf<R, Name>>(); }
};
template <int I>
struct describe<leaf<role::destination, unit_value<I>>> {
  static std::string text() { return "gather" + std::to_string(I); }
};
template <>
struct describe<constant> {
  static std::string text() { return "c"; }
};
template <class Op, class... A>
struct describe<node<Op, A...>> {
  static std::string text() {
    std::string result = std::string(Op::name) + "(";
    bool first = true;
    ((result += (first ? "" : ", ") + describe<A>::text(), first = false), ...);
    return result + ")";
  }
};
template <class A>
struct describe<lane_sum_node<A>> {
  static std::string text() { return "sum_lanes(" + describe<A>::text() + ")"; }
};
template <class Unit>
struct describe_unit;
template <class G, class M>
struct describe_unit<reduce_unit<G, M>> {
  static std::string text() { return std::string("gather<") + G::name + ">(" + describe<M>::text() + ")"; }
};
template <class S, class V>
struct describe_unit<softmax_unit<S, V>> {
  static std::string text() { return "gather<sum>(softmax(" + describe<S>::text() + ") * " + describe<V>::text() + ")"; }
};

/// Floating-point operations of one evaluation, per lane.
template <class E>
struct flops_of {
  static constexpr int value = 0;
};
template <class Op, class... A>
struct flops_of<node<Op, A...>> {
  static constexpr int value = Op::flops + (0 + ... + flops_of<A>::value);
};
template <class A>
struct flops_of<lane_sum_node<A>> {
  static constexpr int value = 1 + flops_of<A>::value;
};
template <class Unit>
struct unit_flops;
template <class G, class M>
struct unit_flops<reduce_unit<G, M>> {
  static constexpr int value = 1 + flops_of<M>::value;
};
template <class S, class V>
struct unit_flops<softmax_unit<S, V>> {
  static constexpr int value = 2 + flops_of<S>::value + flops_of<V>::value;
};

template <class Program, class Table, class Traits>
std::string explain_program(graph_counts counts, row_extents extents, char const* mapping, std::size_t workspace_bytes,
                            std::size_t num_slots) {
  std::ostringstream s;
  s << "graph: " << counts.destinations << " destinations, " << counts.sources << " sources, " << counts.edges << " edges\n"
    << "rows: " << extents.heads << " heads x " << extents.lanes << " lanes; mapping: " << mapping << "\n"
    << "forward: 1 traversal grouped by destination, 1 launch, " << num_slots << " pieces of cut rows\n";
  int flops = 0;
  [&]<class... Unit>(type_list<Unit...>) {
    ((s << "  " << describe_unit<Unit>::text() << "\n", flops += unit_flops<Unit>::value), ...);
  }(typename Program::unit_types{});
  if (!Traits::identity_epilogue) s << "  epilogue: " << describe<typename Program::epilogue_type>::text() << "\n";
  std::int64_t edge_bytes = 0;
  [&]<class... Bound>(type_list<Bound...>) {
    ((s << "  " << leaf_name<typename Bound::leaf>() << ": " << kind_name(Bound::kind) << ", "
        << elements_of_kind(Bound::kind, extents) * static_cast<std::int64_t>(sizeof(typename Bound::storage)) << " bytes a row\n",
      edge_bytes += Bound::leaf::role_of == role::source || Bound::leaf::role_of == role::edge
                        ? elements_of_kind(Bound::kind, extents) * static_cast<std::int64_t>(sizeof(typename Bound::storage))
                        : 0),
     ...);
  }(Table{});
  s << "  each edge: " << edge_bytes << " bytes of operands and its index, "
    << static_cast<std::int64_t>(flops) * extents.heads * extents.lanes << " flops\n";
  std::int64_t kept = 0;
  Traits::for_each_unit([&](auto i) {
    constexpr int I = decltype(i)::value;
    using fields = typename Traits::template fields_of<I>;
    [&]<class... S>(type_list<S...>) {
      ((kept += elements_of_kind(fields::saved_kind, extents) * static_cast<std::int64_t>(sizeof(S))), ...);
    }(typename fields::saved{});
    if (Traits::template keeps_result<I>) {
      kept += elements_of_kind(Traits::template unit_kind<I>, extents) * static_cast<std::int64_t>(sizeof(typename Traits::accumulator));
    }
  });
  s << "saved: " << kept << " bytes a destination; all else is recomputed\n"
    << "backward: one traversal grouped by destination for destination-side gradients, one grouped by source for source-side "
       "ones; edge and parameter gradients ride along"
    << (Traits::template needs_vertex_stage<type_list<>> ? "; one per-vertex launch before them" : "") << "\n"
    << "workspace: " << workspace_bytes << " bytes\n";
  return s.str();
}

}  // namespace edgewise::detail
