// What a forward pass keeps for its backward pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <edgewise/core/extents.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/size.hpp>
#include <edgewise/fields/program_traits.hpp>
#include <edgewise/plan/plan_mark.hpp>
#include <edgewise/program/overlap.hpp>

namespace edgewise::inline v0::detail {

/// Are the sources of argument edges kept beside their ids, and how large is a vertex id? Backward reads them in rows,
/// instead of finding each by the position of its edge: worth one element per channel where a row's edges lie far apart
/// or are numbered otherwise than they lie.
struct kept_sources {
  std::size_t index_bytes = 0;  ///< 0: none are kept
};
/// Mean degree from which they are kept: what forward writes then is a few percent of what it reads.
inline constexpr std::int64_t degree_of_kept_sources = 32;

/// Memory for the kept fields of every aggregation, in one allocation. Move-only; made by `plan::make_saved`.
/// Also remembers the output of the forward pass, where the backward pass reads it instead of a copy.
template <class Traits, class Space>
class saved_state {
  using T = typename Traits::accumulator;
  static constexpr int max_fields = 3;
  static constexpr int num_stashed = Traits::stash_table::size;

public:
  /// Of the fields that aggregation I keeps.
  template <int I>
  static constexpr operand_kind kind_of_fields = Traits::template fields_of<I>::saved_kind;

  saved_state() = default;
  saved_state(shared_mark const& maker, graph_counts counts, row_extents extents, memory_resource* memory,
              stream_handle stream, kept_sources sources = {})
      : maker_(maker), rows_(counts.destinations), extents_(extents) {
    std::size_t bytes = 0;
    std::int64_t rows = counts.destinations;
    auto const reserve = [&](std::int64_t row_elements, std::size_t size) {
      std::size_t const at = bytes;
      bytes += (static_cast<std::size_t>(size_of_array(rows, row_elements, size)) + 255) / 256 * 256;
      return at;
    };
    Traits::for_each_aggregation([&](auto i) {
      constexpr int I = decltype(i)::value;
      using fields = typename Traits::template fields_of<I>;
      static_assert(fields::saved::size <= max_fields);
      std::int64_t const elements = elements_of_kind(fields::saved_kind, extents);
      [&]<class... S>(type_list<S...>) {
        [[maybe_unused]] int k = 0;
        ((field_at_[I][k++] = reserve(elements, sizeof(S))), ...);
      }(typename fields::saved{});
      if constexpr (aggregation_picks_edge<typename Traits::template aggregation<I>>) {
        if (sources.index_bytes > 0) sources_at_[I] = reserve(elements, sources.index_bytes);
        keeps_sources_ = sources.index_bytes > 0;
      }
      if (Traits::template keeps_result<I>) {
        result_at_[I] = reserve(elements_of_kind(Traits::template aggregation_kind<I>, extents), sizeof(T));
      }
    });
    rows = counts.edges;
    for_each_index_on_host<num_stashed>(
        [&](auto i) { stash_at_[decltype(i)::value] = reserve(stash_elements<decltype(i)::value>(), sizeof(T)); });
    memory_ = buffer<char, Space>(bytes, memory, stream);
  }

  /// Fills it with zeros: where rows without edges are read, masked, that nothing else writes.
  template <class Exec>
  void clear(Exec const& exec) {
    if (memory_.size() > 0) engine<Exec>::clear(exec, memory_.data(), memory_.size_bytes());
  }

  /// Bytes kept.
  std::size_t size_bytes() const { return memory_.size_bytes(); }

  /// The argument of a `max` or `min`, the program's gather number Gather as `explain` counts them: for each element of
  /// its value the id of the first edge that attains it, -1 in rows without edges; the virtual self edge of vertex v is
  /// edge num_edges + v. Its source is `sources[id]` of the coo that the graph came from, or what
  /// `argument_sources` finds (plan/argument_sources.hpp). Shape: rows of destinations, of the kind of the gather's
  /// value, in the memory of the plan, written in stream order by the forward pass that this state was given to.
  /// Throws `invalid_argument` before that.
  template <int Gather = 0>
  auto argument() const {
    static_assert(Gather >= 0 && Gather < Traits::num_aggregations,
                  "argument: the program has no gather of that number");
    return argument_of<Gather>(typename Traits::template fields_of<Gather>::saved{});
  }

