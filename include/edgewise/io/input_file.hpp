// A file opened for reading, whose every failure is an `io_error` that names the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <edgewise/core/error.hpp>

namespace edgewise::inline v0::detail {

/// Whether anything has this name. What cannot be looked at counts as there: opening it says what is wrong.
inline bool is_there(std::filesystem::path const& path) {
  std::error_code unknown;
  return std::filesystem::symlink_status(path, unknown).type() != std::filesystem::file_type::not_found;
}

/// What a file has, for a message: no more than a line of it, and nothing that moves a terminal's cursor.
inline std::string shown(std::string_view part) {
  constexpr std::size_t longest = 60;
  std::string plain(part.substr(0, longest));
  for (char& letter : plain) {
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f) letter = '?';
  }
  return part.size() > longest ? plain + "..." : plain;
}

/// Reads bytes. A folder can be opened like a file, and streams report that, as other errors, by exceptions of their
/// own or by sizes that make no sense: nothing of a stream is used here but `read` and its state.
class input_file {
public:
  explicit input_file(std::filesystem::path path) : path_(std::move(path)) {
    std::error_code unknown;
    if (std::filesystem::is_directory(path_, unknown)) fail("is a folder, must be a file");
    file_.open(path_, std::ios::binary);
    if (!file_) fail("cannot be opened");
  }

  std::filesystem::path const& path() const { return path_; }

  [[noreturn]] void fail(std::string const& reason) const { throw io_error(text(path_.string(), ": ", reason)); }

  /// Reads `size` bytes, or those that are left; returns how many there were.
  std::size_t read(char* to, std::size_t size) {
    if (size == 0 || file_.eof()) return 0;
    file_.read(to, static_cast<std::streamsize>(size));
    if (file_.bad()) fail(text("cannot be read after byte ", num_read_));
    auto const count = static_cast<std::size_t>(file_.gcount());
    num_read_ += count;
    return count;
  }

  /// All bytes that are left. Takes memory as they come, so that no size needs to be believed; a device may never end.
  std::string read_rest() {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path_, unknown)) fail("must be a regular file");
    std::string bytes;
    for (std::size_t step = 1 << 16;; step = bytes.size()) {
      auto const size = bytes.size();
      bytes.resize(size + step);
      auto const count = read(bytes.data() + size, step);
      if (count == step) continue;
      bytes.resize(size + count);
      return bytes;
    }
  }

  /// How many bytes are left, without reading them: of regular files alone.
  std::uint64_t num_left() {
    std::error_code unknown;
    auto const size = std::filesystem::file_size(path_, unknown);
    if (unknown) fail("must be a regular file");
    return size < num_read_ ? 0 : size - num_read_;
  }

private:
  std::filesystem::path path_;
  std::ifstream file_;
  std::uint64_t num_read_ = 0;
};

/// What some editors begin a text file with, and what is no part of the text: the mark of UTF-8.
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

}  // namespace edgewise::inline v0::detail
