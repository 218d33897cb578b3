// bench_distributed: layers over a graph that is spread over several GPUs, one process for each, beside one GPU: their
// time, that of their kernels, that of their messages, and how much of the messages runs beside kernels.
#include <edgewise/distributed.cuh>
#include <edgewise/vendor/nccl.cuh>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "distributed.hpp"
#include "distributed_features.cuh"
#include "distributed_layers.cuh"
#include "distributed_messages.cuh"
#include "distributed_parts.cuh"
#include "distributed_timing.cuh"
#include "harness/copy_bandwidth.cuh"
#include "harness/device_environment.cuh"
#include "harness/device_graph.cuh"
#include "harness/program.hpp"

namespace edgewise::bench {
namespace {

/// Ranks wait for the one that runs alone, and for the one that reads a graph last.
constexpr std::chrono::minutes patience{9};

/// What this rank has, whatever the graph.
struct rank_session {
  rank_session(distributed_options options, nccl_communicator& ranks) : chosen(std::move(options)), nccl(ranks) {}

  distributed_options chosen;
  nccl_communicator& nccl;
  owned_stream stream;
  switched_communicator comm{nccl};
  environment where;
  std::vector<result> rows;  // of rank 0
  std::vector<graph_bytes> graphs;
  bool failed = false;