  /// Throws `invalid_argument` unless the plan with this mark made the memory: it is of that plan's shapes.
  void check_maker(shared_mark const& plan, char const* call) const {
    if (!maker_) throw invalid_argument(text(call, ": saved is empty; it is made by make_saved of the plan"));
    if (maker_ != plan)
      throw invalid_argument(text(call, ": saved was made by another plan; use make_saved of this one"));
  }
  /// Throws `invalid_argument` unless a forward pass of the plan with this mark has filled the memory.
  void check_filled(shared_mark const& plan, char const* call) const {
    check_maker(plan, call);
    if (!is_filled_) throw invalid_argument(text(call, ": saved holds nothing; pass it to forward first"));
    if (num_rebuilds_ != plan->num_rebuilds) {
      throw invalid_argument(
          text(call, ": saved was filled before rebuild, of another graph; pass it to forward again"));
    }
  }

  /// Throws `invalid_argument` where backward reads the output and it is not stored as its adjoint is.
  template <class Adjoint>
  void check_output_type(char const* call) const {
    if constexpr (Traits::reads_output) {
      std::string_view const adjoint = storage_name<Adjoint>();
      if (adjoint != output_type_) {
        throw invalid_argument(text(call, ": grad_out is stored as ", adjoint,
                                    ", and the output of the forward pass, which this program's backward reads, as ",
                                    output_type_));
      }
    }
  }

  /// Throws `invalid_argument` where gradients would be written over the output that backward reads.
  template <class... Request>
  void check_output_stays(Request const&... requests) const {
    if constexpr (Traits::reads_output) {
      auto const check = [&](auto const& view) {
        if (overlap(memory_of(view), output_rows_)) {
          throw invalid_argument(
              "backward: a gradient shares memory with the output of the forward pass that filled saved, which is "
              "read");
        }
      };
      (check(requests.view), ...);
    }
  }

  /// Points a forward pass at this memory, which holds something once the pass was started: `keep`.
  template <class Pass, class View>
  void fill(Pass& pass, View const& output) {
    is_filled_ = false;
    num_rebuilds_ = maker_->num_rebuilds;
    take_output(output);
    Traits::for_each_aggregation([&](auto i) {
      constexpr int I = decltype(i)::value;
      auto& to = get<I>(pass.saved);
      [&]<class... S>(type_list<S...>) {
        for_each_index_on_host<sizeof...(S)>([&](auto k) {
          auto*& data = get<decltype(k)::value>(to.data);
          data = reinterpret_cast<std::remove_reference_t<decltype(data)>>(memory_.data() +
                                                                           field_at_[I][decltype(k)::value]);
        });
      }(typename Traits::template fields_of<I>::saved{});
      if constexpr (aggregation_picks_edge<typename Traits::template aggregation<I>>)
        to.sources = keeps_sources_ ? memory_.data() + sources_at_[I] : nullptr;
      if constexpr (Traits::template keeps_result<I>) to.result = reinterpret_cast<T*>(memory_.data() + result_at_[I]);
    });
  }

  void keep() { is_filled_ = true; }

  /// Remembers the output that the backward pass reads.
  template <class View>
  void take_output(View const& output) {
    using element = typename View::value_type;
    output_ = output.data;
    output_rows_ = memory_of(output);
    output_type_ = storage_name<element>();
    output_row_bytes_ = static_cast<std::int32_t>((output.rows > 1 ? output.row_stride : output.row_size()) *
                                                  static_cast<std::int64_t>(sizeof(element)));
    chunk_of_output_ = chunk_of(output);
  }

