// bench_windows: sums of rows that another GPU has, from a table that messages or copies filled, or straight from the
// other's memory through a window of NCCL. Two processes, one for each GPU: scripts/launch-ranks 2 bench_windows ...
#include <edgewise/distributed.cuh>
#include <edgewise/vendor/nccl.cuh>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#if __has_include(<nccl_device.h>)  // since NCCL 2.28
#include <nccl_device.h>

#include "distributed_timing.cuh"
#include "harness/device_array.cuh"
#include "harness/device_environment.cuh"
#include "harness/host_graph.hpp"
#include "harness/host_views.hpp"
#include "harness/program.hpp"
#include "harness/result.hpp"

namespace edgewise::bench {
namespace {

constexpr int warp_channels = 128;  // a float4 for each lane

/// Edges [begin, end) of one row; `is_whole`: all of them.
struct edges_of_row {
  std::int32_t row, begin, end, is_whole;
};

/// out[row] = sum of rows[column] over the edges of each piece, one warp for each piece; pieces of cut rows add to out.
/// Shapes: out and rows [rows, 128 * Vectors].
template <int Vectors>
__global__ void sum_rows_kernel(float4* out, float4 const* rows, std::int32_t const* columns,
                                edges_of_row const* pieces, int num_pieces) {
  int const warp = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32), lane = threadIdx.x % 32;
  if (warp >= num_pieces) return;
  constexpr int unrolled = 4;
  edges_of_row const piece = pieces[warp];
  float4 sum[Vectors] = {};
  for (int e = piece.begin; e < piece.end; e += unrolled) {
    float4 x[unrolled][Vectors];
#pragma unroll
    for (int k = 0; k < unrolled; ++k) {
      std::int64_t const column = columns[e + k < piece.end ? e + k : piece.end - 1];
#pragma unroll
      for (int v = 0; v < Vectors; ++v) x[k][v] = rows[(column * Vectors + v) * 32 + lane];
    }
#pragma unroll
    for (int k = 0; k < unrolled; ++k) {
      float const weight = e + k < piece.end ? 1.0f : 0.0f;
#pragma unroll
      for (int v = 0; v < Vectors; ++v) {
        sum[v] = {fmaf(weight, x[k][v].x, sum[v].x), fmaf(weight, x[k][v].y, sum[v].y),
                  fmaf(weight, x[k][v].z, sum[v].z), fmaf(weight, x[k][v].w, sum[v].w)};
      }
    }
  }
#pragma unroll
  for (int v = 0; v < Vectors; ++v) {
    float4& to = out[(std::int64_t{piece.row} * Vectors + v) * 32 + lane];
    if (piece.is_whole) {
      to = sum[v];
    } else {
      atomicAdd(&to.x, sum[v].x), atomicAdd(&to.y, sum[v].y), atomicAdd(&to.z, sum[v].z), atomicAdd(&to.w, sum[v].w);
    }
  }
}

__global__ void find_peer_kernel(ncclWindow_t window, int peer, void** found) {
  *found = ncclGetLsaPointer(window, 0, peer);
}

/// The edges into this rank's rows from the sources of one rank; columns are numbers among that rank's vertices.
class edges_of_rank {
public:
  edges_of_rank(host_grouping const& whole, std::vector<std::int64_t> const& first, int own, int source_rank,
                cudaStream_t stream) {
    constexpr std::int32_t most_edges = 256;
    auto const r = static_cast<std::size_t>(source_rank), o = static_cast<std::size_t>(own);
    for (std::int64_t row = first[o]; row < first[o + 1]; ++row) {
      auto const at = static_cast<std::size_t>(row);
      auto const begin = static_cast<std::int32_t>(columns_.size());
      for (auto e = static_cast<std::size_t>(whole.offsets[at]); e < static_cast<std::size_t>(whole.offsets[at + 1]);
           ++e) {
        std::int64_t const source = whole.neighbors[e];
        if (source >= first[r] && source < first[r + 1]) {
          columns_.push_back(static_cast<std::int32_t>(source - first[r]));
        }
      }
      auto const end = static_cast<std::int32_t>(columns_.size());
      for (std::int32_t from = begin; from < end; from += most_edges) {
        pieces_.push_back({static_cast<std::int32_t>(row - first[o]), from, std::min(from + most_edges, end),
                           end - begin <= most_edges});
      }
    }
    columns_on_device_ = upload(columns_, stream);
    pieces_on_device_ = upload(pieces_, stream);
  }

