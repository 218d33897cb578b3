// What was measured, remembered: in memory, and in a text file where one is named.
#pragma once

#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <edgewise/core/error.hpp>

namespace edgewise::inline v0 {

/// Choices by key (tuning/autotune.cuh), one line each. With a path, what the file holds is known from the start and
/// every new choice is appended. The file begins with the line `edgewise tuning 1`; each further line is a key, a tab
/// and a policy as `to_string` prints it. Later lines count. No file is no mistake: it is made with the first choice.
///
/// Nothing about the file is fatal, since all of it can be measured again. A file of another kind is left alone, a line
/// that is none is skipped, and a file that cannot be written is not; `warning()` says so, one sentence per line.
/// One thread at a time; programs may share a file.
class tuning_cache {
public:
  /// Choices in memory alone.
  tuning_cache() = default;

  /// Choices in the file at `path`, which is read.
  explicit tuning_cache(std::string path) : path_(std::move(path)) { read(); }

  /// The policy of a key, where one is known.
  std::optional<std::string> find(std::string const& key) const {
    auto const found = choices_.find(key);
    if (found == choices_.end()) return std::nullopt;
    return found->second;
  }

  /// Throws `invalid_argument` where the key or the policy has a tab or a line break.
  void remember(std::string const& key, std::string const& policy) {
    for (std::string const& part : {key, policy}) {
      if (part.empty() || part.find_first_of("\t\n\r") != std::string::npos) {
        throw invalid_argument(detail::text("tuning_cache: '", part, "' is no part of a line"));
      }
    }
    choices_[key] = policy;
    if (!path_.empty()) append(key + '\t' + policy + '\n');
  }

  /// The number of choices.
  std::size_t size() const { return choices_.size(); }
  /// What could not be read or written so far; empty where everything could.
  std::string const& warning() const { return warning_; }
  /// Adds a sentence to `warning()`.
  void warn(std::string const& sentence) { warning_ += sentence + "\n"; }

private:
  static constexpr char const* first_line = "edgewise tuning 1";

  void read() {
    std::ifstream file(path_);
    if (!file) return;
    std::string line;
    if (!std::getline(file, line)) {
      if (file.bad() || !file.eof()) leave("cannot be read");
      return;
    }
    if (line != first_line) {
      leave(detail::text("its first line is not '", first_line, "'"));
      return;
    }
    is_begun_ = true;
    for (int number = 2; std::getline(file, line); ++number) {
      std::size_t const tab = line.find('\t');
      // The last line of a file that is being written may lack its end; it is measured again.
      if (file.eof() || tab == 0 || tab == std::string::npos || tab + 1 == line.size()) {
        warn(detail::text(path_, ":", number, ": no key, tab and policy, skipped"));
        ends_in_line_ = !file.eof();
        continue;
      }
      choices_[line.substr(0, tab)] = line.substr(tab + 1);
    }
  }
  void leave(std::string const& why) {
    warn(detail::text(path_, ": ", why, "; it is left as it is, and choices are kept in memory alone"));
    path_.clear();
  }
  /// Appends in one write, so that programs that share the file do not mix their lines.
  void append(std::string line) {
    if (!is_begun_) line = std::string(first_line) + '\n' + line;
    if (!ends_in_line_) line = '\n' + line;
    std::ofstream file(path_, std::ios::app);
    file << line;
    file.close();
    if (!file) {
      leave("cannot be written");
      return;
    }
    is_begun_ = true;
    ends_in_line_ = true;
  }

  std::string path_;
  std::map<std::string, std::string> choices_;
  std::string warning_;
  bool is_begun_ = false;  ///< the file has its first line
  bool ends_in_line_ = true;
};

}  // namespace edgewise::inline v0
