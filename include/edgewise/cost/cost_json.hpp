// Costs and what explains a plan as JSON (RFC 8259).
#pragma once

#include <cstddef>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

#include <edgewise/cost/cost.hpp>
#include <edgewise/cost/cost_text.hpp>

namespace edgewise::inline v0::detail {

/// A string in quotes; control characters, which no text of the library has but the end of a line, as spaces.
inline std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + '"';
}

/// Lines, without their ends, as a list of strings.
inline std::string json_lines(std::string const& text) {
  std::istringstream lines(text);
  std::string result = "[", separator;
  for (std::string line; std::getline(lines, line); separator = ", ") result += separator + json_string(line);
  return result + "]";
}

/// The launches of a pass as a list of objects.
inline std::string json_of(plan_cost const& cost) {
  std::ostringstream s;
  s.imbue(std::locale::classic());
  s << '[';
  char const* between = "";
  for (traversal_cost const& t : cost.traversals) {
    s << between << "{\"name\": " << json_string(t.name);
    auto const count = [&](char const* name, auto value) {
      s << ", \"" << name << "\": ";
      if constexpr (std::is_integral_v<decltype(value)>) {
        s << value;
      } else {
        s << whole_number(value);
      }
    };
    count("rows", t.rows);
    count("neighbors", t.neighbors);
    count("edges", t.edges);
    count("index_bytes", t.index_bytes);
    count("parameter_bytes", t.parameter_bytes);
    count("row_bytes", t.row_bytes);
    count("edge_bytes", t.edge_bytes);
    count("gathered_bytes", t.gathered_bytes);
    count("row_flops", t.row_flops);
    count("edge_flops", t.edge_flops);
    count("all_bytes", t.gather_bytes());
    count("compulsory_bytes", t.compulsory_bytes());
    count("all_flops", t.flops());
    s << '}';
    between = ", ";
  }
  s << ']';
  return s.str();
}

/// lines: of `explain()`. Cost: what a plan's passes take at least.
template <class Cost>
std::string explain_json(std::string const& lines, std::string const& policy, std::size_t workspace_bytes,
                         Cost const& cost) {
  using output = typename Cost::default_output;
  return joined("{\"explain\": ", json_lines(lines), policy.empty() ? "" : ", \"policy\": " + json_string(policy),
                ", \"workspace_bytes\": ", std::to_string(workspace_bytes),
                ", \"forward\": ", json_of(cost.template forward<output>(true)),
                ", \"backward\": ", json_of(cost.template backward<output>(typename Cost::every_gradient{})), "}");
}

}  // namespace edgewise::inline v0::detail
