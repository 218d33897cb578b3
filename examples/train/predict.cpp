// predict: classes of vertices by a model that `train --save` wrote.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include <edgewise/core/error.hpp>

#include "models/checkpoint.hpp"
#include "models/saved_model.hpp"
#include "train/backends.hpp"
#include "train/progress.hpp"
#include "train/task.hpp"

namespace {

using namespace edgewise;

struct options {
  std::string model;
  std::string data = "karate";
  std::string device = "cpu";
  std::string out;
  int num_threads = 0;
};

/// One class a line, in the order of vertices.
void write_classes(std::string const& path, std::vector<std::int32_t> const& classes) {
  std::ofstream file(path);
  for (std::int32_t const c : classes) file << c << '\n';
  file.close();
  if (!file) throw io_error(path + ": cannot be written");
}

/// Of the test rows that have a label; nothing where none has.
void print_accuracy(train::task const& data, std::vector<std::int32_t> const& classes) {
  int num_labelled = 0, num_correct = 0;
  for (auto const row : data.test_rows) {
    auto const v = static_cast<std::size_t>(row);
    if (v >= data.labels.size() || data.labels[v] < 0) continue;
    ++num_labelled;
    num_correct += classes[v] == data.labels[v];
  }
  if (num_labelled == 0) return;
  std::printf("test accuracy %s of %d vertices\n",
              train::percent(static_cast<double>(num_correct) / num_labelled).c_str(), num_labelled);
}

void run(options const& options) {
  auto const model = models::read_model<float>(models::checkpoint::load(options.model));
  train::task const data = train::load_task(options.data, train::purpose::prediction);
  std::printf("%s of %lld features and %lld classes; %s: %lld vertices, %lld edges\n", model.architecture.c_str(),
              static_cast<long long>(model.options.num_features), static_cast<long long>(model.options.num_classes),
              data.name.c_str(), static_cast<long long>(data.num_vertices),
              static_cast<long long>(data.by_destination.view().num_edges));
  auto const classes = options.device == "cuda" ? train::predict_on_cuda(data, model)
                                                : train::predict_on_cpu(data, model, options.num_threads);
  print_accuracy(data, classes);
  if (!options.out.empty()) write_classes(options.out, classes);
}

}  // namespace

int main(int argc, char** argv) {
  options options;
  CLI::App app("Predicts the class of every vertex of a graph by a trained model.", "predict");
  app.option_defaults()->always_capture_default();
  app.add_option("model", options.model, "A file that train --save wrote")->required();
  app.add_option("--data", options.data, "karate, sbm, or a folder of .npy files or of Planetoid's ind.NAME.*");
  app.add_option("--device", options.device, "Where to run")->check(CLI::IsMember({"cpu", "cuda"}));
  app.add_option("--out", options.out, "Write the classes to this file, a line for each vertex");
  app.add_option("--threads", options.num_threads, "CPU threads, 0 for all")->check(CLI::NonNegativeNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    run(options);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "predict: %s\n", error.what());
    return 1;
  }
  return 0;
}
