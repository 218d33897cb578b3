// The CPU engine: rows, or shares of edges, split among threads and walked by the same passes as on the GPU.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <edgewise/core/caught_exception.hpp>
#include <edgewise/core/cpu_threads.hpp>
#include <edgewise/core/extents.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/engine/cpu/argument_engine.hpp>
#include <edgewise/engine/cpu/capacities.hpp>
#include <edgewise/engine/cpu/coo_engine.hpp>
#include <edgewise/engine/cpu/multiply.hpp>
#include <edgewise/engine/cpu/order_rows.hpp>
#include <edgewise/engine/cpu/staged_rows.hpp>
#include <edgewise/engine/cpu/tiles_of_row.hpp>
#include <edgewise/engine/tiles.hpp>
#include <edgewise/format/hash_edges.hpp>
#include <edgewise/mapping/degree_histogram.hpp>
#include <edgewise/pass/fold_tree.hpp>
#include <edgewise/pass/pass_sizes.hpp>
#include <edgewise/pass/pass_traits.hpp>
#include <edgewise/pass/slots.hpp>
#include <edgewise/pass/traverse.hpp>
#include <edgewise/pass/walk_singly.hpp>
#include <edgewise/program/gradient_pointer.hpp>
#include <edgewise/program/row_bytes.hpp>
#include <edgewise/program/static_extents.hpp>
#include <edgewise/register/host_geometry.hpp>
#include <edgewise/schedule/host_schedule.hpp>
#include <edgewise/schedule/sizing.hpp>

namespace edgewise::inline v0::detail {

template <>
struct engine<cpu> {
  static constexpr int channels_per_chunk = 16;
  /// Rows are cut into this many ranges for sums over all edges, whatever the number of threads: same bits always.
  static constexpr int num_ranges = 64;

  /// How many rows ahead a thread asks for what it stores (docs/tuning.md, R68).
  static constexpr int rows_expected = 2;

  /// The place of a plan: on the host calls run wherever they are made.
  struct site {
    site(cpu const&, char const*) {}
    static void refuse_capture(cpu const&, char const*) {}
    struct scope {
      scope(site const&, cpu const&, char const*) {}
      template <class Name>
      void check_array(void const*, Name const&) const {}
    };
    using making = scope;
  };

