#include "options.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>

namespace edgewise::bench {

// CLI11 reads and prints a shape as "4x64"
static std::istream& operator>>(std::istream& in, row_shape& shape) {
  char times = 0;
  in >> shape.heads >> times >> shape.channels;
  if (times != 'x' || shape.heads < 1 || shape.channels < 1) in.setstate(std::ios::failbit);
  return in;
}
static std::ostream& operator<<(std::ostream& out, row_shape const& shape) {
  return out << shape.heads << 'x' << shape.channels;
}

options parse_options(int argc, char** argv, std::string const& description, std::vector<std::string> const& passes,
                      std::vector<std::string> const& dtypes) {
  options chosen;
  chosen.passes = passes;
  chosen.dtypes = {dtypes.front()};
  CLI::App app(description);
  app.add_option("--graphs", chosen.graph_directories,
                 "folders, searched in order: of bench/graphs/generate.py, or of folders NAME/edge_index.npy")
      ->required()
      ->delimiter(',')
      ->check(CLI::ExistingDirectory);
  app.add_option("--names", chosen.graphs, "graphs to measure")->delimiter(',')->capture_default_str();
  app.add_option("--channels", chosen.channels, "feature widths")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--shapes", chosen.shapes, "heads x channels, of programs with heads")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--row-multiple", chosen.row_multiple,
                 "rows of features begin at multiples of this many elements (bench_spmm)")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--passes", chosen.passes, "passes to measure")
      ->delimiter(',')
      ->check(CLI::IsMember(passes))
      ->capture_default_str();
  app.add_option("--dtypes", chosen.dtypes, "storage types")
      ->delimiter(',')
      ->check(CLI::IsMember(dtypes))
      ->capture_default_str();
  app.add_option("--threads", chosen.threads, "host threads, 0 = all (host programs)")->check(CLI::NonNegativeNumber);
  app.add_option("--out", chosen.out, "JSON file to write");
  app.add_option("--revision", chosen.revision, "git revision to record instead of the build's");
  app.allow_extras();
  app.footer("Flags that begin with --benchmark_ go to Google Benchmark.");
  try {
    app.parse(argc, argv);
    for (std::string const& extra : app.remaining()) {
      if (extra.rfind("--benchmark_", 0) != 0) throw CLI::ExtrasError({extra});
      chosen.benchmark_flags.push_back(extra);
    }
  } catch (CLI::ParseError const& mistake) {
    std::exit(app.exit(mistake));
  }
  return chosen;
}

}  // namespace edgewise::bench
