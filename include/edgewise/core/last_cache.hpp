// The size of the last cache of a core, asked of the system.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace edgewise::inline v0::detail {

/// Bytes of the last cache that a folder of Linux tells of (/sys/devices/system/cpu/cpu0/cache), 16 MiB where it tells
/// of none. Asked there, since `sysconf` counts the caches of all cores together on some processors.
inline std::int64_t read_last_cache_bytes(std::string const& folder) {
  std::int64_t result = std::int64_t{16} << 20;
  int last_level = 1;
  for (int index = 0; index < 8; ++index) {
    std::string const place = folder + "/index" + std::to_string(index) + "/";
    std::int64_t kibibytes = 0;
    int level = 0;
    char unit = 0;
    std::ifstream(place + "size") >> kibibytes >> unit;
    std::ifstream(place + "level") >> level;
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
