// A binary file that is written whole or not at all, and the checksum that its reader compares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <system_error>
#include <utility>

#include <edgewise/core/error.hpp>

namespace edgewise::inline v0::detail {

/// FNV-1a of 64 bits (Fowler, Noll and Vo), as bytes come.
class byte_checksum {
public:
  void add(void const* data, std::size_t size) {
    auto const* const bytes = static_cast<unsigned char const*>(data);
    for (std::size_t i = 0; i < size; ++i) sum_ = (sum_ ^ bytes[i]) * 0x100000001b3u;
  }
  std::uint64_t value() const { return sum_; }

private:
  std::uint64_t sum_ = 0xcbf29ce484222325u;
};

/// A file that takes its name once all of it is written: until then the bytes are in one with ".part" behind the name.
/// Every failure is an `io_error` that names the file.
class new_file {
public:
  explicit new_file(std::filesystem::path path) : path_(std::move(path)), part_(path_) {
    part_ += ".part";
    file_.open(part_, std::ios::binary | std::ios::trunc);
    if (!file_) fail("cannot be written");
  }
  new_file(new_file const&) = delete;
  new_file& operator=(new_file const&) = delete;
  ~new_file() {
    std::error_code ignored;
    if (!is_kept_) std::filesystem::remove(part_, ignored);
  }
  void write(void const* data, std::size_t size) {
    file_.write(static_cast<char const*>(data), static_cast<std::streamsize>(size));
    if (!file_) fail("cannot be written to its end");
  }
  void keep() {
    file_.close();
    if (!file_) fail("cannot be written to its end");
    std::error_code wrong;
    std::filesystem::rename(part_, path_, wrong);
    if (wrong) fail(wrong.message());
    is_kept_ = true;
  }

private:
  [[noreturn]] void fail(std::string const& reason) const { throw io_error(text(path_.string(), ": ", reason)); }
  std::filesystem::path path_;
  std::filesystem::path part_;
  std::ofstream file_;
  bool is_kept_ = false;
};

}  // namespace edgewise::inline v0::detail
