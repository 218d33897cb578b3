#include "train/options.hpp"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include <edgewise/core/error.hpp>

#include "train/model_runs.hpp"

namespace edgewise::train {

namespace {

/// The model that a command line names, whatever else it says: it decides on the defaults of everything else.
std::string named_model(int argc, char const* const* argv) {
  options result;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.add_option("--model", result.model);
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const&) {  // `parse_options` will meet it too, and say so
  }
  return result.model;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for_each_model([&](char const* name, auto) { names.push_back(name); });
  return names;
}

}  // namespace

options recipe_of(std::string const& model) {
  options result;
  result.model = model;
  if (model == "gat" || model == "gatv2" || model == "gt") {
    result.num_heads = 8;
    result.num_hidden = 8;
    result.num_epochs = model == "gat" ? 300 : 200;
    result.dropout = model == "gatv2" ? 0.7 : 0.6;
    result.attention_dropout = result.dropout;
    result.learning_rate = 0.005;
    result.select = "best";
  } else if (model == "agnn") {
    result.num_hidden = 32;
  } else if (model == "appnp") {
    result.num_hidden = 64;
    result.num_epochs = 400;
    result.attention_dropout = 0.5;
    result.weight_decay = 5e-3;
    result.select = "best";
  } else if (model == "gin") {
    result.weight_decay = 5e-3;
    result.select = "best";
  } else if (model == "pna" || model == "sage_max") {
    result.select = "best";
  } else if (model == "monet") {
    result.num_heads = 3;
  } else if (model == "sgc") {
    result.num_epochs = 100;
    result.learning_rate = 0.2;
    result.weight_decay = 5e-6;
  } else if (model == "rgcn") {
    result.num_epochs = 50;
    result.dropout = 0;
    result.weight_decay = 0;
  }
  return result;
}

namespace {

/// Does a model read an option that not all models read?
bool reads(std::string const& model, std::string const& option) {
  auto const is_one_of = [&](auto... names) { return ((model == names) || ...); };
  if (option == "--heads") return is_one_of("gat", "gatv2", "gt", "monet");
  if (option == "--output-heads") return is_one_of("gat", "gatv2", "gt");
  if (option == "--attention-dropout") return is_one_of("appnp", "gat", "gatv2", "gt");
  if (option == "--bases") return is_one_of("rgcn");
  return !is_one_of("sgc");  // --hidden and --dropout
}

}  // namespace

