// The sizes of a core's caches, asked of the system.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace edgewise::inline v0::detail {

/// The number that a file begins with, and the character behind it; 0 where there is none.
inline std::int64_t read_number(std::string const& path, char& behind) {
  std::FILE* const file = std::fopen(path.c_str(), "r");
  if (file == nullptr) return 0;
  long number = 0;
  int const found = std::fscanf(file, "%ld%c", &number, &behind);
  std::fclose(file);
  return found > 0 ? number : 0;
}

/// Bytes of a cache that a folder of Linux tells of (/sys/devices/system/cpu/cpu0/cache): of the last level, or of the
/// second, and `otherwise` where it tells of none. Asked there, since `sysconf` counts the caches of all cores together
/// on some processors.
inline std::int64_t read_cache_bytes(std::string const& folder, int most_level, std::int64_t otherwise) {
  std::int64_t result = otherwise;
  std::int64_t last_level = 1;
  for (int index = 0; index < 8; ++index) {
    std::string const place = folder + "/index" + std::to_string(index) + "/";
    char unit = 0, none = 0;
    std::int64_t const kibibytes = read_number(place + "size", unit);
    std::int64_t const level = read_number(place + "level", none);
    if (kibibytes > 0 && unit == 'K' && level > last_level && level <= most_level) {
      last_level = level;
      result = kibibytes << 10;
    }
  }
  return result;
}
inline std::int64_t read_last_cache_bytes(std::string const& folder) {
  return read_cache_bytes(folder, 8, std::int64_t{16} << 20);
}
/// The second level is a core's own.
inline std::int64_t read_core_cache_bytes(std::string const& folder) {
  return read_cache_bytes(folder, 2, std::int64_t{1} << 19);
}

/// Of the machine that the program runs on.
inline std::int64_t last_cache_bytes() {
  static std::int64_t const bytes = read_last_cache_bytes("/sys/devices/system/cpu/cpu0/cache");
  return bytes;
}
inline std::int64_t core_cache_bytes() {
  static std::int64_t const bytes = read_core_cache_bytes("/sys/devices/system/cpu/cpu0/cache");
  return bytes;
}

}  // namespace edgewise::inline v0::detail
