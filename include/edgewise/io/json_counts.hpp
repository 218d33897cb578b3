// The counts in a JSON object, such as the meta.json of a folder of arrays.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <edgewise/core/error.hpp>
#include <edgewise/io/input_file.hpp>

namespace edgewise::inline v0::detail {

/// The integer that a JSON number names: 30, 3e1 and 30.0 are one. Nothing where it is no integer, or none of 64 bits.
inline std::optional<std::int64_t> json_integer(std::string_view number) {
  bool const is_negative = number.starts_with('-');
  if (is_negative) number.remove_prefix(1);
  auto const letter = number.find_first_of("eE");
  std::int64_t exponent = 0;
  if (letter != number.npos) {
    auto power = number.substr(letter + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    bool const falls = power.starts_with('-');
    constexpr std::int64_t largest = std::int64_t{1} << 60;  // beyond any length of a text
    if (std::from_chars(power.data(), power.data() + power.size(), exponent).ec != std::errc()) exponent = largest;
    exponent = falls ? -std::min(std::abs(exponent), largest) : std::min(exponent, largest);
  }
  std::string digits(number.substr(0, letter));
  if (auto const point = digits.find('.'); point != digits.npos) {
    exponent -= static_cast<std::int64_t>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  digits.erase(0, digits.find_first_not_of('0'));
  while (!digits.empty() && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  if (digits.empty()) return 0;
  if (exponent < 0 || exponent > 19) return std::nullopt;
  digits.append(static_cast<std::size_t>(exponent), '0');
  if (is_negative) digits.insert(0, 1, '-');
  std::int64_t value = 0;
  auto const status = std::from_chars(digits.data(), digits.data() + digits.size(), value).ec;
  return status == std::errc() ? std::optional(value) : std::nullopt;
}

/// Reads a whole JSON text (RFC 8259) whose outermost value is an object, and keeps the values of some of its keys.
/// Like Python, takes NaN, Infinity and -Infinity for values, which its writer prints.
class json_object {
public:
  /// `name` is the file's, for messages.
  json_object(std::string name, std::string_view json, std::span<std::string_view const> keys)
      : name_(std::move(name)), json_(json), keys_(keys) {
    if (json_.starts_with(byte_order_mark)) next_ = byte_order_mark.size();
    skip_space();
    if (!begins_with('{')) fail("must be one JSON object");
    skip_object(0);
    skip_space();
    if (next_ != json_.size()) fail("goes on after its JSON object");
  }

  /// The value of a key, if the object has it, which must be an integer in [0, 2147483647].
  std::optional<std::int64_t> count(std::string_view key) const {
    auto const found = values_.find(key);
    if (found == values_.end()) return std::nullopt;
    auto const [begin, end] = found->second;
    auto const value = json_.substr(begin, end - begin);
    bool const is_number = value.front() == '-' || (value.front() >= '0' && value.front() <= '9');
    auto const integer = is_number && value != "-Infinity" ? json_integer(value) : std::nullopt;
    constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
    if (!integer || *integer < 0 || *integer > largest) {
      fail_at(begin, text(key, " is ", shown(value), ", must be an integer in [0, ", largest, "]"));
    }
    return integer;
  }

private:
  [[noreturn]] void fail_at(std::size_t at, std::string const& reason) const {
    auto const line = 1 + std::count(json_.begin(), json_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    throw io_error(text(name_, ":", line, ": ", reason));
  }
  [[noreturn]] void fail(std::string const& reason) const { fail_at(next_, reason); }

  bool begins_with(char letter) const { return next_ < json_.size() && json_[next_] == letter; }
  bool skip(char letter) {
    bool const found = begins_with(letter);
    next_ += found;
    return found;
  }
  void skip_space() { next_ = std::min(json_.find_first_not_of(" \t\r\n", next_), json_.size()); }
  std::size_t skip_digits() {
    auto const end = std::min(json_.find_first_not_of("0123456789", next_), json_.size());
    auto const count = end - next_;
    next_ = end;
    return count;
  }

  void skip_object(int depth) {
    skip('{');
    skip_space();
    if (skip('}')) return;
    do {
      skip_space();
      if (!begins_with('"')) fail("a key of a JSON object must be a string");
      auto const key_at = next_;
      auto const key = skip_string();
      skip_space();
      if (!skip(':')) fail("a colon must follow the key of a JSON object");
      skip_space();
      auto const begin = next_;
      skip_value(depth + 1);
      if (depth == 0 && std::find(keys_.begin(), keys_.end(), key) != keys_.end() &&
          !values_.emplace(key, std::pair(begin, next_)).second) {
        fail_at(key_at, text(key, " is there twice"));
      }
      skip_space();
    } while (skip(','));
    if (!skip('}')) fail("a comma or } must follow a value of a JSON object");
  }

  void skip_array(int depth) {
    skip('[');
    skip_space();
    if (skip(']')) return;
    do {
      skip_space();
      skip_value(depth + 1);
      skip_space();
    } while (skip(','));
    if (!skip(']')) fail("a comma or ] must follow a value of a JSON array");
  }

  void skip_value(int depth) {
    constexpr int deepest = 200;  // each level takes room on the stack
    if (depth > deepest) fail(text("JSON nested in more than ", deepest, " levels"));
    if (begins_with('{')) return skip_object(depth);
    if (begins_with('[')) return skip_array(depth);
    if (begins_with('"')) return static_cast<void>(skip_string());
    for (std::string_view const word : {"true", "false", "null", "NaN", "Infinity", "-Infinity"}) {
      if (json_.substr(next_, word.size()) == word) {
        next_ += word.size();
        return;
      }
    }
    skip_number();
  }

  void skip_number() {
    skip('-');
    bool const begins_with_zero = begins_with('0');
    auto const num_digits = skip_digits();
    bool valid = num_digits > 0 && (!begins_with_zero || num_digits == 1);
    if (skip('.')) valid = skip_digits() > 0 && valid;
    if (skip('e') || skip('E')) {
      if (!skip('+')) skip('-');
      valid = skip_digits() > 0 && valid;
    }
    if (!valid) fail("a JSON value must be here");
  }

  /// Goes past a string and returns it, with ? for letters written by their number beyond those of ASCII.
  std::string skip_string() {
    std::string plain;
    skip('"');
    while (!skip('"')) {
      if (next_ == json_.size()) fail("a JSON string does not end");
      auto const letter = json_[next_];
      if (static_cast<unsigned char>(letter) < 0x20) fail("a control character in a JSON string");
      ++next_;
      if (letter != '\\') {
        plain += letter;
        continue;
      }
      constexpr std::string_view escapes = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
      auto const escape = next_ < json_.size() ? json_[next_++] : '\0';
      if (auto const found = escapes.find(escape); found != escapes.npos) {
        plain += meanings[found];
        continue;
      }
      unsigned code = 0;
      auto const digits = json_.substr(next_, 4);
      auto const end = digits.data() + digits.size();
      if (escape != 'u' || digits.size() < 4 || std::from_chars(digits.data(), end, code, 16).ptr != end) {
        fail("an escape that JSON does not have");
      }
      next_ += 4;
      plain += code < 0x80 ? static_cast<char>(code) : '?';
    }
    return plain;
  }

  std::string name_;
  std::string_view json_;
  std::span<std::string_view const> keys_;
  std::size_t next_ = 0;
  std::map<std::string, std::pair<std::size_t, std::size_t>, std::less<>> values_;  // begin and end in the text
};

}  // namespace edgewise::inline v0::detail