  template <class Split, class Index, class Offset>
  using schedule = host_schedule<Split, Index, Offset>;
  template <class Split, class Index, class Offset>
  static schedule<Split, Index, Offset> make_schedule(cpu const& exec, Split split,
                                                      grouping_view<Index, Offset> const& grouping, sizing size,
                                                      std::int64_t, std::int64_t) {
    return {exec.memory, split, grouping, size};
  }
  template <class Split, class Index, class Offset>
  static void rebuild(cpu const&, schedule<Split, Index, Offset>& schedule,
                      grouping_view<Index, Offset> const& grouping) {
    schedule.rebuild(grouping);
  }
  static constexpr bool cuts_rows = false;
  static constexpr std::int64_t cache_bytes() { return 0; }
  template <class Pass, class Extents>
  static constexpr group_kinds groups_of(row_extents, int) {
    return {};
  }
  template <class Index, class Offset>
  static degree_histogram read_degrees(cpu const&, grouping_view<Index, Offset> const& grouping, workload work) {
    std::vector<std::int32_t> counts(degree_histogram_classes);
    std::int64_t max_degree = 0;
    for (Index row = 0; row < grouping.num_rows; ++row) {
      std::int64_t const degree = grouping.offsets[row + 1] - grouping.offsets[row];
      ++counts[static_cast<std::size_t>(histogram_class(degree))];
      max_degree = degree > max_degree ? degree : max_degree;
    }
    return {work, max_degree, std::move(counts)};
  }
  template <std::size_t N, class Index, class Offset>
  static std::array<degree_histogram, N> read_degrees(
      cpu const& exec, std::array<described_grouping<Index, Offset>, N> const& groupings) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<degree_histogram, N>{read_degrees(exec, groupings[I].grouping, groupings[I].work)...};
    }
    (std::make_index_sequence<N>{});
  }
  /// Partial sums of parameters that one pass may need at most.
  static constexpr std::int64_t num_partials(std::int64_t, std::int64_t) { return num_ranges; }
  /// Bytes for the rows that passes stage, where `edges` edges read `rows` rows of so many channels, of T.
  template <class T>
  static std::int64_t staged_bytes(cpu const& exec, std::int64_t rows, std::int64_t edges, std::int64_t channels) {
    return std::max(
        staging_rule::memory_near<T>(exec, rows, edges, channels),
        staging_rule::of(exec, rows, edges, channels * std::int64_t{sizeof(T)}).memory_for<T>(rows, channels));
  }

  template <class Index, class Offset>
  static std::array<std::uint64_t, 2> sum_edge_hashes(cpu const& exec, csr_view<Index, Offset> const& csr,
                                                      csc_view<Index, Offset> const& csc, edge_identity identity) {
    return {detail::sum_edge_hashes<endpoint::destination, Index, Offset>(exec, csr, identity),
            detail::sum_edge_hashes<endpoint::source, Index, Offset>(exec, csc, identity)};
  }

  static memory_resource* memory(cpu const& exec) { return exec.memory; }
  static void clear(cpu const&, void* data, std::size_t bytes) { std::memset(data, 0, bytes); }
  template <class... Argument>
  static void order_rows(cpu const& exec, Argument const&... arguments) {
    detail::order_rows(exec, arguments...);
  }

  static constexpr std::int64_t product_partials(std::int64_t, std::int64_t, std::int64_t) { return 0; }
  static constexpr std::int64_t most_product_partials(std::int64_t, std::int64_t) { return 0; }
  template <class T, class A, class B, class C>
  static void multiply(cpu const& exec, matrix_view<A> const& a, matrix_view<B> const& b, matrix_view<C> const& c,
                       bool adds, T*) {
    detail::multiply<T>(exec, a, b, c, adds);
  }
  static constexpr std::int64_t typed_product_partials(std::int64_t, std::int64_t, std::int64_t) { return 0; }
  template <class T, class... Argument>
  static void multiply_by_type(cpu const& exec, Argument const&... arguments) {
    detail::multiply_by_type<T>(exec, arguments...);
  }
  template <class T, class Types, class A, class B, class C>
  static void sum_by_type(cpu const& exec, Types const& types, A const& a, B const& b, C const& c, bool adds, T*) {
    detail::sum_by_type<T>(exec, types, a, b, c, adds);
  }

  /// Throws `invalid_argument` where no geometry holds what the pass has to sum over.
  template <class Pass, class Extents = any_extents>
  static void check_width(row_extents extents, int) {
    if (lay_out<Pass>(extents, large_host_capacity, channels_per_chunk, false).layout.num_tiles == 0) {
      throw_row_too_wide(Pass::need, extents, large_host_capacity * channels_per_chunk);
    }
  }

  /// Runs a pass over rows that `check_width` lets pass.
  template <class Extents = any_extents, class Pass, class Split, class Index, class Offset>
  static void run(cpu const& exec, Pass const& pass, grouping_view<Index, Offset> const& grouping,
                  host_schedule<Split, Index, Offset> const& schedule, row_extents extents, int,
                  workspace_view const& workspace) {
    run_on<Extents>(exec, pass, grouping, schedule.tasks(), extents, workspace);
  }

