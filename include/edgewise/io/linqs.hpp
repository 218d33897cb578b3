// Citation networks as the LINQS group released them: cora.content with cora.cites, and citeseer's pair.
// (Planetoid's ind.NAME.* files of the same networks: io/planetoid.hpp.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <edgewise/io/dataset.hpp>
#include <edgewise/io/text_file.hpp>
#include <edgewise/io/weighted_edges.hpp>

namespace edgewise::inline v0 {

/// What to do about a citation of a paper that .content does not have; citeseer.cites has some.
enum class unknown_papers { refuse, skip };

/// What `read_linqs` makes of a citation, of one of a paper that it does not know, and of words that are NaN or
/// infinite.
struct linqs_options {
  edge_direction direction = edge_direction::as_listed;
  unknown_papers unknown = unknown_papers::refuse;
  non_finite_numbers non_finite = non_finite_numbers::refuse;  ///< of words
};

namespace detail {

/// Papers in the order of the file, and what is known about them.
struct linqs_content {
  std::unordered_map<std::string, std::int64_t> paper_of_name;
  std::vector<std::string> class_of_paper;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> columns;
  std::vector<float> values;
  std::size_t num_fields = 0;
};

inline linqs_content read_linqs_content(std::filesystem::path const& path, linqs_options options) {
  text_file file(path);
  linqs_content content;
  while (file.next_line_with_fields("")) {
    auto const& fields = file.fields();
    if (fields.size() < 2) file.fail("must have a paper, its words and its class");
    if (content.num_fields == 0) content.num_fields = fields.size();
    if (fields.size() != content.num_fields) {
      file.fail(text("has ", fields.size(), " fields, the lines before have ", content.num_fields));
    }
    auto const paper = static_cast<std::int64_t>(content.class_of_paper.size());
    if (!content.paper_of_name.emplace(fields.front(), paper).second) {
      file.fail(text("paper ", shown(fields.front()), " is there twice"));
    }
    for (std::size_t field = 1; field + 1 < fields.size(); ++field) {
      auto const value = file.real<float>(field, "a word", options.non_finite);
      if (value == 0) continue;
      content.columns.push_back(static_cast<std::int32_t>(field - 1));
      content.values.push_back(value);
    }
    content.offsets.push_back(static_cast<std::int64_t>(content.columns.size()));
    content.class_of_paper.emplace_back(fields.back());
  }
  return content;
}

inline coo<> read_linqs_cites(std::filesystem::path const& path, linqs_content const& content, linqs_options options) {
  text_file file(path);
  edge_collector<std::int32_t, double> edges;
  while (file.next_line_with_fields("")) {
    if (file.fields().size() != 2) file.fail(text("has ", file.fields().size(), " fields, must have 2"));
    std::int64_t papers[2] = {};
    bool known = true;
    for (std::size_t field = 0; field < 2; ++field) {
      auto const found = content.paper_of_name.find(std::string(file.fields()[field]));
      if (found != content.paper_of_name.end()) {
        papers[field] = found->second;
      } else if (options.unknown == unknown_papers::refuse) {
        file.fail(text("paper ", shown(file.fields()[field]), " is not in the .content file"));
      } else {
        known = false;
      }
    }
    if (!known) continue;
    auto const [cited, citing] = papers;
    edges.add(citing, cited);
    if (options.direction == edge_direction::both && citing != cited) edges.add(cited, citing);
  }
  auto const num_papers = static_cast<std::int64_t>(content.class_of_paper.size());
  return std::move(edges.take<std::int32_t>(vertices(num_papers)).edges);
}

}  // namespace detail

/// A citation network: lines of `content` are a paper, its words (0 or 1 each) and its class, lines of `cites` a cited
/// and a citing paper. Vertices are papers in the order of `content`; an edge goes from the citing to the cited paper,
/// in the order of `cites`, repetitions kept. Features are sparse; classes are numbered by name; there is no split. A
/// word that is NaN, infinite or too large for a float is refused unless the options accept it.
/// Throws `io_error` naming file and line, and returns nothing then. Source: Sen et al. 2008,
/// doi:10.1609/aimag.v29i3.2157.
inline dataset read_linqs(std::filesystem::path const& content_path, std::filesystem::path const& cites_path,
                          linqs_options options = {}) {
  auto const content = detail::read_linqs_content(content_path, options);
  dataset data;
  data.edges = detail::read_linqs_cites(cites_path, content, options);

  std::map<std::string, std::int32_t> number_of_class;
  for (auto const& name : content.class_of_paper) number_of_class.emplace(name, 0);
  for (auto& [name, number] : number_of_class) {
    number = data.num_classes++;
    data.class_names.push_back(name);
  }
  data.labels = host_buffer<std::int32_t>(content.class_of_paper.size(), host_memory());
  for (std::size_t paper = 0; paper < data.labels.size(); ++paper) {
    data.labels[paper] = number_of_class.at(content.class_of_paper[paper]);
  }
  data.features =
      sparse_features{.num_rows = static_cast<std::int64_t>(content.class_of_paper.size()),
                      .num_columns = content.num_fields == 0 ? 0 : static_cast<std::int64_t>(content.num_fields) - 2,
                      .offsets = copy_of(std::span(content.offsets)),
                      .columns = copy_of(std::span(content.columns)),
                      .values = copy_of(std::span(content.values))};
  return data;
}

}  // namespace edgewise::inline v0