  std::int64_t num_edges() const { return static_cast<std::int64_t>(columns_.size()); }
  /// out [rows, channels] of this rank from `rows` [rows of the sources' rank, channels].
  void sum(cudaStream_t stream, float* out, float const* rows, int channels) const {
    if (pieces_.empty()) return;
    constexpr int threads = 256;
    auto const count = static_cast<int>(pieces_.size());
    int const blocks = (count + threads / 32 - 1) / (threads / 32);
    auto const launch = [&](auto kernel) {
      kernel<<<blocks, threads, 0, stream>>>(reinterpret_cast<float4*>(out), reinterpret_cast<float4 const*>(rows),
                                             columns_on_device_.data(), pieces_on_device_.data(), count);
    };
    channels == warp_channels ? launch(sum_rows_kernel<1>) : launch(sum_rows_kernel<2>);
    check_cuda(cudaGetLastError(), "bench_windows: launch");
  }

private:
  std::vector<std::int32_t> columns_;
  std::vector<edges_of_row> pieces_;
  device_buffer<std::int32_t> columns_on_device_;
  device_buffer<edges_of_row> pieces_on_device_;
};

void check(ncclResult_t status, char const* call) { edgewise::detail::check_nccl(status, call); }

/// Memory of every rank that the others' kernels read. Making one is collective; `bytes` are the same on all ranks.
class shared_window {
public:
  shared_window(nccl_communicator& ranks, cuda const& exec, std::size_t bytes) {
    check(ncclCommInitRank(&comm_, ranks.size(), share_nccl_id(ranks, exec).value, ranks.rank()), "ncclCommInitRank");
    check(ncclMemAlloc(&own_, bytes), "ncclMemAlloc");
    check(ncclCommWindowRegister(comm_, own_, bytes, &window_, NCCL_WIN_COLL_SYMMETRIC), "ncclCommWindowRegister");
    if (!window_) throw communication_error(-1, "bench_windows: NCCL has no windows here");
    check(ncclMemAlloc(&table_, bytes), "ncclMemAlloc");
    check(ncclCommRegister(comm_, own_, bytes, &own_handle_), "ncclCommRegister");
    check(ncclCommRegister(comm_, table_, bytes, &table_handle_), "ncclCommRegister");
    auto found = make_array<void*>(1, exec.stream);
    find_peer_kernel<<<1, 1, 0, exec.stream>>>(window_, 1 - ranks.rank(), found.data());
    check_cuda(cudaGetLastError(), "bench_windows: launch");
    check_cuda(cudaMemcpyAsync(&peer_, found.data(), sizeof(peer_), cudaMemcpyDeviceToHost, exec.stream),
               "bench_windows: copy");
    check_cuda(cudaStreamSynchronize(exec.stream), "bench_windows: synchronize");
  }
  shared_window(shared_window const&) = delete;
  shared_window& operator=(shared_window const&) = delete;
  ~shared_window() {
    if (window_) ncclCommWindowDeregister(comm_, window_);
    for (void* const handle : {own_handle_, table_handle_}) {
      if (handle) ncclCommDeregister(comm_, handle);
    }
    for (void* const memory : {own_, table_}) {
      if (memory) ncclMemFree(memory);
    }
    if (comm_) ncclCommDestroy(comm_);
  }

