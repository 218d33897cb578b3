#include "result.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <tuple>

#include <edgewise/core/error.hpp>

namespace edgewise::bench {

namespace {

using json = nlohmann::ordered_json;

json to_json(std::vector<gather_ceiling> const& gathers) {
  json list = json::array();
  for (gather_ceiling const& g : gathers) {
    list.push_back({{"table_rows", g.table_rows}, {"row_bytes", g.row_bytes}, {"bandwidth", g.bandwidth}});
  }
  return list;
}

json to_json(std::vector<bounded_traversal> const& traversals) {
  json list = json::array();
  for (bounded_traversal const& t : traversals) {
    list.push_back({{"name", t.name},
                    {"streamed_bytes", t.streamed_bytes},
                    {"gathered_bytes", t.gathered_bytes},
                    {"table_bytes", t.table_bytes},
                    {"flops", t.flops},
                    {"gather_bandwidth", t.gather_bandwidth}});
  }
  return list;
}

json to_json(environment const& e) {
  return {{"revision", e.revision},
          {"date", e.date},
          {"compiler", e.compiler},
          {"cpu", e.cpu},
          {"cpu_threads", e.cpu_threads},
          {"gpu", e.gpu},
          {"compute_capability", e.compute_capability},
          {"multiprocessors", e.multiprocessors},
          {"gpu_memory_bytes", e.gpu_memory_bytes},
          {"l2_bytes", e.l2_bytes},
          {"driver", e.driver},
          {"driver_cuda", e.driver_cuda},
          {"cuda_runtime", e.cuda_runtime},
          {"peer", e.peer},
          {"copy_bandwidth", e.copy_bandwidth},
          {"flops", e.flops},
          {"gathers", to_json(e.gathers)}};
}

json to_json(std::vector<kernel_resources> const& kernels) {
  json list = json::array();
  for (kernel_resources const& k : kernels)
    list.push_back({{"registers", k.registers}, {"local_bytes", k.local_bytes}});
  return list;
}

json to_json(result const& r) {
  json row{{"graph", r.graph},
           {"op", r.op},
           {"heads", r.heads},
           {"channels", r.channels},
           {"dtype", r.dtype},
           {"pass", r.pass},
           {"impl", r.impl},
           {"variant", r.variant},
           {"variants_ms", r.variants_ms},
           {"ms", r.time.median_ms},
           {"spread", r.time.spread},
           {"launches", r.time.launches},
           {"replays", r.time.replays},
           {"bytes_floor", r.cost.compulsory_bytes()},
           {"bytes_gathered", r.cost.gather_bytes()},
           {"flops", r.cost.flops()},
           {"floor_ms", r.bounds.floor_ms},
           {"gather_ms", r.bounds.gather_ms},
           {"roofline_ms", r.bounds.roofline_ms},
           {"fraction_of_floor", r.fraction_of(r.bounds.floor_ms)},
           {"fraction_of_gather", r.fraction_of(r.bounds.gather_ms)},
           {"traversals", to_json(r.bounds.traversals)},
           {"kernels", to_json(r.kernels)},
           {"peak_bytes", r.peak_bytes},
           {"error", r.error}};
  if (r.row_stride > 0) row["row_stride"] = r.row_stride;
  if (!r.ranks.empty()) row["ranks"] = r.ranks;
  if (r.speedup > 0) row["speedup"] = r.speedup;
  return row;
}

using case_key = std::tuple<std::string, std::string, std::string, std::string, int, int>;

case_key key_of(result const& r) { return {r.graph, r.op, r.pass, r.dtype, r.heads, r.channels}; }

template <class T>
void push_unique(std::vector<T>& list, T const& value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

template <class... Values>
std::string formatted(char const* format, Values... values) {
  char text[160];
  std::snprintf(text, sizeof(text), format, values...);
  return text;
}

}  // namespace

void write_results(std::string const& path, environment const& where, std::vector<result> const& rows,
                   std::vector<graph_bytes> const& graphs) {
  json document{{"environment", to_json(where)}, {"graphs", json::array()}, {"results", json::array()}};
  for (graph_bytes const& g : graphs) {
    document["graphs"].push_back(
        {{"graph", g.graph}, {"vertices", g.vertices}, {"edges", g.edges}, {"bytes", g.formats}});
  }
  for (result const& r : rows) document["results"].push_back(to_json(r));
  std::ofstream file(path);
  file << document.dump(1) << '\n';
  file.close();
  if (!file) throw io_error(edgewise::detail::text(path, ": cannot be written"));
}

void print_table(std::ostream& out, std::vector<result> const& rows) {
  std::vector<case_key> cases;
  std::vector<std::string> impls;
  for (result const& r : rows) {
    push_unique(cases, key_of(r));
    push_unique(impls, r.impl);
  }
  out << formatted("%-9s %-12s %-11s %-5s %5s %5s", "graph", "op", "pass", "dtype", "heads", "channels");
  for (auto const& impl : impls)
    out << formatted(" | %-10s %-14s %6s %6s", (impl + " ms").c_str(), "variant", "floor", "gather");
  for (std::size_t i = 1; i < impls.size(); ++i) out << " | " << impls[0] << " / " << impls[i];
  out << '\n';
  for (case_key const& key : cases) {
    auto const& [graph, op, pass, dtype, heads, channels] = key;
    out << formatted("%-9s %-12s %-11s %-5s %5d %5d", graph.c_str(), op.c_str(), pass.c_str(), dtype.c_str(), heads,
                     channels);
    std::vector<double> ms(impls.size(), 0);
    for (std::size_t i = 0; i < impls.size(); ++i) {
      auto const found = std::find_if(rows.begin(), rows.end(),
                                      [&](result const& r) { return r.impl == impls[i] && key_of(r) == key; });
      if (found == rows.end()) {
        out << formatted(" | %-10s %-14s %6s %6s", "-", "-", "-", "-");
        continue;
      }
      ms[i] = found->time.median_ms;
      double const gather_ms = found->bounds.gather_ms;
      out << formatted(" | %-10.4f %-14.14s %5.0f%% %6s", ms[i], found->variant.c_str(),
                       100 * found->fraction_of(found->bounds.floor_ms),
                       gather_ms > 0 ? formatted("%.0f%%", 100 * found->fraction_of(gather_ms)).c_str() : "-");
    }
    for (std::size_t i = 1; i < impls.size(); ++i) {
      out << (ms[0] > 0 && ms[i] > 0 ? formatted(" | %.2fx", ms[0] / ms[i]) : std::string(" | -"));
    }
    out << '\n';
  }
}

}  // namespace edgewise::bench