options parse_options(int argc, char const* const* argv) {
  options result = recipe_of(named_model(argc, argv));
  CLI::App app(
      "Trains a node classifier by Adam, on the whole graph or on batches. Defaults are the recipe of the model.",
      "train");
  app.option_defaults()->always_capture_default();
  app.add_option("--model", result.model, "The model")->check(CLI::IsMember(model_names()));
  app.add_option("--data", result.data, "karate, sbm, or a folder of .npy files or of Planetoid's ind.NAME.*");
  app.add_option("--device", result.device, "Where to train")->check(CLI::IsMember({"cpu", "cuda"}));
  auto* const ranks =
      app.add_flag("--ranks", result.ranks,
                   "Each process of mpirun trains with its part of the graph. With --device cuda each has a GPU, and "
                   "scripts/launch-ranks starts them, too");
  app.add_option(
         "--partition", result.partition,
         "Who has which vertices of --ranks: ranges with as many edges, or parts of METIS with few edges between")
      ->check(CLI::IsMember({"edges", "metis"}))
      ->needs(ranks);
  app.add_option("--heads", result.num_heads, "Heads of the first layer (gat, gatv2, gt), or kernels of both (monet)")
      ->check(CLI::PositiveNumber);
  app.add_option("--output-heads", result.num_output_heads,
                 "Heads of the last layer, which are averaged (gat, gatv2, gt)")
      ->check(CLI::PositiveNumber);
  app.add_option("--hidden", result.num_hidden, "Width of the hidden layer, for gat, gatv2 and gt of each of its heads")
      ->check(CLI::PositiveNumber);
  app.add_option("--bases", result.num_bases, "Bases of the matrices of types of edges (rgcn), 0 for one of each type")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--features", result.features,
                 "How sparse features are multiplied: element by element, as a dense copy, or the faster way")
      ->check(CLI::IsMember({"automatic", "sparse", "dense"}));
  auto* const batch_size = app.add_option("--batch-size", result.batch_size,
                                          "Training rows of a batch of sampled neighbors, 0 for the whole graph")
                               ->check(CLI::NonNegativeNumber);
  app.add_option("--fanouts", result.fanouts, "Neighbors sampled for each vertex of a batch, by layer from the last")
      ->check(CLI::PositiveNumber)
      ->delimiter(',')
      ->needs(batch_size);
  app.add_option("--epochs", result.num_epochs, "Epochs of a run")->check(CLI::PositiveNumber);
  app.add_option("--runs", result.num_runs, "Runs, from seeds seed, seed + 1, ...")->check(CLI::PositiveNumber);
  app.add_option("--dropout", result.dropout, "Dropout probability on the input of both layers, in [0, 1)");
  app.add_option(
      "--attention-dropout", result.attention_dropout,
      "Dropout probability on the attention weights of both layers (gat, gatv2, gt) or on the entries of the "
      "adjacency (appnp), in [0, 1)");
  app.add_option("--lr", result.learning_rate, "Learning rate")->check(CLI::PositiveNumber);
  app.add_option("--schedule", result.schedule,
                 "Learning rate: constant, cosine towards 0 at --epochs, or times --step-factor every --step-epochs")
      ->check(CLI::IsMember({"constant", "cosine", "step"}));
  app.add_option("--step-epochs", result.step_epochs, "Epochs between two steps of the learning rate")
      ->check(CLI::PositiveNumber);
  app.add_option("--step-factor", result.step_factor, "What a step multiplies the learning rate by")
      ->check(CLI::PositiveNumber);
  app.add_option("--patience", result.patience,
                 "Stop after so many epochs in a row that are below the best validation accuracy and above the lowest "
                 "validation loss, 0 for never")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--weight-decay", result.weight_decay,
                 "L2 on the first layer (appnp, gcn, rgcn) or on all parameters (others)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--select", result.select, "The epoch whose test accuracy counts: the last, or of best validation")
      ->check(CLI::IsMember({"last", "best"}));
  app.add_option("--seed", result.seed, "Seed of the first run");
  app.add_option("--threads", result.num_threads, "CPU threads of the loops, 0 for all")->check(CLI::NonNegativeNumber);
  app.add_option("--print-every", result.print_every, "Print a line every so many epochs, 0 for none")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--log", result.log, "Write every epoch of every run to this JSON file");
  auto* const save =
      app.add_option("--save", result.save, "Write the trained model, and all to go on from, to this file");
  app.add_option("--save-every", result.save_every, "Write it every so many epochs, too, 0 for at the end alone")
      ->check(CLI::NonNegativeNumber)
      ->needs(save);
  app.add_option("--save-best", result.save_best,
                 "Write the same to this file after every epoch that is the best in validation so far");
  app.add_option("--resume", result.resume, "Go on from a file of --save, with the same options, up to --epochs");
  try {
    app.parse(argc, argv);
  } catch (CLI::CallForHelp const&) {
    throw help_requested(app.help());
  } catch (CLI::ParseError const& error) {
    throw invalid_argument(error.what());
  }
  for (char const* const name :
       {"--heads", "--output-heads", "--attention-dropout", "--bases", "--hidden", "--dropout"}) {
    if (app.count(name) > 0 && !reads(result.model, name)) {
      throw invalid_argument(std::string(name) + " does nothing for " + result.model);
    }
  }
  for (char const* const name : {"--step-epochs", "--step-factor"}) {
    if (app.count(name) > 0 && result.schedule != "step") {
      throw invalid_argument(std::string(name) + " is for --schedule step, not " + result.schedule);
    }
  }
  if (result.ranks && result.batch_size > 0) {
    throw invalid_argument("--ranks is for training on the whole graph, not with --batch-size " +
                           std::to_string(result.batch_size));
  }
  if (result.num_runs > 1 && !(result.save.empty() && result.save_best.empty() && result.resume.empty())) {
    throw invalid_argument("--save, --save-best and --resume are for one run, not --runs " +
                           std::to_string(result.num_runs));
  }
  return result;
}

}  // namespace edgewise::train