  /// Sends this rank's rows to the other and receives its, between memory that NCCL knows.
  void exchange(cudaStream_t stream, std::size_t sent_bytes, std::size_t received_bytes, int peer) const {
    check(ncclGroupStart(), "ncclGroupStart");
    check(ncclSend(own_, sent_bytes, ncclInt8, peer, comm_, stream), "ncclSend");
    check(ncclRecv(table_, received_bytes, ncclInt8, peer, comm_, stream), "ncclRecv");
    check(ncclGroupEnd(), "ncclGroupEnd");
  }

  float* own() const { return static_cast<float*>(own_); }
  float const* table() const { return static_cast<float const*>(table_); }
  float const* peer() const { return static_cast<float const*>(peer_); }

private:
  ncclComm_t comm_ = nullptr;
  ncclWindow_t window_ = nullptr;
  void* own_ = nullptr;
  void* table_ = nullptr;
  void* peer_ = nullptr;
  void* own_handle_ = nullptr;
  void* table_handle_ = nullptr;
};

struct windows_options {
  std::vector<std::string> graph_directories;
  std::vector<std::string> graphs{"reddit", "products"};
  std::vector<int> channels{128, 256};
  int samples = 11;
  std::string out, revision;
};

windows_options parse(int argc, char** argv) {
  windows_options chosen;
  CLI::App app(
      "Times sums of rows that another GPU has: from a table, which NCCL's messages or copies from a window\n"
      "fill beside the sums of own rows, and straight from the window.");
  auto const list = [&](char const* name, auto& values, char const* text) {
    return app.add_option(name, values, text)->delimiter(',')->capture_default_str();
  };
  list("--graph-dir", chosen.graph_directories, "folders of graphs")->required()->check(CLI::ExistingDirectory);
  list("--graphs", chosen.graphs, "graphs to measure");
  list("--channels", chosen.channels, "widths of rows")->check(CLI::IsMember({128, 256}));
  app.add_option("--samples", chosen.samples, "timed samples of each kind")->check(CLI::Range(9, 1000));
  app.add_option("--out", chosen.out, "JSON file to write");
  app.add_option("--revision", chosen.revision, "git revision to record instead of the build's");
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& mistake) {
    std::exit(app.exit(mistake));
  }
  return chosen;
}

/// That of messages, which begin before work that was launched earlier is done.
int highest_priority() {
  int least = 0, greatest = 0;
  check_cuda(cudaDeviceGetStreamPriorityRange(&least, &greatest), "bench_windows: stream priorities");
  return greatest;
}

/// One graph and width on this rank: what is timed, and whether all ways find the same sums.
class peer_rows {
public:
  peer_rows(nccl_communicator& comm, cuda const& exec, host_graph const& graph, std::vector<std::int64_t> const& first,
            int channels)
      : comm_(&comm),
        exec_(exec),
        channels_(channels),
        own_(graph.by_destination, first, comm.rank(), comm.rank(), exec.stream),
        others_(graph.by_destination, first, comm.rank(), 1 - comm.rank(), exec.stream),
        num_own_(size_of(first, comm.rank())),
        num_others_(size_of(first, 1 - comm.rank())),
        window_(comm, exec, sizeof(float) * std::max(num_own_, num_others_)),
        table_(make_array<float>(num_others_, exec.stream)),
        out_(make_array<float>(num_own_, exec.stream)) {
    auto const values = random_array<float>(num_own_, static_cast<std::uint64_t>(1 + comm.rank()), exec.stream);
    check_cuda(
        cudaMemcpyAsync(window_.own(), values.data(), values.size_bytes(), cudaMemcpyDeviceToDevice, exec.stream),
        "bench_windows: copy");
    barrier(comm, exec);
  }

  std::int64_t num_edges_of_others() const { return others_.num_edges(); }
  std::int64_t message_bytes() const { return static_cast<std::int64_t>(table_.size_bytes()); }

