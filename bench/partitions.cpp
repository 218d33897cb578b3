// bench_partitions: how good the parts of a graph are, by how its vertices are owned and by the number of ranks.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <edgewise/distributed/make_part.hpp>
#include <edgewise/distributed/partition.hpp>
#include <edgewise/vendor/metis.hpp>

#include "harness/environment.hpp"
#include "harness/host_graph.hpp"
#include "harness/program.hpp"

namespace {

using namespace edgewise::bench;

constexpr char const* description =
    "Prints, for each graph and number of ranks: the most edges of a rank over the mean; the rows that ranks read of\n"
    "others, over all vertices, in all and of the rank that reads most; the share of edges in the interior; seconds "
    "to\n"
    "find owners. Owners: ranges of the vertices as they are numbered, and METIS where it is linked.";

struct quality {
  double edge_balance = 0, halo = 0, most_halo = 0, interior_edges = 0, seconds = 0;
};

template <class View, class By>
quality measure(View const& csr, int ranks, By const& by) {
  auto const start = std::chrono::steady_clock::now();
  auto const owners = edgewise::partition(csr, ranks, by);
  std::chrono::duration<double> const time = std::chrono::steady_clock::now() - start;
  std::int64_t most_edges = 0, halo = 0, most_halo = 0, interior = 0;
  for (int r = 0; r < ranks; ++r) {
    auto const part = edgewise::make_part(edgewise::cpu{}, csr, owners, r);
    most_edges = std::max(most_edges, static_cast<std::int64_t>(part.num_edges()));
    halo += part.num_halo_rows();
    most_halo = std::max(most_halo, part.num_halo_rows());
    interior += part.interior.num_edges();
  }
  auto const edges = static_cast<double>(std::max<std::int64_t>(1, csr.num_edges));
  auto const vertices = static_cast<double>(std::max(1, csr.num_destinations()));
  return {static_cast<double>(most_edges) * ranks / edges, static_cast<double>(halo) / vertices,
          static_cast<double>(most_halo) / vertices, static_cast<double>(interior) / edges, time.count()};
}

int run(int argc, char** argv) {
  std::vector<std::string> directories, names;
  std::vector<int> ranks{2, 4, 8, 16, 32, 64};
  std::string out, revision;
  CLI::App app(description);
  app.add_option("--graphs", directories, "folders, as of the other benchmarks")
      ->required()
      ->delimiter(',')
      ->check(CLI::ExistingDirectory);
  app.add_option("--names", names, "graphs, as of the other benchmarks")->required()->delimiter(',');
  app.add_option("--ranks", ranks, "numbers of ranks")->delimiter(',')->check(CLI::PositiveNumber);
  app.add_option("--out", out, "write the same as JSON");
  app.add_option("--revision", revision, "of the library, for the file");
  CLI11_PARSE(app, argc, argv);
  nlohmann::json rows = nlohmann::json::array();
  std::printf(
      "| graph | owners | ranks | edges, most / mean | halo rows / vertices | of one rank | interior edges | s |\n"
      "|---|---|---|---|---|---|---|---|\n");
  for (std::string const& name : names) {
    host_graph const graph = read_graph(directories, name);
    host_grouping const& grouping = graph.by_destination;
    edgewise::csr_view<> const csr{{grouping.offsets.data(), grouping.neighbors.data(),
                                    grouping.edge_ids.empty() ? nullptr : grouping.edge_ids.data(), grouping.num_rows(),
                                    grouping.num_neighbors, static_cast<std::int32_t>(grouping.num_edges())}};
    auto const add = [&](char const* owners, int count, quality const& q) {
      std::printf("| %s | %s | %d | %.2f | %.3f | %.4f | %.1f %% | %.2f |\n", name.c_str(), owners, count,
                  q.edge_balance, q.halo, q.most_halo, 100 * q.interior_edges, q.seconds);
      std::fflush(stdout);
      rows.push_back({{"graph", name},
                      {"vertices", csr.num_destinations()},
                      {"edges", csr.num_edges},
                      {"owners", owners},
                      {"ranks", count},
                      {"edge_balance", q.edge_balance},
                      {"halo_rows", q.halo},
                      {"most_halo_rows", q.most_halo},
                      {"interior_edges", q.interior_edges},
                      {"seconds", q.seconds}});
    };
    for (int const count : ranks) {
      add("ranges", count, measure(csr, count, edgewise::by_edges{}));
#if defined(EDGEWISE_BENCH_WITH_METIS)
      add("metis", count, measure(csr, count, edgewise::metis{}));
#endif
    }
  }
  if (!out.empty()) {
    environment const where = host_environment(revision);
    std::ofstream(out) << nlohmann::json{{"environment",
                                          {{"cpu", where.cpu}, {"revision", where.revision}, {"date", where.date}}},
                                         {"partitions", rows}}
                              .dump(1)
                       << '\n';
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_program("bench_partitions", argc, argv, run); }
