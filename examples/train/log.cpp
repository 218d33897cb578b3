#include "train/log.hpp"

#include <cmath>
#include <fstream>

#include <edgewise/core/error.hpp>
#include <nlohmann/json.hpp>

namespace edgewise::train {
namespace {

using json = nlohmann::ordered_json;

json number_or_null(double value) { return std::isnan(value) ? json() : json(value); }

json epochs_as_json(run_record const& run) {
  json epochs = json::array();
  for (epoch_record const& epoch : run.epochs) {
    epochs.push_back({{"loss", number_or_null(epoch.loss)},
                      {"validation_loss", number_or_null(epoch.validation_loss)},
                      {"train_accuracy", number_or_null(epoch.train_accuracy)},
                      {"validation_accuracy", number_or_null(epoch.validation_accuracy)},
                      {"test_accuracy", number_or_null(epoch.test_accuracy)},
                      {"milliseconds", epoch.milliseconds}});
  }
  return epochs;
}

json summary_as_json(options const& options, std::vector<run_record> const& runs) {
  accuracy_summary const last = test_accuracy(runs, &run_record::last_epoch);
  accuracy_summary const best = test_accuracy(runs, &run_record::best_epoch);
  accuracy_summary const selected = options.select == "best" ? best : last;
  return {{"mean_test_accuracy", number_or_null(selected.mean)},
          {"deviation_of_test_accuracy", number_or_null(selected.deviation)},
          {"mean_last_test_accuracy", number_or_null(last.mean)},
          {"mean_best_test_accuracy", number_or_null(best.mean)}};
}

json runs_as_json(std::vector<run_record> const& runs) {
  json result = json::array();
  for (run_record const& run : runs) {
    result.push_back({{"seed", run.seed},
                      {"ranks", run.num_ranks},
                      {"last_epoch", run.last_epoch},
                      {"stopped_early", run.has_stopped_early},
                      {"last_test_accuracy", number_or_null(run.epochs[run.last_epoch].test_accuracy)},
                      {"best_epoch", run.best_epoch},
                      {"best_test_accuracy", number_or_null(run.epochs[run.best_epoch].test_accuracy)},
                      {"median_epoch_milliseconds", median_epoch_milliseconds(run)},
                      {"peak_bytes", run.peak_bytes},
                      {"num_epoch_allocations", run.num_epoch_allocations},
                      {"epochs", epochs_as_json(run)}});
  }
  return result;
}

}  // namespace

void write_log(options const& options, task const& data, std::vector<run_record> const& runs) {
  json const log{{"options",
                  {{"model", options.model},
                   {"data", options.data},
                   {"device", options.device},
                   {"heads", options.num_heads},
                   {"output_heads", options.num_output_heads},
                   {"hidden", options.num_hidden},
                   {"bases", options.num_bases},
                   {"features", options.features},
                   {"batch_size", options.batch_size},
                   {"fanouts", options.fanouts},
                   {"epochs", options.num_epochs},
                   {"runs", options.num_runs},
                   {"dropout", options.dropout},
                   {"attention_dropout", options.attention_dropout},
                   {"learning_rate", options.learning_rate},
                   {"schedule", options.schedule},
                   {"step_epochs", options.step_epochs},
                   {"step_factor", options.step_factor},
                   {"patience", options.patience},
                   {"weight_decay", options.weight_decay},
                   {"select", options.select},
                   {"seed", options.seed}}},
                 {"data",
                  {{"name", data.name},
                   {"vertices", data.num_vertices},
                   {"edges", data.by_destination.view().num_edges},
                   {"features", data.features.num_columns()},
                   {"edge_types", data.num_edge_types},
                   {"classes", data.num_classes},
                   {"score", data.score_name()},
                   {"train_rows", data.train_rows.size()},
                   {"validation_rows", data.validation_rows.size()},
                   {"test_rows", data.test_rows.size()}}},
                 {"runs", runs_as_json(runs)},
                 {"summary", summary_as_json(options, runs)}};
  std::ofstream file(options.log);
  file << log.dump(1) << '\n';
  file.close();
  if (!file) throw io_error(edgewise::detail::text(options.log, ": cannot write the log"));
}

}  // namespace edgewise::train
