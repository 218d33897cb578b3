// train: trains a node classifier and prints loss, accuracy, epoch time and peak memory.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "train/backends.hpp"
#include "train/log.hpp"
#include "train/options.hpp"
#include "train/progress.hpp"
#include "train/ranks.hpp"
#include "train/record.hpp"
#include "train/task.hpp"

namespace {

using namespace edgewise;

using process_ranks = std::unique_ptr<train::ranks>;  // where there are several

/// Of several processes the first one speaks and writes for all.
bool speaks(process_ranks const& ranks) { return !ranks || ranks->rank() == 0; }

std::vector<train::run_record> train_all(train::task const& data, train::options const& options,
                                         process_ranks const& ranks) {
  std::vector<train::run_record> runs;
  for (int run = 0; run < options.num_runs; ++run) {
    std::uint64_t const seed = options.seed + static_cast<std::uint64_t>(run);
    train::progress progress(options, seed);
    auto const observe = [&](int epoch, train::epoch_record const& record) {
      if (speaks(ranks)) progress.show(epoch, record);
    };
    runs.push_back(ranks                      ? ranks->train(data, options, seed, observe)
                   : options.device == "cuda" ? train::train_on_cuda(data, options, seed, observe)
                                              : train::train_on_cpu(data, options, seed, observe));
    if (speaks(ranks)) progress.finish(runs.back());
  }
  return runs;
}

void print_summary(train::task const& data, train::options const& options, std::vector<train::run_record> const& runs) {
  bool const takes_best = options.select == "best" && !data.validation_rows.empty();
  train::accuracy_summary const summary =
      train::test_accuracy(runs, takes_best ? &train::run_record::best_epoch : &train::run_record::last_epoch);
  std::printf("test %s %s", data.score_name(), train::percent(summary.mean).c_str());
  if (runs.size() > 1) std::printf(" +- %.1f over %zu runs", 100.0 * summary.deviation, runs.size());
  std::printf(" (%s)\n", takes_best ? "epochs of best validation" : "last epochs");
}

/// A file of hours of training should not be the first that is missed at their end.
void require_folder_of(char const* option, std::string const& path) {
  if (path.empty()) return;
  auto const folder = std::filesystem::absolute(path).parent_path();
  if (!std::filesystem::is_directory(folder)) {
    throw invalid_argument(std::string(option) + " " + path + ": there is no folder " + folder.string());
  }
}

void require_validation(char const* option, bool is_given, train::task const& data) {
  if (is_given && data.validation_rows.empty()) {
    throw invalid_argument(std::string(option) + ": " + data.name + " has no validation rows");
  }
}

void print_data(train::task const& data) {
  std::printf("%s: %lld vertices, %lld edges, %lld features, %lld classes; %zu train, %zu validation, %zu test\n",
              data.name.c_str(), static_cast<long long>(data.num_vertices),
              static_cast<long long>(data.by_destination.view().num_edges),
              static_cast<long long>(data.features.num_columns()), static_cast<long long>(data.num_classes),
              data.train_rows.size(), data.validation_rows.size(), data.test_rows.size());
}

void run(train::options const& options, process_ranks const& ranks) {
  if (ranks) ranks->connect();
  if (speaks(ranks)) {
    require_folder_of("--save", options.save);
    require_folder_of("--save-best", options.save_best);
    require_folder_of("--log", options.log);
  }
  train::task const data = train::load_task(options.data);
  if (speaks(ranks)) print_data(data);
  require_validation("--patience", options.patience > 0, data);
  require_validation("--save-best", !options.save_best.empty(), data);
  std::vector<train::run_record> const runs = train_all(data, options, ranks);
  if (!speaks(ranks)) return;
  print_summary(data, options, runs);
  if (!options.log.empty()) train::write_log(options, data, runs);
}

/// Ends all processes, as one that failed has to. What all fail with the first one says, before the others would.
[[noreturn]] void fail(train::ranks const& ranks, char const* what) {
  if (ranks.rank() != 0) std::this_thread::sleep_for(std::chrono::seconds(1));
  std::fprintf(stderr, "train: rank %d: %s\n", ranks.rank(), what);
  std::fflush(stdout);
  ranks.abort();
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  process_ranks ranks;
  try {
    train::options const options = train::parse_options(argc, argv);
    if (options.ranks) ranks = options.device == "cuda" ? train::ranks_on_cuda() : train::ranks_on_cpu();
    run(options, ranks);
  } catch (train::help_requested const& help) {
    std::fputs(help.what(), stdout);
  } catch (std::exception const& error) {
    if (ranks) fail(*ranks, error.what());
    std::fprintf(stderr, "train: %s\n", error.what());
    return 1;
  }
  return 0;
}
