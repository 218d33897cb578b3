// bench_wsb_reuse: what tiles are worth on a graph, by the order of its vertices, and what they cost to build.
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <edgewise/format/to_wsb.hpp>
#include <edgewise/format/wsb_statistics.hpp>

#include "harness/host_graph.hpp"
#include "harness/program.hpp"

namespace {

using namespace edgewise::bench;

constexpr char const* description =
    "Prints the tiles of a graph's window-sorted blocks: how many, the part of their slots that are edges, the edges\n"
    "that a column serves, bytes beside those of the csr, and the time that one host thread takes to build them.";

int run(int argc, char** argv) {
  std::vector<std::string> directories, names;
  CLI::App app(description);
  app.add_option("--graphs", directories, "folders, as of the other benchmarks")
      ->required()
      ->delimiter(',')
      ->check(CLI::ExistingDirectory);
  app.add_option("--names", names, "graphs, as of the other benchmarks: NAME, NAME@rcm, NAME@metis128")
      ->required()
      ->delimiter(',');
  CLI11_PARSE(app, argc, argv);
  std::printf("| graph | tiles | fill | reuse | csr MB | tiles MB | build s |\n|---|---|---|---|---|---|---|\n");
  for (std::string const& name : names) {
    host_graph const graph = read_graph(directories, name);
    host_grouping const& rows = graph.by_destination;
    edgewise::csr_view<> const csr{{rows.offsets.data(), rows.neighbors.data(),
                                    rows.edge_ids.empty() ? nullptr : rows.edge_ids.data(), rows.num_rows(),
                                    rows.num_neighbors, static_cast<std::int32_t>(rows.num_edges())}};
    auto const start = std::chrono::steady_clock::now();
    auto const made = edgewise::to_wsb(edgewise::cpu{}, csr);
    std::chrono::duration<double> const time = std::chrono::steady_clock::now() - start;
    auto const found = edgewise::statistics_of(made.view());
    std::printf("| %s | %lld | %.1f %% | %.2f | %.1f | %.1f | %.2f |\n", name.c_str(),
                static_cast<long long>(found.tiles), 100 * found.fill(), found.reuse(),
                static_cast<double>(made.rows().size_bytes()) * 1e-6, static_cast<double>(made.tile_bytes()) * 1e-6,
                time.count());
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_program("bench_wsb_reuse", argc, argv, run); }
