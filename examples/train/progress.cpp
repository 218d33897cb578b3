#include "train/progress.hpp"

#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

namespace edgewise::train {
namespace {

constexpr int bar_width = 30;

std::string readable_bytes(std::size_t bytes) {
  double const kib = static_cast<double>(bytes) / 1024.0;
  char text[32];
  if (kib < 1024.0) {
    std::snprintf(text, sizeof text, "%.1f KiB", kib);
  } else {
    std::snprintf(text, sizeof text, "%.1f MiB", kib / 1024.0);
  }
  return text;
}

}  // namespace

std::string percent(double share) {
  if (std::isnan(share)) return "-";
  char text[16];
  std::snprintf(text, sizeof text, "%.1f %%", 100.0 * share);
  return text;
}

progress::progress(options const& options, std::uint64_t seed)
    : num_epochs_(options.num_epochs),
      print_every_(options.print_every),
      patience_(options.patience),
      seed_(seed),
      has_terminal_(isatty(STDERR_FILENO) == 1) {}

void progress::show(int epoch, epoch_record const& record) {
  int const done = epoch + 1;
  if (print_every_ > 0 && (done % print_every_ == 0 || done == num_epochs_)) {
    clear_bar();
    std::printf("seed %llu  epoch %4d  loss %.4f  train %s  validation %s  test %s  %.2f ms\n",
                static_cast<unsigned long long>(seed_), done, record.loss, percent(record.train_accuracy).c_str(),
                percent(record.validation_accuracy).c_str(), percent(record.test_accuracy).c_str(),
                record.milliseconds);
    std::fflush(stdout);
  }
  if (!has_terminal_) return;
  int const filled = static_cast<int>(static_cast<long long>(bar_width) * done / num_epochs_);
  std::string const bar = std::string(filled, '#') + std::string(bar_width - filled, ' ');
  std::fprintf(stderr, "\r[%s] %d/%d  loss %.4f  test %s ", bar.c_str(), done, num_epochs_, record.loss,
               percent(record.test_accuracy).c_str());
  std::fflush(stderr);
}

void progress::finish(run_record const& run) {
  clear_bar();
  if (run.has_stopped_early) {
    std::printf("seed %llu: stopped at epoch %zu, validation has not been at its best for %d epochs\n",
                static_cast<unsigned long long>(run.seed), run.last_epoch + 1, patience_);
  }
  epoch_record const& last = run.epochs[run.last_epoch];
  epoch_record const& best = run.epochs[run.best_epoch];
  std::printf("seed %llu: loss %.4f, train %s, validation %s, test %s; %.2f ms an epoch (median), peak memory %s\n",
              static_cast<unsigned long long>(run.seed), last.loss, percent(last.train_accuracy).c_str(),
              percent(last.validation_accuracy).c_str(), percent(last.test_accuracy).c_str(),
              median_epoch_milliseconds(run), readable_bytes(run.peak_bytes).c_str());
  if (!std::isnan(best.validation_accuracy)) {
    std::printf("seed %llu: best validation %s at epoch %zu, with test %s\n", static_cast<unsigned long long>(run.seed),
                percent(best.validation_accuracy).c_str(), run.best_epoch + 1, percent(best.test_accuracy).c_str());
  }
  std::fflush(stdout);
}

void progress::clear_bar() const {
  if (has_terminal_) std::fputs("\r\033[K", stderr);
}

}  // namespace edgewise::train
