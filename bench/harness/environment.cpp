#include "environment.hpp"

#include <ctime>
#include <fstream>

namespace edgewise::bench {

namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

std::string utc_now() {
  std::time_t const now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

environment host_environment(std::string const& revision) {
  environment e;
#ifdef EDGEWISE_BENCH_REVISION
  e.revision = EDGEWISE_BENCH_REVISION;
#else
  e.revision = "unknown";
#endif
  if (!revision.empty()) e.revision = revision;
  e.date = utc_now();
  e.compiler = __VERSION__;
  e.cpu = processor_name();
  return e;
}

}  // namespace edgewise::bench
