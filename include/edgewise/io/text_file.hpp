// Line-by-line reading of text files whose errors name the file and the line.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>

namespace edgewise::detail {

/// Reads a text file and splits its lines into fields. Line ends may be those of Unix or of Windows.
class text_file {
public:
  /// `separators`: the characters of which any run separates two fields.
  explicit text_file(std::filesystem::path path, std::string separators = " \t")
      : path_(std::move(path)), separators_(std::move(separators)), file_(path_, std::ios::binary) {
    if (!file_) throw io_error(text(path_.string(), ": cannot be opened"));
  }

  /// Goes to the next line; false at the end of the file.
  bool next_line() {
    if (!std::getline(file_, line_)) {
      if (file_.bad()) throw io_error(text(path_.string(), ": cannot be read after line ", line_number_));
      return false;
    }
    ++line_number_;
    if (!line_.empty() && line_.back() == '\r') line_.pop_back();
    split();
    return true;
  }

  /// Goes to the next line that has fields and does not begin with one of `comment_marks`.
  bool next_line_with_fields(std::string_view comment_marks) {
    while (next_line()) {
      if (!fields_.empty() && comment_marks.find(fields_.front().front()) == comment_marks.npos) return true;
    }
    return false;
  }

  std::string_view line() const { return line_; }
  std::vector<std::string_view> const& fields() const { return fields_; }

  /// Field number `field` as a T, all of it.
  template <class T>
  T number(std::size_t field, char const* what) const {
    auto digits = fields_[field];
    if (digits.size() > 1 && digits.front() == '+') digits.remove_prefix(1);
    T value{};
    auto const [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (status != std::errc() || end != digits.data() + digits.size()) {
      fail(text(what, " is \"", fields_[field], "\", must be ",
                std::is_integral_v<T> ? "a 64-bit integer" : "a number"));
    }
    return value;
  }

  [[noreturn]] void fail(std::string const& reason) const {
    throw io_error(text(path_.string(), ":", line_number_, ": ", reason));
  }
  [[noreturn]] void fail_at_end(std::string const& reason) const {
    throw io_error(text(path_.string(), ": ends after line ", line_number_, ": ", reason));
  }

private:
  void split() {
    fields_.clear();
    std::string_view rest = line_;
    for (;;) {
      auto const begin = rest.find_first_not_of(separators_);
      if (begin == rest.npos) return;
      rest.remove_prefix(begin);
      auto const end = rest.find_first_of(separators_);
      fields_.push_back(rest.substr(0, end));
      if (end == rest.npos) return;
      rest.remove_prefix(end);
    }
  }

  std::filesystem::path path_;
  std::string separators_;
  std::ifstream file_;
  std::string line_;
  std::vector<std::string_view> fields_;  // into line_
  std::int64_t line_number_ = 0;
};

}  // namespace edgewise::detail
