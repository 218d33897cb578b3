// How far training is, for people: a bar on a terminal, lines everywhere.
#pragma once

#include <cstdint>
#include <string>

#include "train/options.hpp"
#include "train/record.hpp"

namespace edgewise::train {

/// One run's progress. Lines go to the standard output, the bar to the standard error and only if that is a terminal.
class progress {
public:
  progress(options const& options, std::uint64_t seed);

  /// Draws the bar at `epoch`, counted from 0, and prints a line at every `print_every`-th epoch and the last.
  void show(int epoch, epoch_record const& record);
  /// Clears the bar and prints the run's summary.
  void finish(run_record const& run);

private:
  void clear_bar() const;

  int num_epochs_;
  int print_every_;
  int patience_;
  std::uint64_t seed_;
  bool has_terminal_;
};

/// "81.5 %", or "-" for NaN.
std::string percent(double share);

}  // namespace edgewise::train
