#include "train/record.hpp"

#include <algorithm>
#include <cmath>

namespace edgewise::train {

double median_epoch_milliseconds(run_record const& run) {
  if (run.epochs.empty()) return 0.0;
  std::vector<double> times;
  times.reserve(run.epochs.size());
  for (epoch_record const& epoch : run.epochs) times.push_back(epoch.milliseconds);
  auto const middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

accuracy_summary test_accuracy(std::vector<run_record> const& runs, std::size_t run_record::*epoch) {
  accuracy_summary summary;
  auto const count = static_cast<double>(runs.size());
  for (run_record const& run : runs) summary.mean += run.epochs[run.*epoch].test_accuracy / count;
  if (runs.size() > 1) {
    double squares = 0.0;
    for (run_record const& run : runs) squares += std::pow(run.epochs[run.*epoch].test_accuracy - summary.mean, 2);
    summary.deviation = std::sqrt(squares / (count - 1.0));
  }
  return summary;
}

}  // namespace edgewise::train
