#include "train/options.hpp"

#include <CLI/CLI.hpp>

#include <edgewise/core/error.hpp>

namespace edgewise::train {

options parse_options(int argc, char const* const* argv) {
  options result;
  CLI::App app("Trains a node classifier: full graph, Adam, last epoch.", "train");
  app.option_defaults()->always_capture_default();
  app.add_option("--model", result.model, "The model")->check(CLI::IsMember({"gcn"}));
  app.add_option("--data", result.data, "karate, sbm, or a folder of .npy files");
  app.add_option("--device", result.device, "Where to train")->check(CLI::IsMember({"cpu", "cuda"}));
  app.add_option("--hidden", result.num_hidden, "Width of the hidden layer")->check(CLI::PositiveNumber);
  app.add_option("--epochs", result.num_epochs, "Epochs of a run")->check(CLI::PositiveNumber);
  app.add_option("--runs", result.num_runs, "Runs, from seeds seed, seed + 1, ...")->check(CLI::PositiveNumber);
  app.add_option("--dropout", result.dropout, "Dropout probability on the input of both layers, in [0, 1)");
  app.add_option("--lr", result.learning_rate, "Learning rate")->check(CLI::PositiveNumber);
  app.add_option("--weight-decay", result.weight_decay, "L2 on the first layer")->check(CLI::NonNegativeNumber);
  app.add_option("--seed", result.seed, "Seed of the first run");
  app.add_option("--threads", result.num_threads, "CPU threads of the loops, 0 for all")->check(CLI::NonNegativeNumber);
  app.add_option("--print-every", result.print_every, "Print a line every so many epochs, 0 for none")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--log", result.log, "Write every epoch of every run to this JSON file");
  try {
    app.parse(argc, argv);
  } catch (CLI::CallForHelp const&) {
    throw help_requested(app.help());
  } catch (CLI::ParseError const& error) {
    throw invalid_argument(error.what());
  }
  return result;
}

}  // namespace edgewise::train