  void sum_own() { own_.sum(exec_.stream, out_.data(), window_.own(), channels_); }
  void sum_table() { others_.sum(exec_.stream, out_.data(), table_.data(), channels_); }
  void sum_window() { others_.sum(exec_.stream, out_.data(), window_.peer(), channels_); }
  void start_messages() {
    int const peer = 1 - comm_->rank();
    comm_->start(exec_, std::vector<outgoing>{{window_.own(), num_own_ * sizeof(float), peer}},
                 std::vector<incoming>{{table_.data(), table_.size_bytes(), peer}});
  }
  void finish_messages() { comm_->finish(exec_); }
  void start_copy() {
    check_cuda(cudaEventRecord(ready_, exec_.stream), "bench_windows: event");
    check_cuda(cudaStreamWaitEvent(side_, ready_, 0), "bench_windows: wait");
    check_cuda(cudaMemcpyAsync(table_.data(), window_.peer(), table_.size_bytes(), cudaMemcpyDeviceToDevice, side_),
               "bench_windows: copy");
    check_cuda(cudaEventRecord(done_, side_), "bench_windows: event");
  }
  void start_registered() {
    check_cuda(cudaEventRecord(ready_, exec_.stream), "bench_windows: event");
    check_cuda(cudaStreamWaitEvent(side_, ready_, 0), "bench_windows: wait");
    window_.exchange(side_, num_own_ * sizeof(float), num_others_ * sizeof(float), 1 - comm_->rank());
    check_cuda(cudaEventRecord(done_, side_), "bench_windows: event");
  }
  void sum_registered() { others_.sum(exec_.stream, out_.data(), window_.table(), channels_); }
  void finish_copy() { check_cuda(cudaStreamWaitEvent(exec_.stream, done_, 0), "bench_windows: wait"); }

  /// The sums that `sum` writes, whatever filled the table.
  template <class Sum>
  std::vector<float> sums_of(Sum const& sum) {
    check_cuda(cudaMemsetAsync(out_.data(), 0, out_.size_bytes(), exec_.stream), "bench_windows: memset");
    sum();
    return download(out_, 0, out_.size(), exec_.stream);
  }
  void forget_table() { poison(table_, exec_.stream); }

private:
  std::size_t size_of(std::vector<std::int64_t> const& first, int rank) const {
    auto const r = static_cast<std::size_t>(rank);
    return static_cast<std::size_t>((first[r + 1] - first[r]) * channels_);
  }

  nccl_communicator* comm_;
  cuda exec_;
  int channels_;
  edges_of_rank own_, others_;
  std::size_t num_own_, num_others_;  // elements
  shared_window window_;
  device_buffer<float> table_, out_;
  owned_stream side_{highest_priority()};
  owned_event ready_, done_;
};

/// The largest difference, over the largest element.
double difference(std::vector<float> const& x, std::vector<float> const& y) {
  double largest = 0, worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    largest = std::max(largest, std::abs(double{y[i]}));
    double const apart = std::abs(double{x[i]} - double{y[i]});
    worst = apart >= 0 ? std::max(worst, apart) : INFINITY;
  }
  return largest > 0 ? worst / largest : worst;
}

