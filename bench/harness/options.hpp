// The command line that the benchmark programs share.
#pragma once

#include <string>
#include <vector>

namespace edgewise::bench {

/// Heads x channels of a row.
struct row_shape {
  int heads = 1;
  int channels = 1;
};

/// What to measure and where to write it.
struct options {
  std::vector<std::string> graph_directories;
  std::vector<std::string> graphs{"cora", "arxiv", "products", "reddit", "roads", "dense"};
  std::vector<int> channels{32, 64, 128, 256, 512};
  std::vector<row_shape> shapes{{4, 64}, {8, 32}, {2, 128}, {4, 128}, {1, 40}, {3, 24}};
  int row_multiple = 1;  ///< rows of features begin at multiples of this many elements; programs that say so
  std::vector<std::string> passes;
  std::vector<std::string> dtypes;
  std::string out;
  std::string revision;
  int threads = 0;                           ///< host threads, 0 = all; host programs only
  std::vector<std::string> benchmark_flags;  ///< --benchmark_..., handed to Google Benchmark
};

/// Parses the command line. `passes` and `dtypes` are what the program offers; each is its own default.
/// Prints help or the mistake and exits the process, as command-line programs do.
options parse_options(int argc, char** argv, std::string const& description, std::vector<std::string> const& passes,
                      std::vector<std::string> const& dtypes);

}  // namespace edgewise::bench
