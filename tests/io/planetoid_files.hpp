// A small network as Planetoid would have it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "pickle_bytes.hpp"
#include "temporary_folder.hpp"

namespace edgewise::testing {

/// A file of labels of two classes, row by row.
inline std::string planetoid_labels(pickle_writer w, std::initializer_list<std::int32_t> labels) {
  auto const rows = static_cast<std::int32_t>(labels.size()) / 2;
  return w.whole(w.array(w.type("i4"), w.tuple({w.integer(rows), w.integer(2)}), bytes_of(labels)));
}

/// 6 vertices, 3 features, 2 classes: vertices 0 to 2 are in allx, where 0 and 1 train and 2 has no class; 5 and 3 are
/// tested, in this order; 4 is isolated and in no file but the graph.
inline void write_planetoid(temporary_folder const& folder, pickle_writer w, std::string const& name = "tiny") {
  auto const write = [&](char const* file, std::string const& bytes) {
    folder.write("ind." + name + "." + file, bytes);
  };
  write("x", w.whole(w.matrix(2, 3, {0, 1, 2}, {0, 1}, {1, 2})));
  write("allx", w.whole(w.matrix(3, 3, {0, 1, 2, 3}, {0, 1, 2}, {1, 2, 3})));
  write("tx", w.whole(w.matrix(2, 3, {0, 1, 3}, {0, 1, 2}, {4, 5, 5})));
  write("y", planetoid_labels(w, {1, 0, 0, 1}));
  write("ally", planetoid_labels(w, {1, 0, 0, 1, 0, 0}));
  write("ty", planetoid_labels(w, {0, 1, 1, 0}));
  write("graph", w.whole(w.lists() + w.items({{w.integer(0), w.list({1, 1, 3})},
                                              {w.integer(1), w.list({0})},
                                              {w.integer(2), w.list({2})},
                                              {w.integer(3), w.list({0})},
                                              {w.integer(4), w.list({})},
                                              {w.integer(5), w.list({2})}})));
  write("test.index", "5\n3\n");
}

}  // namespace edgewise::testing