private:
  /// Schedule: of whole rows or of shares; which split was asked for makes no other code.
  template <class Extents, class Pass, class Schedule, class Index, class Offset>
  static void run_on(cpu const& exec, Pass const& pass, grouping_view<Index, Offset> const& grouping,
                     Schedule const& schedule, row_extents extents, workspace_view const& workspace) {
    run_context<Pass, Schedule, Index, Offset> const c{
        exec,
        pass,
        grouping,
        schedule,
        workspace,
        extents,
        slot_bytes<Pass>(extents),
        has_near_rows<Pass>(exec, schedule, std::int64_t{grouping.num_neighbors}, extents)};
    if constexpr (Pass::need == layout_need::flat) {
      run_flat<Extents>(c);
    } else if constexpr (is_static_extents<Extents>) {
      run_static_heads<Extents::heads, Extents::channels>(c);
    } else {
      if constexpr (!has_few_geometries) {
        int const capacity = capacity_for<Pass>(extents);
        if (capacity == small_host_capacity) return run_heads<small_host_capacity>(c);
        if (capacity == medium_host_capacity) return run_heads<medium_host_capacity>(c);
      }
      run_heads<large_host_capacity>(c);
    }
  }

  template <class Pass, class Schedule, class Index, class Offset>
  struct run_context {
    cpu const& exec;
    Pass const& pass;
    grouping_view<Index, Offset> const& grouping;
    Schedule const& schedule;
    workspace_view const& workspace;
    row_extents extents;
    std::int64_t slot_bytes;
    bool are_near;  ///< the rows that edges read (`has_near_rows`)
    static constexpr bool any_order = Pass::walks_edges && !Pass::has_parameter_targets;

    bool has_cut_rows() const { return Pass::walks_edges && schedule.has_cut_rows(); }
    std::int64_t num_tasks() const { return schedule.num_tasks(grouping, Pass::walks_edges, any_order); }
    template <class F>
    void for_each_piece(task_part part, std::int64_t task, F const& f) const {
      schedule.template for_each_piece<Pass::walks_edges>(grouping, part, task, any_order, f);
    }
  };

  /// Does a core's own cache have nearly all rows of neighbors when the edges of a pass read them? Short vectors wait
  /// for it longer than asking takes (docs/tuning.md, R72).
  template <class Pass, class Schedule>
  static bool has_near_rows(cpu const& exec, Schedule const& schedule, std::int64_t rows, row_extents extents) {
    if constexpr (Pass::walks_edges && Pass::tables::needed_far::size == 0) {
      std::int64_t const bytes_of_row =
          bytes_of_gathered_row(gathered_rows<Pass>{}, std::int64_t{extents.heads} * extents.channels);
      if (bytes_of_row == 0 || host_vector_bytes <= 16) return false;
      std::int64_t const fitting = staging_rule::bytes_of_core(exec) / bytes_of_row;
      return rows <= fitting || schedule.reuse().misses(fitting) < 0.04f;
    }
    return false;
  }

  template <class Context>
  using pass_of = std::remove_cvref_t<decltype(std::declval<Context const&>().pass)>;

  template <class Pass>
  static constexpr int capacity_for(row_extents extents) {
    for (int const capacity : {small_host_capacity, medium_host_capacity}) {
      if (make_row_layout(Pass::need, extents.heads, extents.channels, capacity, channels_per_chunk, false).num_tiles >
          0)
        return capacity;
    }
    return large_host_capacity;
  }
  template <int Capacity, class Context>
  static void run_heads(Context const& c) {
    if constexpr (Capacity == small_host_capacity && !has_few_geometries) {  // docs/tuning.md, R69
      if (run_fixed<fixed_chunks<8, 1, true>, 8>(c)) return;
      if (run_fixed<fixed_chunks<1, 4, true>, channels_per_chunk>(c)) return;
      if (run_fixed<fixed_chunks<4, 1, false>, channels_per_chunk>(c)) return;
    }
    if constexpr (Capacity == medium_host_capacity &&
                  pass_of<Context>::need == layout_need::whole_heads) {  // docs/tuning.md, R70
      if (run_fixed<fixed_chunks<1, 8, true>, channels_per_chunk>(c)) return;
      if (run_fixed<fixed_chunks<1, 16, true>, channels_per_chunk>(c)) return;
    }
    run_any<Capacity>(c);
  }
  template <int Capacity, class Context>
  static void run_any(Context const& c) {
    tiled_rows const rows = lay_out<pass_of<Context>>(c.extents, Capacity, channels_per_chunk, false);
    run_layout<host_geometry<Capacity, channels_per_chunk>>(c, rows.layout, rows.adds_tiles);
  }
  /// Rows of these extents have one shape, or the smallest geometry that holds them.
  template <int Heads, int Channels, class Context>
  static void run_static_heads(Context const& c) {
    constexpr int capacity = capacity_for<pass_of<Context>>({Heads, Channels});
    constexpr bool is_short = Heads % 8 == 0 && Channels == 8;
    constexpr int chunk = is_short ? 8 : channels_per_chunk;
    constexpr tiled_rows rows = lay_out<pass_of<Context>>({Heads, Channels}, is_short ? 8 : capacity, chunk, false);
    constexpr row_layout l = rows.layout;
    using shape = fixed_chunks<l.heads_per_tile, l.chunks_per_head, l.channels_per_tile == l.chunks_per_head * chunk>;
    constexpr bool has_shape = !rows.adds_tiles && l.num_tiles > 0 && shape::fits(l, chunk) && shape::fixed_count <= 16;
    if constexpr (has_shape && !has_few_geometries) {
      run_layout<host_geometry<shape::fixed_count, chunk, shape>>(c, l);
    } else {
      run_any<capacity>(c);
    }
  }
  /// Runs rows that consist of tiles of a shape of chunks of so many channels; false where these do not.
  template <class Shape, int Channels, class Context>
  static bool run_fixed(Context const& c) {
    tiled_rows const rows = lay_out<pass_of<Context>>(c.extents, Shape::fixed_count, Channels, false);
    if (rows.adds_tiles || rows.layout.num_tiles == 0 || !Shape::fits(rows.layout, Channels)) return false;
    run_layout<host_geometry<Shape::fixed_count, Channels, Shape>>(c, rows.layout);
    return true;
  }

  /// Runs the channels of rows of one axis in columns that are staged; false where rows are read as they lie.
  template <class Context, class Columns>
  static bool run_staged(Context const& c, Columns columns, int least) {
    std::int64_t const rows = columns.rows, edges = c.grouping.num_edges;
    std::int64_t const bytes_of_channel = bytes_of_gathered_row(typename Columns::gathered{}, 1);
    std::int64_t const bytes_of_row = bytes_of_channel * columns.channels;
    std::int64_t const core_bytes = staging_rule::bytes_of_core(c.exec);
    std::int64_t const room = c.workspace.staged_bytes - staging_rule::bytes_before(columns.channels);
    if (room <= 0 || rows == 0) return false;
    Context near = c;
    columns.staged = c.workspace.staged + staging_rule::bytes_before(columns.channels);
    columns.width = staging_rule::near(c.exec).channels(rows, bytes_of_channel, least);
    double const missed = static_cast<double>(edges) * c.schedule.reuse().misses(core_bytes / bytes_of_row);
    if (columns.width > 0 && rows * bytes_of_row <= room && staging_rule::pays(missed, rows)) {
      near.are_near = host_vector_bytes > 16;
      columns.stage(c.exec);
      run_columns(near, columns);
      return true;
    }
    staging_rule const last = staging_rule::of(c.exec, rows, edges, bytes_of_row);
    columns.width = last.within(c.workspace.staged_bytes, columns.channels).channels(rows, bytes_of_channel, least);
    if (columns.width == 0) return false;
    near.are_near = false;
    int const channels = columns.last;
    for (; columns.first < channels; columns.first += columns.width) {
      columns.last = std::min(columns.first + columns.width, channels);
      columns.stage(c.exec);
      run_columns(near, columns);
    }
    return true;
  }

  /// Parameters' sums are of all channels at once.
  template <class Pass>
  static constexpr bool can_stage = [] {
    if constexpr (Pass::walks_edges && !Pass::has_parameter_targets) return gathered_rows<Pass>::size > 0;
    return false;
  }();
  template <class Extents, class Context>
  static void run_flat(Context const& c) {
    using pass_type = pass_of<Context>;
    constexpr int most = [] {
      if constexpr (is_static_extents<Extents>) return Extents::heads * Extents::channels;
      return 0;
    }();
    int const channels = c.extents.heads * c.extents.channels;
    channel_columns<pass_type, channels_per_chunk, most> const whole{
        c.pass, std::int64_t{c.grouping.num_neighbors}, 0, channels, channels, channels};
    if constexpr (can_stage<pass_type>) {
      if (run_staged(c, whole, tiles_of_row<channels_per_chunk, most>::whole_channels)) return;
    }
    run_columns(c, whole);
  }
  /// Short rows of one axis take the time of their instructions: what cut rows need is not among them, where that is no
  /// matter of compilation alone (docs/tuning.md, R71).
  template <class Pass>
  static constexpr bool cuts_apart = Pass::walks_edges && !Pass::has_parameter_targets &&
                                     Pass::loads::parameter_table::size == 0 && !has_few_geometries;
  template <class Context, class Columns>
  static void run_columns(Context const& c, Columns const& columns) {
    if constexpr (cuts_apart<pass_of<Context>>) {
      run_tasks<false>(c, task_part::whole_rows, columns);
      if (!c.has_cut_rows()) return;
      run_tasks<true>(c, task_part::cut_rows, columns);
      run_tasks<true>(c, task_part::folds, columns);
    } else {
      for (int column = 0; column < columns.count(); ++column) {
        columns.run(column, [&](auto const& pass, auto const& tiles) { run_tiles(c, pass, tiles); });
      }
    }
  }

  template <class Geometry, class Context>
  static void run_layout(Context const& c, row_layout const& layout, bool adds_tiles = false) {
    using pass_type = pass_of<Context>;
    if (adds_tiles) {
      for (int tile = 0; tile < layout.num_tiles; ++tile) {
        tile_order const order = order_of(layout, tile);
        run_tile(c, after_earlier_tiles(c.pass, order), Geometry(layout, tile), order);
      }
      if constexpr (pass_type::has_parameter_targets) fold_ranges(c.pass, c.extents, c.workspace.partials);
    } else {
      run_tiles(c, c.pass, [&](auto const& f) {
        for (int tile = 0; tile < layout.num_tiles; ++tile) f(Geometry(layout, tile));
      });
    }
  }

  /// Tiles run inside rows, so that what is near in memory is read at once; where parameters are read or summed, rows
  /// run inside tiles: a thread reads parameters once. `pass`: the context's, as these tiles run it.
  template <class Context, class Pass, class ForEachTile>
  static void run_tiles(Context const& c, Pass const& pass, ForEachTile const& for_each) {
    constexpr bool reads_parameters = Pass::loads::parameter_table::size > 0;
    if constexpr (Pass::has_parameter_targets || reads_parameters) {
      for_each([&](auto const& geo) { run_tile(c, pass, geo, tile_order{}); });
      if constexpr (Pass::has_parameter_targets) fold_ranges(pass, c.extents, c.workspace.partials);
    } else {
      for_each_part(c, [&](task_part part) {
        run_tasks<true>(c, part, one_column<Pass, ForEachTile>{pass, for_each});
      });
    }
  }
  /// All tiles of a row at once.
  template <class Pass, class ForEachTile>
  struct one_column {
    Pass const& pass;
    ForEachTile const& for_each;
    static constexpr int count() { return 1; }
    template <class F>
    EDGEWISE_ALWAYS_INLINE void run(int, F const& f) const {
      f(pass, for_each);
    }
  };
  /// Threads take a few tasks at a time, so that they take turns a few times and not at each task; of several columns
  /// as many as are theirs, so that a core reads few of the columns.
  static constexpr std::int64_t tasks_at_a_time(std::int64_t num_tasks, int columns, int threads) {
    std::int64_t const turns = columns > 1 ? 1 : 16;
    std::int64_t const result = num_tasks * columns / (threads * turns);
    return result > 1 ? result : 1;
  }
  /// Calls f(part) for all that a traversal does, one part after the other.
  template <class Context, class F>
  static void for_each_part(Context const& c, F const& f) {
    for (int i = 0; i < (c.has_cut_rows() ? 2 : 1); ++i) f(i == 0 ? task_part::everything : task_part::folds);
  }
  template <bool MayCut, class Context, class Columns>
  static void run_tasks(Context const& c, task_part part, Columns const& columns) {
    [[maybe_unused]] int const threads =
        num_threads(c.exec, num_elements<pass_of<Context>>(c.grouping, c.extents.heads * c.extents.channels));
    std::int64_t const num_tasks = c.num_tasks();
    [[maybe_unused]] std::int64_t const chunk = tasks_at_a_time(num_tasks, columns.count(), threads);
    caught_exception caught;
#if defined(_OPENMP)
#pragma omp parallel for schedule(dynamic, chunk) num_threads(threads)
#endif
    for (std::int64_t i = 0; i < num_tasks * columns.count(); ++i) {
      caught.run([&]() EDGEWISE_INLINE_LAMBDA {
        columns.run(static_cast<int>(i / num_tasks),
                    [&](auto const& pass, auto const& for_each) EDGEWISE_INLINE_LAMBDA {
                      c.for_each_piece(part, i % num_tasks, [&](auto const& piece) EDGEWISE_INLINE_LAMBDA {
                        for_each([&](auto const& geo) EDGEWISE_INLINE_LAMBDA {
                          with_parameters(pass, geo, [&](auto const& launch) EDGEWISE_INLINE_LAMBDA {
                            run_new_piece<MayCut>(c, pass, launch, piece);
                          });
                        });
                      });
                    });
      });
    }
    caught.rethrow();
  }

  template <class Context, class Pass, class Geometry>
  static void run_tile(Context const& c, Pass const& pass, Geometry const& geo, tile_order const& order) {
    if constexpr (Pass::has_parameter_targets) {
      run_ranges(c, pass, geo, order);
    } else {
      run_each(c, pass, geo);
    }
  }
  /// Runs all tasks of a tile; each thread reads the parameters once.
  template <class Context, class Pass, class Geometry>
  static void run_each(Context const& c, Pass const& pass, Geometry const& geo) {
    [[maybe_unused]] int const threads =
        num_threads(c.exec, num_elements<Pass>(c.grouping, geo.chunks() * channels_per_chunk));
    std::int64_t const num_tasks = c.num_tasks();
    caught_exception caught;
#if defined(_OPENMP)
#pragma omp parallel num_threads(threads)
#endif
    caught.enter([&] {
      with_parameters(pass, geo, [&](auto const& launch) {
        for_each_part(c, [&](task_part part) {
          // Before the loop: a lambda within it is more than Clang 14 takes.
          auto const run_one = [&](std::int64_t task) EDGEWISE_INLINE_LAMBDA {
            c.for_each_piece(part, task, [&](auto const& piece) EDGEWISE_INLINE_LAMBDA {
              run_new_piece<true>(c, pass, launch, piece);
            });
          };
#if defined(_OPENMP)
#pragma omp for schedule(dynamic, 1)
#endif
          for (std::int64_t task = 0; task < num_tasks; ++task) caught.run(run_one, task);
        });
      });
    });
    caught.rethrow();
  }

  // Inlined, with a state of its own that does not outlive the piece and stays in registers.
  template <bool MayCut, class Context, class Pass, class Env, class Piece>
  EDGEWISE_HD static void run_new_piece(Context const& c, Pass const& pass, Env const& launch, Piece const& piece) {
    typename Pass::template state<typename Env::geometry> state;
    run_piece<MayCut>(c, pass, launch, piece, state);
  }
  /// `pass`: the context's, as this tile runs it.
  EDGEWISE_HD_AS_ITS_ARGUMENT
  template <bool MayCut, class Context, class Pass, class Env, class Piece, class State>
  EDGEWISE_HD static void run_piece(Context const& c, Pass const& pass, Env const& launch, Piece const& piece,
                                    State& state) {
    with_row(pass, launch, piece.row, [&](auto const& env) EDGEWISE_INLINE_LAMBDA {
      pass.start(env.geo, state);
      pass.expect_row(env.geo, std::int64_t{piece.row} + rows_expected);
      bool folds = false;
      if constexpr (MayCut && Pass::walks_edges) {
        folds = piece.folds;
        if (folds) pass.merge(env.geo, state, fold_slots(c, pass, env.geo, piece));
      }
      if constexpr (Pass::walks_edges) {
        if (!folds) {
          walk_leaves(pass, env.geo, piece.begin, piece.end, state, [&](auto begin, auto end) EDGEWISE_INLINE_LAMBDA {
            walk_singly(pass, env, c.grouping, begin, end, c.are_near, state);
          });
        }
      }
      if (!folds) pass.complete_state(env.geo, state);
      if constexpr (MayCut && Pass::walks_edges) {
        if (piece.is_cut()) {
          char* place = c.workspace.slots + piece.slot * c.slot_bytes;
          return Pass::components(state, slot_writer<typename Env::geometry>{env.geo, &place});
        }
      }
      pass.finish(env, piece.row, static_cast<decltype(piece.begin)>(piece.end - piece.begin), true, state);
    });
  }
  /// What the pieces of a row left, merged in order. Tiles that have a number of a row, or of a head, have the same.
  template <class Context, class Pass, class Geometry, class Piece>
  EDGEWISE_COLD static auto fold_slots(Context const& c, Pass const& pass, Geometry const& geo, Piece const& piece) {
    typename Pass::template state<Geometry> state{}, other;  // a row may fill less than its chunks
    pass.start(geo, state);
    slot_folder<Pass, Geometry> folder;
    for (int k = 0; k < piece.num_slots; ++k) {
      char const* place = c.workspace.slots + (std::int64_t{piece.first_slot} + k) * c.slot_bytes;
      Pass::components(other, slot_reader<Geometry>{geo, &place});
      pass.merge(geo, state, other);
      folder.after_merge(pass, geo, k + 1 == piece.num_slots, state);
    }
    return state;
  }

  /// Sums over all edges: each of a fixed number of ranges of tasks leaves those of a tile in the workspace.
  template <class Context, class Pass, class Geometry>
  static void run_ranges(Context const& c, Pass const& pass, Geometry const& geo, tile_order const& order) {
    std::int64_t const range_bytes = partial_bytes<Pass>({geo.heads, geo.channels});
    [[maybe_unused]] int const threads =
        num_threads(c.exec, num_elements<Pass>(c.grouping, geo.chunks() * channels_per_chunk));
    std::int64_t const num_tasks = c.num_tasks();
    caught_exception caught;
#if defined(_OPENMP)
#pragma omp parallel num_threads(threads)
#endif
    caught.enter([&] {
      with_parameters(pass, geo, [&](auto const& launch) {
        for_each_part(c, [&](task_part part) {
          auto const run_range = [&](int range) {
            typename Pass::template state<Geometry> state;
            pass.start_launch(geo, state);
            std::int64_t const last = num_tasks * (range + 1) / num_ranges;
            for (std::int64_t task = num_tasks * range / num_ranges; task < last; ++task) {
              c.for_each_piece(part, task, [&](auto const& piece) { run_piece<true>(c, pass, launch, piece, state); });
            }
            if (part == task_part::folds) return;  // folding sums nothing over edges
            pass.finish_launch(launch, state);
            store_range_sums(geo, state.parameters, c.workspace.partials + range * range_bytes, order);
          };
#if defined(_OPENMP)
#pragma omp for schedule(dynamic, 1)
#endif
          for (int range = 0; range < num_ranges; ++range) caught.run(run_range, range);
        });
      });
    });
    caught.rethrow();
  }
  template <class Geometry, class Sums>
  static void store_range_sums(Geometry const& geo, Sums& sums, char* place, tile_order const& order) {
    sums.for_each([&](auto, auto const& sum) {
      auto whole = complete(geo, sum);
      using whole_type = decltype(whole);
      constexpr extent e = whole_type::extent_of;
      if (e != extent::wide && order.follows(is_uniform(e) ? operand_kind::per_row : operand_kind::per_head)) {
        whole_type earlier;
        read_component(geo, place, earlier);
        for_each_entry<whole_type>(geo, [&](int, int c, int l) { whole.at(0, c, l) += earlier.at(0, c, l); });
      }
      write_component(geo, place, whole);
      place += component_bytes<whole_type>(geo);
    });
  }

  /// Folds the ranges' sums of each parameter in order. Sums of parameters per channel lie apart by head.
  template <class Pass>
  static void fold_ranges(Pass const& pass, row_extents extents, char const* partials) {
    using T = typename Pass::accumulator;
    std::int64_t const range_bytes = partial_bytes<Pass>(extents);
    [&]<class... Bound>(type_list<Bound...>) {
      char const* place = partials;
      ((fold_parameter<T, Bound>(pass, extents, place, range_bytes),
        place += sums_bytes<T>(type_list<Bound>{}, extents)),
       ...);
    }(typename Pass::parameter_targets{});
  }
  template <class T, class Bound, class Pass>
  static void fold_parameter(Pass const& pass, row_extents extents, char const* first, std::int64_t range_bytes) {
    auto const& to = pass.gradients.template of<Bound>();
    std::int64_t const elements = elements_of_kind(Bound::kind, extents);
    std::int64_t const summed = elements_of_sum(Bound::kind, extents);
    for (std::int64_t i = 0; i < elements; ++i) {
      T total = T(0);
      for (std::int64_t k = i; k < summed; k += elements) {
        for (int range = 0; range < num_ranges; ++range) {
          total += reinterpret_cast<T const*>(first + range * range_bytes)[k];
        }
      }
      auto& place = to.data[i * element_stride<typename Bound::leaf>];
      place = static_cast<typename Bound::storage>(to.accumulate ? total + static_cast<T>(place) : total);
    }
  }

  /// Elements that a pass over `channels` elements of each row reads or writes, one row per edge and one per vertex.
  template <class Pass, class Index, class Offset>
  static std::int64_t num_elements(grouping_view<Index, Offset> const& grouping, int channels) {
    std::int64_t const edges = Pass::walks_edges ? static_cast<std::int64_t>(grouping.num_edges) : 0;
    return (std::int64_t{grouping.num_rows} + edges) * channels;
  }
};

}  // namespace edgewise::inline v0::detail
