#include "distributed.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <ostream>
#include <set>
#include <tuple>

#include "harness/random_value.hpp"
#include "harness/spot_check.hpp"

namespace edgewise::bench {

distributed_options parse_distributed_options(int argc, char** argv) {
  distributed_options chosen;
  CLI::App app(
      "Times forward and backward passes of layers over a graph that is spread over several GPUs, beside one GPU, "
      "with\n"
      "and without messages. One process for each GPU: scripts/launch-ranks 2 bench_distributed --graph-dir DIR ...");
  auto const list = [&](char const* name, auto& values, char const* text) {
    return app.add_option(name, values, text)->delimiter(',')->capture_default_str();
  };
  list("--graph-dir", chosen.graph_directories, "folders of graphs, searched in order")
      ->required()
      ->check(CLI::ExistingDirectory);
  list("--graphs", chosen.graphs, "graphs to measure");
  list("--layers", chosen.layers, "gcn: weighted sum; gat: attention")->check(CLI::IsMember({"gcn", "gat"}));
  list("--channels", chosen.channels, "widths of rows, of all heads together")->check(CLI::PositiveNumber);
  app.add_option("--heads", chosen.heads, "heads of gat")->check(CLI::PositiveNumber)->capture_default_str();
  list("--partition", chosen.partitions, "ranges: of about as many edges; owners: those of --owners (where given)")
      ->check(CLI::IsMember({"ranges", "owners"}));
  app.add_option("--owners", chosen.owners, "folder of NAME.owners.npy, int32 [vertices], the rank of each")
      ->check(CLI::ExistingDirectory);
  list("--messages", chosen.messages, "what rows travel as")->check(CLI::IsMember({"float", "bfloat16"}));
  app.add_option("--transfer", chosen.transfer, "direct: from array to array, without buffers of NCCL between")
      ->check(CLI::IsMember({"buffered", "direct"}))
      ->capture_default_str();
  app.add_option("--samples", chosen.samples, "timed samples of each kind")
      ->check(CLI::Range(9, 1000))
      ->capture_default_str();
  app.add_flag("--skip-one-gpu", chosen.skips_one_gpu,
               "for graphs that do not fit: gcn is then compared with the host, gat with nothing");
  app.add_option("--out", chosen.out, "JSON file to write");
  app.add_option("--revision", chosen.revision, "git revision to record instead of the build's");
  try {
    app.parse(argc, argv);
    if (chosen.partitions.empty()) chosen.partitions = {chosen.owners.empty() ? "ranges" : "owners"};
    for (std::string const& partition : chosen.partitions) {
      if (partition == "owners" && chosen.owners.empty()) throw CLI::RequiredError("--owners");
    }
    for (int const channels : chosen.channels) {
      if (std::count(chosen.layers.begin(), chosen.layers.end(), "gat") && channels % chosen.heads != 0) {
        throw CLI::ValidationError("--channels", "is no multiple of --heads");
      }
    }
  } catch (CLI::ParseError const& mistake) {
    std::exit(app.exit(mistake));
  }
  return chosen;
}

double largest_error(std::vector<sampled_values> const& actual, std::vector<sampled_values> const& expected) {
  double const infinity = std::numeric_limits<double>::infinity();
  if (actual.size() != expected.size()) return infinity;
  double worst = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    auto const& from = actual[k].values;
    auto const& to = expected[k].values;
    if (from.size() != to.size()) return infinity;
    double mean = 0;
    for (float const y : to) mean += std::abs(double{y}) / static_cast<double>(to.size());
    auto const row_size = static_cast<std::size_t>(expected[k].row_size);
    for (std::size_t begin = 0; begin < to.size(); begin += row_size) {
      double scale = mean;
      for (std::size_t i = begin; i < begin + row_size; ++i) scale = std::max(scale, std::abs(double{to[i]}));
      for (std::size_t i = begin; i < begin + row_size; ++i) {
        double const difference = std::abs(double{from[i]} - double{to[i]});
        if (difference == 0) continue;
        double const error = difference / scale;
        if (!(error <= worst)) worst = std::isnan(error) ? infinity : error;
      }
    }
  }
  return worst;
}

