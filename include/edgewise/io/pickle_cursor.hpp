// The bytes of a Python pickle, opcode by opcode.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <edgewise/core/error.hpp>
#include <edgewise/io/input_file.hpp>

namespace edgewise::inline v0::detail {

/// Appends a letter by its number, in UTF-8.
inline void append_utf8(std::string& text, std::uint32_t code) {
  auto const append = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    append(code);
  } else if (code < 0x800) {
    append(0xc0 | code >> 6), append(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    append(0xe0 | code >> 12), append(0x80 | (code >> 6 & 0x3f)), append(0x80 | (code & 0x3f));
  } else {
    append(0xf0 | code >> 18), append(0x80 | (code >> 12 & 0x3f)), append(0x80 | (code >> 6 & 0x3f)),
        append(0x80 | (code & 0x3f));
  }
}

/// Reads a pickle's file whole, then goes through it: an opcode, and what follows it. Every failure names the file, the
/// byte and the opcode at work.
class pickle_cursor {
public:
  explicit pickle_cursor(std::filesystem::path path) : path_(std::move(path)), file_(input_file(path_).read_rest()) {}

  std::size_t size() const { return size_; }
  /// Byte of the opcode at work.
  std::size_t at() const { return at_; }
  /// The file's bytes are not needed any more.
  void forget_bytes() { std::string().swap(file_); }

  unsigned next_opcode() {
    at_ = next_;
    if (next_ == file_.size()) fail_at(at_, "cut off: the pickle has not ended");
    opcode_ = static_cast<unsigned char>(file_[next_++]);
    return opcode_;
  }
  void require_end() const {
    if (next_ != file_.size()) fail_at(next_, "the file goes on after the pickle");
  }

  [[noreturn]] void fail_at(std::size_t at, std::string const& reason) const {
    throw io_error(text(path_.string(), ": byte ", at, ": ", reason));
  }
  [[noreturn]] void fail(std::string const& reason) const {
    constexpr char digits[] = "0123456789abcdef";
    std::string name = {'0', 'x', digits[opcode_ >> 4], digits[opcode_ & 15]};
    if (opcode_ > 0x20 && opcode_ < 0x7f) name += text(" ('", static_cast<char>(opcode_), "')");
    fail_at(at_, text("opcode ", name, ": ", reason));
  }

  void require_bytes(std::uint64_t count) const {
    if (count > file_.size() - next_) {
      fail(text("cut off: ", count, " bytes must follow, the file has ", file_.size() - next_, " more"));
    }
  }
  std::string_view bytes(std::uint64_t count) {
    require_bytes(count);
    std::string_view const found(file_.data() + next_, count);
    next_ += count;
    return found;
  }
  /// The next `count` bytes as a number, the lowest first.
  std::uint64_t bytes_as_number(std::uint64_t count) {
    std::uint64_t number = 0;
    auto const found = bytes(count);
    for (std::size_t k = 0; k < count; ++k) number |= std::uint64_t{static_cast<unsigned char>(found[k])} << (8 * k);
    return number;
  }
  std::string_view line() {
    auto const end = file_.find('\n', next_);
    if (end == file_.npos) fail("cut off: a line must follow");
    auto const found = bytes(end - next_);
    ++next_;
    return found;
  }
  std::int64_t line_as_number(std::string_view digits) const {
    std::int64_t number = 0;
    auto const [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (status != std::errc() || end != digits.data() + digits.size()) {
      fail(text("\"", shown(digits), "\" must be a 64-bit integer"));
    }
    return number;
  }
  /// Bytes whose number stands before them, in `count_bytes` bytes.
  std::string_view counted_bytes(std::uint64_t count_bytes) { return bytes(bytes_as_number(count_bytes)); }
  /// A string as Python 2 prints it, in quotes of either kind.
  std::string unquoted(std::string_view printed) const {
    if (printed.size() < 2 || (printed.front() != '\'' && printed.front() != '"') ||
        printed.back() != printed.front()) {
      fail("the string must stand in quotes");
    }
    printed = printed.substr(1, printed.size() - 2);
    std::string plain;
    while (!printed.empty()) {
      if (printed.front() != '\\') {
        plain += printed.front();
        printed.remove_prefix(1);
        continue;
      }
      constexpr std::string_view escapes = "\\'\"nrt", meanings = "\\'\"\n\r\t";
      auto const escape = printed.size() < 2 ? escapes.npos : escapes.find(printed[1]);
      std::uint8_t code = 0;
      if (escape != escapes.npos) {
        plain += meanings[escape];
        printed.remove_prefix(2);
      } else if (printed.size() >= 4 && printed[1] == 'x' &&
                 std::from_chars(printed.data() + 2, printed.data() + 4, code, 16).ptr == printed.data() + 4) {
        plain += static_cast<char>(code);
        printed.remove_prefix(4);
      } else {
        fail("the string has an escape that Python 2 does not print");
      }
    }
    return plain;
  }
  /// Text as Python writes it on a line of protocol 0: letters of Latin-1, others by number. In UTF-8.
  std::string raw_unicode(std::string_view written) const {
    std::string plain;
    while (!written.empty()) {
      auto const size = written.starts_with("\\u") ? 6u : written.starts_with("\\U") ? 10u : 1u;
      std::uint32_t code = static_cast<unsigned char>(written.front());
      if (size > 1) {
        auto const* const last = written.data() + size;
        if (written.size() < size || std::from_chars(written.data() + 2, last, code, 16).ptr != last ||
            code > 0x10ffff) {
          fail("the text has an escape that Python does not write");
        }
      }
      append_utf8(plain, code);
      written.remove_prefix(size);
    }
    return plain;
  }

private:
  std::filesystem::path path_;
  std::string file_;
  std::size_t size_ = file_.size();
  std::size_t next_ = 0;  // byte to read next
  std::size_t at_ = 0;
  unsigned opcode_ = 0;
};

}  // namespace edgewise::inline v0::detail
