#include "train/stopped_run.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>
#include <utility>

#include <edgewise/core/error.hpp>

#include "models/checkpoint.hpp"
#include "train/model_options.hpp"

namespace edgewise::train {
namespace {

constexpr std::size_t numbers_per_epoch = 6;

/// The shortest text that reads back as the same number.
std::string exact_text(double value) {
  char letters[32];
  return {letters, std::to_chars(letters, letters + sizeof(letters), value).ptr};
}

/// With the numbers that count for it: of a cosine the last epoch is one.
std::string schedule_text(options const& options) {
  if (options.schedule == "cosine") return edgewise::detail::text("cosine over ", options.num_epochs, " epochs");
  if (options.schedule != "step") return options.schedule;
  return edgewise::detail::text("times ", exact_text(options.step_factor), " every ", options.step_epochs, " epochs");
}

std::string fanouts_text(options const& options) {
  if (options.batch_size == 0) return "none";
  std::string text;
  for (auto const fanout : options.fanouts) text += (text.empty() ? "" : " ") + std::to_string(fanout);
  return text;
}

/// What decides on the numbers of a run: names, for messages, with values as text. Threads do not, and neither do
/// patience or the device, but for rounding.
std::vector<std::pair<std::string, std::string>> identity_of(task const& data, options const& options,
                                                             std::uint64_t seed) {
  auto const count = [](auto value) { return std::to_string(value); };
  std::vector<std::pair<std::string, std::string>> identity{{"data", data.name},
                                                            {"vertices", count(data.num_vertices)},
                                                            {"edges", count(data.by_destination.view().num_edges)},
                                                            {"score", data.score_name()},
                                                            {"training rows", count(data.train_rows.size())},
                                                            {"validation rows", count(data.validation_rows.size())},
                                                            {"test rows", count(data.test_rows.size())},
                                                            {"model", options.model},
                                                            {"learning rate", exact_text(options.learning_rate)},
                                                            {"schedule", schedule_text(options)},
                                                            {"weight decay", exact_text(options.weight_decay)},
                                                            {"batch size", count(options.batch_size)},
                                                            {"fanouts", fanouts_text(options)},
                                                            {"seed", count(seed)}};
  models::node_options const sizes = model_options(data, options);
  models::for_each_field(sizes, [&](std::string name, auto value) {
    if (name.starts_with("num_")) name.erase(0, 4);
    std::replace(name.begin(), name.end(), '_', ' ');
    identity.emplace_back(name, exact_text(static_cast<double>(value)));
  });
  return identity;
}

std::vector<double> numbers_of(std::vector<epoch_record> const& epochs) {
  std::vector<double> numbers;
  for (epoch_record const& epoch : epochs) {
    numbers.insert(numbers.end(), {epoch.loss, epoch.validation_loss, epoch.train_accuracy, epoch.validation_accuracy,
                                   epoch.test_accuracy, epoch.milliseconds});
  }
  return numbers;
}

std::vector<epoch_record> epochs_of(std::vector<double> const& numbers) {
  std::vector<epoch_record> epochs;
  for (std::size_t k = 0; k < numbers.size(); k += numbers_per_epoch) {
    epochs.push_back({.loss = numbers[k],
                      .validation_loss = numbers[k + 1],
                      .train_accuracy = numbers[k + 2],
                      .validation_accuracy = numbers[k + 3],
                      .test_accuracy = numbers[k + 4],
                      .milliseconds = numbers[k + 5]});
  }
  return epochs;
}

}  // namespace

void save_run(std::string const& path, task const& data, options const& options, std::uint64_t seed,
              stopped_run const& run) {
  models::checkpoint file;
  for (auto const& [name, value] : identity_of(data, options, seed)) file.set("run." + name, value);
  file.set("run.epochs", numbers_of(run.epochs));
  models::write_model(run.state.model, file);
  file.set("adam.first_moments", run.state.first_moments);
  file.set("adam.second_moments", run.state.second_moments);
  file.set("adam.powers", std::vector{run.state.powers.beta1, run.state.powers.beta2});
  file.set("random.seed_and_step", std::vector{run.state.random.seed, run.state.random.step});
  file.save(path);
}

stopped_run load_run(std::string const& path, task const& data, options const& options, std::uint64_t seed) {
  auto const file = models::checkpoint::load(path);
  for (auto const& [name, value] : identity_of(data, options, seed)) {
    std::string const saved = file.get_text("run." + name);
    if (saved != value) {
      throw invalid_argument(
          edgewise::detail::text("--resume ", path, ": ", name, " is ", saved, ", this run's is ", value));
    }
  }
  auto const numbers = file.get<double>("run.epochs");
  if (numbers.empty() || numbers.size() % numbers_per_epoch != 0) file.fail("array 'run.epochs' has no whole epochs");
  stopped_run run;
  run.epochs = epochs_of(numbers);
  if (run.epochs.size() > static_cast<std::size_t>(options.num_epochs)) {
    throw invalid_argument(edgewise::detail::text("--resume ", path, ": has ", run.epochs.size(),
                                                  " epochs, more than --epochs ", options.num_epochs));
  }
  run.state.model = models::read_model<float>(file);
  run.state.first_moments = file.get<float>("adam.first_moments", run.state.model.values.size());
  run.state.second_moments = file.get<float>("adam.second_moments", run.state.model.values.size());
  auto const powers = file.get<double>("adam.powers", 2);
  run.state.powers = {powers[0], powers[1]};
  auto const random = file.get<std::uint64_t>("random.seed_and_step", 2);
  run.state.random = {random[0], random[1]};
  return run;
}

bool predicts_label_sets(models::checkpoint const& file) { return file.get_text("run.score") == micro_f1_name; }

}  // namespace edgewise::train