std::vector<sampled_values> weighted_sum_at(host_graph const& graph, sampled_vertices const& at, int channels,
                                            weighted_sum_seeds seeds) {
  auto const numbers = [](std::uint64_t seed) {
    return [seed](std::uint64_t i) { return double{random_value(seed, i)}; };
  };
  auto const rows = [&](char const* name, host_grouping const& grouping, std::vector<std::int64_t> const& vertices,
                        std::uint64_t seed) {
    sampled_values made{name, channels, {}};
    for (auto const v : vertices) {
      auto const row =
          weighted_sum_row(grouping, static_cast<std::int32_t>(v), channels, numbers(seeds.weights), numbers(seed));
      made.values.insert(made.values.end(), row.values.begin(), row.values.end());
    }
    return made;
  };
  return {rows("out", graph.by_destination, at.destinations, seeds.features),
          rows("feature", graph.by_source, at.sources, seeds.out_grad)};
}

namespace {

template <class... Values>
std::string formatted(char const* format, Values... values) {
  char text[256];
  std::snprintf(text, sizeof(text), format, values...);
  return text;
}

/// A time of a breakdown; a dash where it was not taken.
std::string milliseconds(result const& r, char const* name) {
  auto const found = r.variants_ms.find(name);
  return found == r.variants_ms.end() ? "-" : formatted("%.3f", found->second);
}

/// What all ranks have, behind one another.
std::string all_ranks(result const& r, char const* name, double unit) {
  std::string text;
  for (auto const x : r.ranks.at(name)) {
    text += formatted(text.empty() ? "%.2f" : "/%.2f", static_cast<double>(x) / unit);
  }
  return text;
}

}  // namespace

void print_distributed(std::ostream& out, std::vector<result> const& rows) {
  out << formatted("\n%-14s %-5s %5s %8s %-32s %9s %9s %9s %9s %9s %9s %7s %17s %17s %9s\n", "graph", "layer", "heads",
                   "channels", "on", "one GPU", "total", "without", "messages", "visible", "hidden", "speedup",
                   "MB forward", "MB backward", "error");
  for (result const& r : rows) {
    if (r.ranks.empty()) continue;
    out << formatted("%-14s %-5s %5d %8d %-32s %9s %9s %9s %9s %9s %9s %7s %17s %17s %9.1e\n", r.graph.c_str(),
                     r.op.c_str(), r.heads, r.channels, r.impl.c_str(), milliseconds(r, "one_gpu").c_str(),
                     milliseconds(r, "total").c_str(), milliseconds(r, "without_messages").c_str(),
                     milliseconds(r, "messages").c_str(), milliseconds(r, "visible").c_str(),
                     milliseconds(r, "hidden").c_str(), r.speedup > 0 ? formatted("%.2fx", r.speedup).c_str() : "-",
                     all_ranks(r, "forward_bytes", 1e6).c_str(), all_ranks(r, "backward_bytes", 1e6).c_str(), r.error);
  }
  out << formatted("\n%-14s %-8s %4s %10s %11s %10s %11s %10s %10s\n", "graph", "parts by", "rank", "rows", "edges",
                   "interior", "its edges", "reads", "sends");
  std::set<std::tuple<std::string, std::string>> printed;
  for (result const& r : rows) {
    if (r.ranks.count("edges") == 0 || !printed.insert({r.graph, r.variant}).second) continue;
    for (std::size_t q = 0; q < r.ranks.at("rows").size(); ++q) {
      auto const of = [&](char const* name) { return static_cast<long long>(r.ranks.at(name)[q]); };
      out << formatted("%-14s %-8s %4zu %10lld %11lld %10lld %11lld %10lld %10lld\n", r.graph.c_str(),
                       r.variant.c_str(), q, of("rows"), of("edges"), of("interior_rows"), of("interior_edges"),
                       of("halo_rows"), of("sent_rows"));
    }
  }
  out << formatted("\n%-14s %-5s %5s %8s %-32s %s\n", "graph", "layer", "heads", "channels", "on",
                   "peak GB of each rank");
  for (result const& r : rows) {
    std::string const peaks =
        r.ranks.empty() ? formatted("%.2f", static_cast<double>(r.peak_bytes) * 1e-9) : all_ranks(r, "peak_bytes", 1e9);
    out << formatted("%-14s %-5s %5d %8d %-32s %s\n", r.graph.c_str(), r.op.c_str(), r.heads, r.channels,
                     r.impl.c_str(), peaks.c_str());
  }
}

}  // namespace edgewise::bench
