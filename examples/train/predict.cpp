// predict: labels of vertices by a model that `train --save` wrote.
#include <CLI/CLI.hpp>
#include <cstddef>
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
#include "train/predicted_labels.hpp"
#include "train/progress.hpp"
#include "train/sampling.hpp"
#include "train/stopped_run.hpp"
#include "train/task.hpp"

namespace {

using namespace edgewise;

struct options {
  std::string model;
  std::string data = "karate";
  std::string device = "cpu";
  std::string out;
  int num_threads = 0;
  train::sampling sampling{.fanouts = {10, 10}};
};

/// The labels of a vertex a line, in the order of vertices.
void write_labels(std::string const& path, std::vector<std::vector<std::int32_t>> const& labels) {
  std::ofstream file(path);
  for (auto const& found : labels) {
    for (std::size_t k = 0; k < found.size(); ++k) file << (k == 0 ? "" : " ") << found[k];
    file << '\n';
  }
  file.close();
  if (!file) throw io_error(path + ": cannot be written");
}

void run(options const& options) {
  auto const file = models::checkpoint::load(options.model);
  auto const model = models::read_model<float>(file);
  bool const are_sets = train::predicts_label_sets(file);
  train::task const data = train::load_task(options.data, train::purpose::prediction);
  std::printf("%s of %lld features and %lld classes; %s: %lld vertices, %lld edges\n", model.architecture.c_str(),
              static_cast<long long>(model.options.num_features), static_cast<long long>(model.options.num_classes),
              data.name.c_str(), static_cast<long long>(data.num_vertices),
              static_cast<long long>(data.by_destination.view().num_edges));
  auto const logits = options.device == "cuda"
                          ? train::predict_on_cuda(data, model, options.sampling)
                          : train::predict_on_cpu(data, model, options.sampling, options.num_threads);
  auto const labels = train::predicted_labels(logits, model.options.num_classes, are_sets);
  if (!options.out.empty()) write_labels(options.out, labels);
  auto const score = train::score_of_test_rows(data, labels);
  if (score.num_rows == 0 || data.has_label_sets() != are_sets) return;
  std::printf("test %s %s of %zu vertices\n", data.score_name(), train::percent(score.value).c_str(), score.num_rows);
}

}  // namespace

int main(int argc, char** argv) {
  options options;
  CLI::App app("Predicts the labels of every vertex of a graph by a trained model.", "predict");
  app.option_defaults()->always_capture_default();
  app.add_option("model", options.model, "A file that train --save or --save-best wrote")->required();
  app.add_option("--data", options.data, "karate, sbm, or a folder of .npy files or of Planetoid's ind.NAME.*");
  app.add_option("--device", options.device, "Where to run")->check(CLI::IsMember({"cpu", "cuda"}));
  auto* const batch_size = app.add_option("--batch-size", options.sampling.batch_size,
                                          "Vertices of a batch of sampled neighbors, 0 for the whole graph at once")
                               ->check(CLI::NonNegativeNumber);
  app.add_option("--fanouts", options.sampling.fanouts,
                 "Neighbors sampled for each vertex of a batch, by layer from the last")
      ->check(CLI::PositiveNumber)
      ->delimiter(',')
      ->needs(batch_size);
  app.add_option("--seed", options.sampling.seed, "Seed of the neighbors that are sampled")->needs(batch_size);
  app.add_option("--out", options.out, "Write the labels to this file, a line for each vertex");
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
