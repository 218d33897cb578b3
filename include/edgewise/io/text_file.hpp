// Line-by-line reading of text files whose errors name the file and the line.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/io/input_file.hpp>
#include <edgewise/io/number_text.hpp>

namespace edgewise::inline v0::detail {

/// Reads a text file and splits its lines into fields. Line ends may be those of Unix or of Windows; a byte-order mark
/// of UTF-8 at the beginning is skipped.
class text_file {
public:
  /// `separators`: the characters of which any run separates two fields.
  explicit text_file(std::filesystem::path path, std::string separators = " \t")
      : separators_(std::move(separators)), file_(std::move(path)), chunk_(std::size_t{1} << 16, '\0') {}

  /// Goes to the next line; false at the end of the file.
  bool next_line() {
    line_.clear();
    bool const found = read_line();
    if (!found && line_.empty()) return false;
    ++line_number_;
    if (line_number_ == 1 && std::string_view(line_).starts_with(byte_order_mark)) {
      line_.erase(0, byte_order_mark.size());
    }
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

  /// All of field number `field` as a T.
  template <std::integral T>
  T integer(std::size_t field, char const* what) const {
    auto const value = parse_integer<T>(fields_[field]);
    if (!value)
      fail(text(what, " is \"", shown(fields_[field]), "\", must be ",
                std::unsigned_integral<T> ? "an unsigned " : "a ", 8 * sizeof(T), "-bit integer"));
    return *value;
  }
  template <std::floating_point T>
  T real(std::size_t field, char const* what, non_finite_numbers non_finite) const {
    auto const value = parse_real<T>(fields_[field]);
    if (!value) fail(text(what, " is \"", shown(fields_[field]), "\", must be a number"));
    if (non_finite == non_finite_numbers::refuse && !std::isfinite(*value)) {
      fail(text(what, " is \"", shown(fields_[field]), "\", must be finite (the option non_finite accepts others)"));
    }
    return *value;
  }

  [[noreturn]] void fail(std::string const& reason) const {
    throw io_error(text(file_.path().string(), ":", line_number_, ": ", reason));
  }
  [[noreturn]] void fail_at_end(std::string const& reason) const {
    throw io_error(text(file_.path().string(), ": ends after line ", line_number_, ": ", reason));
  }

private:
  /// Appends what is left of the line to `line_`; whether a line end was found.
  bool read_line() {
    constexpr std::size_t longest = std::size_t{1}
                                    << 28;  // what never ends, such as a device, must not fill the memory
    for (;;) {
      auto const begin = chunk_.begin() + static_cast<std::ptrdiff_t>(next_);
      auto const end = chunk_.begin() + static_cast<std::ptrdiff_t>(size_);
      auto const line_end = std::find(begin, end, '\n');
      line_.append(begin, line_end);
      next_ = static_cast<std::size_t>(line_end - chunk_.begin());
      if (line_end != end) {
        ++next_;
        return true;
      }
      if (line_.size() > longest) {
        ++line_number_;
        fail(text("has more than ", longest, " characters"));
      }
      next_ = 0;
      size_ = file_.read(chunk_.data(), chunk_.size());
      if (size_ == 0) return false;
    }
  }

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

  std::string separators_;
  input_file file_;
  std::string chunk_;  // bytes [next_, size_) are to be read next
  std::size_t next_ = 0;
  std::size_t size_ = 0;
  std::string line_;
  std::vector<std::string_view> fields_;  // into line_
  std::int64_t line_number_ = 0;
};

}  // namespace edgewise::inline v0::detail
