// The size of the last cache of a core, asked of the system.
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

/// Bytes of the last cache that a folder of Linux tells of (/sys/devices/system/cpu/cpu0/cache), 16 MiB where it tells
/// of none. Asked there, since `sysconf` counts the caches of all cores together on some processors.
inline std::int64_t read_last_cache_bytes(std::string const& folder) {
  std::int64_t result = std::int64_t{16} << 20;
  std::int64_t last_level = 1;
  for (int index = 0; index < 8; ++index) {
    std::string const place = folder + "/index" + std::to_string(index) + "/";
    char unit = 0, none = 0;
    std::int64_t const kibibytes = read_number(place + "size", unit);
    std::int64_t const level = read_number(place + "level", none);
    if (kibibytes > 0 && unit == 'K' && level > last_level) {
      last_level = level;
      result = kibibytes << 10;
    }
  }
  return result;
}

/// Of the machine that the program runs on.
inline std::int64_t last_cache_bytes() {
  static std::int64_t const bytes = read_last_cache_bytes("/sys/devices/system/cpu/cpu0/cache");
  return bytes;
}

}  // namespace edgewise::inline v0::detail