int run(int argc, char** argv) {
  windows_options const chosen = parse(argc, argv);
  auto const number = [](char const* name, int otherwise) {
    char const* const text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
  };
  int const rank = number("EDGEWISE_RANK", 0);
  char const* const path = std::getenv("EDGEWISE_RANKS_MEET_AT");
  if (number("EDGEWISE_RANKS", 1) != 2 || !path) {
    throw invalid_argument("bench_windows: runs as two processes: scripts/launch-ranks 2 bench_windows ...");
  }
  check_cuda(cudaSetDevice(rank), "bench_windows: a GPU for each rank");
  nccl_communicator comm(share_nccl_id(path, rank), rank, 2, std::chrono::minutes(5));
  owned_stream stream;
  cuda const exec{.stream = stream};
  environment where = host_environment(chosen.revision);
  describe_device(where);
  int version = 0;
  ncclGetVersion(&version);
  where.peer = edgewise::detail::text("NCCL ", version / 10000, ".", version / 100 % 100, ".", version % 100);

  std::vector<result> rows;
  bool failed = false;
  for (std::string const& name : chosen.graphs) {
    host_graph const graph = read_graph(chosen.graph_directories, name);
    auto const first =
        partition(view_of<csr_view<>>(graph.by_destination), 2, by_edges{}).destinations.first_of_ranges();
    for (int const channels : chosen.channels) {
      peer_rows x(comm, exec, graph, first, channels);
      auto const by_messages = x.sums_of([&] {
        x.forget_table();
        x.start_messages(), x.finish_messages(), x.sum_table();
      });
      auto const by_copy = x.sums_of([&] {
        x.forget_table();
        x.start_copy(), x.finish_copy(), x.sum_table();
      });
      auto const by_registered = x.sums_of([&] { x.start_registered(), x.finish_copy(), x.sum_registered(); });
      auto const by_window = x.sums_of([&] { x.sum_window(); });
      double const error = std::max({difference(by_copy, by_messages), difference(by_registered, by_messages),
                                     difference(by_window, by_messages)});
      if (!(error < 1e-5)) {
        std::cerr << "bench_windows: WRONG: rank " << rank << ", " << name << ": sums differ by " << error << '\n';
        failed = true;
      }
      barrier(comm, exec);
      ranked_timer timer(comm, exec, chosen.samples);
      auto const time = [&](char const* way, auto const& work) {
        result r;
        r.graph = name;
        r.op = "halo sum";
        r.channels = channels;
        r.dtype = "f32";
        r.pass = "forward";
        r.impl = way;
        r.time = timer.on_all(work);
        r.error = error;
        r.ranks["edges_of_others"] = {x.num_edges_of_others()};
        r.ranks["message_bytes"] = {x.message_bytes()};
        rows.push_back(std::move(r));
      };
      time("own rows", [&] { x.sum_own(); });
      time("others, table", [&] { x.sum_table(); });
      time("others, window", [&] { x.sum_window(); });
      time("messages", [&] { x.start_messages(), x.finish_messages(); });
      time("registered messages", [&] { x.start_registered(), x.finish_copy(); });
      time("copies", [&] { x.start_copy(), x.finish_copy(); });
      time("own rows beside messages", [&] { x.start_messages(), x.sum_own(), x.finish_messages(); });
      time("own rows beside registered messages", [&] { x.start_registered(), x.sum_own(), x.finish_copy(); });
      time("own rows beside copies", [&] { x.start_copy(), x.sum_own(), x.finish_copy(); });
      time("all by messages", [&] { x.start_messages(), x.sum_own(), x.finish_messages(), x.sum_table(); });
      time("all by registered messages",
           [&] { x.start_registered(), x.sum_own(), x.finish_copy(), x.sum_registered(); });
      time("all by copies", [&] { x.start_copy(), x.sum_own(), x.finish_copy(), x.sum_table(); });
      time("all by window", [&] { x.sum_own(), x.sum_window(); });
      barrier(comm, exec);  // before a window ends that the other reads
    }
  }
  if (rank == 0) {
    for (result const& r : rows) {
      std::cout << r.graph << ", " << r.channels << " channels, " << r.impl << ": " << r.time.median_ms << " ms\n";
    }
    if (!chosen.out.empty()) write_results(chosen.out, where, rows);
  }
  return failed ? 1 : 0;
}

}  // namespace
}  // namespace edgewise::bench

int main(int argc, char** argv) {
  return edgewise::bench::run_program("bench_windows", argc, argv, edgewise::bench::run);
}
#else
int main() {
  std::cerr << "bench_windows: needs NCCL 2.28\n";
  return 1;
}
#endif