  /// Points a forward pass at the memory for values of edges, and backward traversals; returns the longest chunk that
  /// its rows allow.
  template <class Pass>
  void fill_stash(Pass& pass) {
    for_each_index_on_host<num_stashed>([&](auto i) {
      constexpr int I = decltype(i)::value;
      get<I>(pass.stash) = reinterpret_cast<T*>(memory_.data() + stash_at_[I]);
    });
  }
  template <class Pointers>
  int read_stash(Pointers& pointers) const {
    int chunk = longest_chunk;
    for_each_index_on_host<num_stashed>([&](auto i) {
      constexpr int I = decltype(i)::value;
      using bound = type_at<I, typename Traits::stash_table>;
      auto const row_bytes = static_cast<std::int32_t>(stash_elements<I>() * static_cast<std::int64_t>(sizeof(T)));
      pointers.template of<bound>() = {reinterpret_cast<T const*>(memory_.data() + stash_at_[I]), row_bytes};
      if (bound::kind == operand_kind::wide) {
        chunk = smaller(chunk, chunk_of_rows(extents_.channels, sizeof(T), 0, row_bytes));
      }
    });
    return chunk;
  }

  /// The sources of the edges that aggregation I picked; null where they are not kept.
  template <int I>
  void const* sources() const {
    return keeps_sources_ ? memory_.data() + sources_at_[I] : nullptr;
  }
  template <int I, int K>
  void const* field() const {
    return memory_.data() + field_at_[I][K];
  }
  void const* field_address(int aggregation, int k) const { return memory_.data() + field_at_[aggregation][k]; }
  void* field_address(int aggregation, int k) { return memory_.data() + field_at_[aggregation][k]; }
  template <int I, class S>
  std::int32_t field_row_bytes() const {
    return static_cast<std::int32_t>(elements_of_kind(Traits::template fields_of<I>::saved_kind, extents_) *
                                     static_cast<std::int64_t>(sizeof(S)));
  }
  /// The value of aggregation I: kept as T, or the output itself where the program ends with it.
  template <int I>
  void const* result() const {
    return Traits::identity_epilogue ? output_ : memory_.data() + result_at_[I];
  }
  template <int I>
  std::int32_t result_row_bytes() const {
    return Traits::identity_epilogue
               ? output_row_bytes_
               : static_cast<std::int32_t>(elements_of_kind(Traits::template aggregation_kind<I>, extents_) *
                                           static_cast<std::int64_t>(sizeof(T)));
  }
  template <int I>
  int chunk_of_result() const {
    return Traits::identity_epilogue ? chunk_of_output_ : longest_chunk;
  }

private:
  template <int Gather, class... S>
  auto argument_of(type_list<S...>) const {
    static_assert(sizeof...(S) == 1 && (std::is_integral_v<S> && ...), "argument: only max and min have one");
    return argument_of<Gather>(type_tag<S>{}...);
  }
  template <int Gather, class S>
  auto argument_of(type_tag<S>) const {
    if (!maker_) throw invalid_argument("argument: saved is empty; it is made by make_saved of the plan");
    if (!is_filled_) throw invalid_argument("argument: saved holds nothing; pass it to forward first");
    constexpr operand_kind kind = Traits::template fields_of<Gather>::saved_kind;
    return operand_view<S const, kind>{static_cast<S const*>(field<Gather, 0>()), rows_, extents_.heads,
                                       extents_.channels, elements_of_kind(kind, extents_)};
  }

  template <int I>
  std::int64_t stash_elements() const {
    return elements_of_kind(type_at<I, typename Traits::stash_table>::kind, extents_);
  }

  shared_mark maker_;
  bool is_filled_ = false;
  std::uint64_t num_rebuilds_ = 0;  ///< of the plan, when this was filled
  buffer<char, Space> memory_;
  std::int64_t rows_ = 0;
  row_extents extents_{};
  std::size_t field_at_[Traits::num_aggregations][max_fields] = {};
  std::size_t result_at_[Traits::num_aggregations] = {};
  std::size_t sources_at_[Traits::num_aggregations] = {};
  bool keeps_sources_ = false;
  std::size_t stash_at_[num_stashed > 0 ? num_stashed : 1] = {};
  void const* output_ = nullptr;
  memory_rows output_rows_;
  std::string_view output_type_;
  std::int32_t output_row_bytes_ = 0;
  int chunk_of_output_ = longest_chunk;
};

}  // namespace edgewise::inline v0::detail