  cuda exec() const { return {.stream = stream}; }
  bool is_first() const { return nccl.rank() == 0; }
  char const* way() const { return chosen.transfer == "direct" ? ", direct" : ""; }
  ranked_timer timer() { return {nccl, exec(), chosen.samples}; }
  void say(std::string const& text) const {
    if (is_first()) std::cerr << "bench_distributed: " << text << std::endl;
  }
  void add(result r) {
    if (!is_first()) return;
    rows.push_back(std::move(r));
    if (!chosen.out.empty()) write_results(chosen.out, where, rows, graphs);  // what is there survives a later failure
  }
};

/// A graph and this rank's parts of it, one for each partition; on rank 0 also the whole of it on the device.
struct ranked_graph {
  host_graph host;
  std::vector<std::unique_ptr<placed_part>> parts;
  std::unique_ptr<device_graph> whole;
  sampled_vertices sampled;
};

/// Bytes of a whole graph on a device, in both groupings.
std::size_t bytes_of(host_graph const& g) {
  auto const bytes = [](host_grouping const& rows) {
    return sizeof(std::int32_t) * (rows.offsets.size() + rows.neighbors.size() + rows.edge_ids.size());
  };
  return bytes(g.by_destination) + bytes(g.by_source);
}

ranked_graph read_ranked_graph(rank_session& s, std::string const& name) {
  s.say("reading " + name);
  ranked_graph g{.host = read_graph(s.chosen.graph_directories, name), .parts = {}, .whole = {}, .sampled = {}};
  for (std::string const& partition : s.chosen.partitions) {
    s.say("making parts of " + name + " by " + partition);
    g.parts.push_back(std::make_unique<placed_part>(s.comm, s.stream, g.host, partition,
                                                    read_owners(g.host, partition, s.chosen.owners, s.nccl.size())));
  }
  g.sampled = choose_vertices(s.nccl, s.exec(), g.host, g.parts);
  s.graphs.push_back({name,
                      g.host.by_destination.num_rows(),
                      g.host.by_destination.num_edges(),
                      {{"csr and csc with edge ids", static_cast<std::int64_t>(bytes_of(g.host))}}});
  return g;
}

/// What a layer takes on one GPU, and the rows that it wrote there.
struct one_gpu_run {
  std::optional<timing> time;
  std::optional<std::vector<sampled_values>> expected;  // of rank 0
};

template <class Layer>
result result_of(ranked_graph const& g, row_shape shape) {
  result r;
  r.graph = g.host.name;
  r.op = Layer::name;
  r.heads = shape.heads;
  r.channels = shape.channels;
  r.dtype = "f32";
  r.pass = "step";
  return r;
}

/// The layer over the whole graph on rank 0, for which the others wait.
template <class Layer>
one_gpu_run run_on_one_gpu(rank_session& s, ranked_graph& g, row_shape shape) {
  one_gpu_run run;
  if (s.is_first() && s.chosen.skips_one_gpu) {
    run.expected = Layer::reference(g.host, g.sampled, shape);
  } else if (s.is_first()) {
    if (!g.whole) g.whole = std::make_unique<device_graph>(g.host, s.stream);
    device_graph const& whole = *g.whole;
    auto const kernel = fuse(edgewise::graph{whole.csr(), whole.csc()}, automatic{}, Layer::program);
    layer_rows const rows{{whole.num_sources()}, {whole.num_destinations()}, {whole.num_edges()}};
    planned_layer<Layer, std::remove_const_t<decltype(kernel)>> layer(kernel, rows, shape, s.stream);
    for (written_array const& array : layer.written()) poison(*array.values, s.stream);
    layer.step(s.exec());
    run.expected = values_at(layer.written(), {g.sampled.destinations, g.sampled.sources}, s.stream);
    run.time = s.timer().on_this([&] { layer.step(s.exec()); });
    result r = result_of<Layer>(g, shape);
    r.impl = "1 GPU";
    r.time = *run.time;
    r.peak_bytes = layer.peak_bytes() + bytes_of(g.host);
    s.add(std::move(r));
  }
  barrier(s.nccl, s.exec());
  return run;
}

/// Numbers of every rank, by name, on all of them. Collective.
void gather_numbers(rank_session& s, result& r, std::vector<std::pair<char const*, std::int64_t>> const& own) {
  std::vector<std::int64_t> numbers;
  for (auto const& [name, number] : own) numbers.push_back(number);
  for (auto const& list : edgewise::detail::gather_lists(s.nccl, s.exec(), numbers)) {
    for (std::size_t i = 0; i < own.size(); ++i) r.ranks[own[i].first].push_back(list.at(i));
  }
}

/// The layer over this rank's part, with rows that travel as `Message`, or as they are where that is float.
template <class Layer, class Message>
void run_on_ranks(rank_session& s, ranked_graph& g, placed_part const& placed, row_shape shape,
                  one_gpu_run const& one) {
  constexpr bool rounds = !std::is_same_v<Message, float>;
  auto const& graph = placed.graph();
  auto const& part = placed.part();
  cuda const exec = s.exec();
  auto const kernel = [&] {
    if constexpr (rounds) {
      return fuse(graph, automatic{}, Layer::program, messages_as<Message>{});
    } else {
      return fuse(graph, automatic{}, Layer::program);
    }
  }();
  planned_layer<Layer, std::remove_const_t<decltype(kernel)>> layer(kernel, placed.rows(), shape, s.stream,
                                                                    s.nccl.memory());
  result r = result_of<Layer>(g, shape);
  r.impl =
      edgewise::detail::text(s.nccl.size(), " GPUs", placed.partition() == "ranges" ? "" : ", " + placed.partition(),
                             rounds ? ", bf16 messages" : "", s.way());
  r.variant = placed.partition();
  std::string const title =
      edgewise::detail::text(r.op, " on ", r.graph, ", ", shape.heads, " x ", shape.channels, " channels, ", r.impl);

  s.comm.send_messages(true);
  rows_of_sample const rows = placed.find(g.sampled);
  auto const written_rows = [&] {
    s.nccl.wait(exec);
    return join_ranks(s.nccl, exec, values_at(layer.written(), rows, s.stream));
  };
  for (written_array const& array : layer.written()) poison(*array.values, s.stream);
  layer.step(exec);
  auto const found = written_rows();

  auto const step = [&] { layer.step(exec); };
  timing const total = s.timer().on_all(step);
  double const drift = largest_error(written_rows(), found);
  s.comm.send_messages(false);
  timing const without = s.timer().on_all(step);
  s.comm.send_messages(true);
  std::vector<std::int64_t> row_bytes;
  for (auto const size : Layer::source_row_sizes(shape)) {
    row_bytes.push_back(size * static_cast<std::int64_t>(sizeof(Message)));
  }
  step_messages const messages(s.nccl, exec, graph.halo(), row_bytes);
  timing const alone = s.timer().on_all([&] { messages.run(exec); });
  if (messages.forward_bytes() != layer.plan().sent().forward ||
      messages.backward_bytes() != layer.plan().sent().backward) {
    throw invalid_argument(edgewise::detail::text(title, ": messages of ", messages.forward_bytes(), " and ",
                                                  messages.backward_bytes(), " bytes are timed, the plan sends ",
                                                  layer.plan().sent().forward, " and ", layer.plan().sent().backward));
  }
  gather_numbers(s, r,
                 {{"rows", part.num_destinations()},
                  {"edges", part.num_edges()},
                  {"interior_rows", part.interior.num_destinations()},
                  {"interior_edges", part.interior.num_edges()},
                  {"halo_rows", part.num_halo_rows()},
                  {"sent_rows", graph.halo().num_sent_rows()},
                  {"forward_bytes", layer.plan().sent().forward},
                  {"backward_bytes", layer.plan().sent().backward},
                  {"peak_bytes", static_cast<std::int64_t>(layer.peak_bytes() + placed.graph_bytes())}});

  if (!s.is_first()) return;
  r.time = total;
  for (std::int64_t const bytes : r.ranks.at("peak_bytes")) {
    r.peak_bytes = std::max(r.peak_bytes, static_cast<std::size_t>(bytes));
  }
  double const visible = total.median_ms - without.median_ms;
  r.variants_ms = {{"total", total.median_ms},
                   {"without_messages", without.median_ms},
                   {"messages", alone.median_ms},
                   {"visible", visible},
                   {"hidden", alone.median_ms - visible}};
  if (one.time) {
    r.variants_ms["one_gpu"] = one.time->median_ms;
    r.speedup = one.time->median_ms / total.median_ms;
  }
  r.error = one.expected ? largest_error(found, *one.expected) : 0;
  double const allowed = rounds ? 5e-2 : 1e-4;
  if (!(r.error <= allowed) || drift != 0) {
    std::cerr << "bench_distributed: WRONG: " << title << ": off by " << r.error << " of the row, " << allowed
              << " is allowed; later steps differ from the first by " << drift << ", must by 0\n";
    s.failed = true;
    return;
  }
  s.say(edgewise::detail::text(title, ": ", total.median_ms, " ms", one.expected ? "" : ", COMPARED WITH NOTHING"));
  s.add(std::move(r));
}

/// The weighted sum with channels dealt out in place of rows; owners are ranges.
void run_on_features(rank_session& s, ranked_graph& g, placed_part const& placed, int channels,
                     one_gpu_run const& one) {
  if (channels % s.nccl.size() != 0) return;
  cuda const exec = s.exec();
  if (!g.whole) g.whole = std::make_unique<device_graph>(g.host, s.stream);
  gcn_of_features layer(s.comm, *g.whole, placed.owners().destinations, placed.rows(), channels, s.stream,
                        s.nccl.memory());
  result r = result_of<gcn_layer>(g, gcn_layer::shape(1, channels));
  r.impl = edgewise::detail::text(s.nccl.size(), " GPUs, features", s.way());
  r.variant = "features";
  s.comm.send_messages(true);
  for (written_array const& array : layer.written()) poison(*array.values, s.stream);
  auto const step = [&] { layer.step(exec); };
  step();
  s.nccl.wait(exec);
  auto const found = join_ranks(s.nccl, exec, values_at(layer.written(), placed.find(g.sampled), s.stream));
  timing const total = s.timer().on_all(step);
  s.comm.send_messages(false);
  timing const without = s.timer().on_all(step);
  s.comm.send_messages(true);
  gather_numbers(s, r,
                 {{"rows", placed.part().num_destinations()},
                  {"forward_bytes", layer.sent_bytes()},
                  {"backward_bytes", layer.sent_bytes()},
                  {"peak_bytes", static_cast<std::int64_t>(layer.peak_bytes() + bytes_of(g.host))}});
  if (!s.is_first()) return;
  r.time = total;
  for (std::int64_t const bytes : r.ranks.at("peak_bytes")) {
    r.peak_bytes = std::max(r.peak_bytes, static_cast<std::size_t>(bytes));
  }
  r.variants_ms = {{"total", total.median_ms},
                   {"without_messages", without.median_ms},
                   {"visible", total.median_ms - without.median_ms}};
  if (one.time) {
    r.variants_ms["one_gpu"] = one.time->median_ms;
    r.speedup = one.time->median_ms / total.median_ms;
  }
  r.error = one.expected ? largest_error(found, *one.expected) : 0;
  std::string const title = edgewise::detail::text(r.op, " on ", r.graph, ", ", channels, " channels, ", r.impl, ": ",
                                                   total.median_ms, " ms");
  if (!(r.error <= 1e-4)) {
    std::cerr << "bench_distributed: WRONG: " << title << ", off by " << r.error << " of the row\n";
    s.failed = true;
    return;
  }
  s.say(title);
  s.add(std::move(r));
}

template <class Layer>
void measure(rank_session& s, ranked_graph& g, int channels) {
  row_shape const shape = Layer::shape(s.chosen.heads, channels);
  one_gpu_run const one = run_on_one_gpu<Layer>(s, g, shape);
  for (auto const& part : g.parts) {
    for (std::string const& message : s.chosen.messages) {
      if (message == "float") run_on_ranks<Layer, float>(s, g, *part, shape, one);
      if (message == "bfloat16") run_on_ranks<Layer, bfloat16>(s, g, *part, shape, one);
    }
    if constexpr (std::is_same_v<Layer, gcn_layer>) {
      if (part->partition() == "ranges") run_on_features(s, g, *part, channels, one);
    }
  }
}

std::string nccl_version() {
  int version = 0;
  ncclGetVersion(&version);
  return edgewise::detail::text("NCCL ", version / 10000, ".", version / 100 % 100, ".", version % 100);
}

int number_in_environment(char const* name, int otherwise) {
  char const* const text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

int run(int argc, char** argv) {
  auto chosen = parse_distributed_options(argc, argv);
  int const rank = number_in_environment("EDGEWISE_RANK", 0), num_ranks = number_in_environment("EDGEWISE_RANKS", 1);
  check_cuda(cudaSetDevice(rank), "bench_distributed: a GPU for each rank");
  char const* const path = std::getenv("EDGEWISE_RANKS_MEET_AT");
  nccl_communicator nccl(path ? share_nccl_id(path, rank) : make_nccl_id(), rank, num_ranks, patience,
                         chosen.transfer == "direct" ? nccl_transfer::direct : nccl_transfer::buffered);
  rank_session s(std::move(chosen), nccl);
  s.where = host_environment(s.chosen.revision);
  describe_device(s.where);
  s.where.peer = nccl_version();
  s.where.copy_bandwidth = copy_bandwidth(s.stream);
  for (std::string const& name : s.chosen.graphs) {
    ranked_graph g = read_ranked_graph(s, name);
    for (std::string const& layer : s.chosen.layers) {
      for (int const channels : s.chosen.channels) {
        if (layer == "gcn") measure<gcn_layer>(s, g, channels);
        if (layer == "gat") measure<gat_layer>(s, g, channels);
      }
    }
  }
  barrier(s.nccl, s.exec());
  if (s.is_first()) {
    std::cout << s.nccl.size() << " x " << s.where.gpu << ", CUDA " << s.where.cuda_runtime << ", " << s.where.peer
              << ", revision " << s.where.revision << '\n';
    print_distributed(std::cout, s.rows);
  }
  return s.failed ? 1 : 0;
}

}  // namespace
}  // namespace edgewise::bench

int main(int argc, char** argv) {
  return edgewise::bench::run_program("bench_distributed", argc, argv, edgewise::bench::run);
}
