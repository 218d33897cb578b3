// A folder that is there for one test.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace edgewise::testing {

/// Created empty under the system's folder for temporary files; removed with all that is in it.
class temporary_folder {
public:
  temporary_folder()
      : path_(std::filesystem::temp_directory_path() / ("edgewise_test_" + std::to_string(std::random_device{}()))) {
    std::filesystem::create_directory(path_);
  }
  temporary_folder(temporary_folder const&) = delete;
  temporary_folder& operator=(temporary_folder const&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::filesystem::path const& path() const { return path_; }
  std::string file(std::string_view name) const { return (path_ / name).string(); }

  /// Writes a file and returns its path.
  std::string write(std::string_view name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
    return file(name);
  }

private:
  std::filesystem::path path_;
};

/// The bytes of an npy file, put together by hand: `header` is the Python dictionary.
inline std::string npy_bytes(std::string const& header, std::string_view elements, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  auto const size = static_cast<std::uint32_t>(header.size());
  for (int byte = 0; byte < (version == 1 ? 2 : 4); ++byte) bytes += static_cast<char>(size >> (8 * byte) & 0xff);
  return bytes + header + std::string(elements);
}

/// The bytes of values in memory, which are those of the file.
template <class T>
std::string bytes_of(std::initializer_list<T> values) {
  return {reinterpret_cast<char const*>(std::data(values)), values.size() * sizeof(T)};
}

/// An npy file of format 1.0 as NumPy writes it.
template <class T>
std::string npy_file(char const* type, std::string const& shape, std::initializer_list<T> values) {
  return npy_bytes(std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (" + shape + "), }\n",
                   bytes_of(values));
}

}  // namespace edgewise::testing
