// Pickles put together as Python 2 writes them, in protocol 0 or 2, or as Python 3 does, in protocol 4; without the
// memo, which they write and need not.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "temporary_folder.hpp"

namespace edgewise::testing {

/// Each function returns the bytes that put one value on the stack; `whole` makes a file of one.
struct pickle_writer {
  int protocol = 2;

  std::string whole(std::string const& value) const {
    if (protocol == 4) {
      auto const size = static_cast<std::int64_t>(value.size()) + 1;
      return "\x80\x04\x95" + bytes_of({size}) + value + ".";
    }
    return (protocol == 2 ? "\x80\x02" : "") + value + ".";
  }

  std::string integer(std::int32_t number) const {
    return protocol >= 2 ? "J" + bytes_of({number}) : "I" + std::to_string(number) + "\n";
  }
  std::string boolean(bool value) const {
    if (protocol >= 2) return value ? "\x88" : "\x89";
    return value ? "I01\n" : "I00\n";
  }
  std::string string(std::string_view plain) const {
    if (protocol >= 2) {
      return (protocol == 4 ? "B" : "T") + bytes_of({static_cast<std::int32_t>(plain.size())}) + std::string(plain);
    }
    std::string printed = "S'";
    for (char const letter : plain) {
      char escaped[8];
      std::snprintf(escaped, sizeof(escaped), "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(letter)));
      printed += letter > ' ' && letter < 0x7f && letter != '\\' && letter != '\'' ? std::string(1, letter) : escaped;
    }
    return printed + "'\n";
  }
  std::string global(std::string const& module, std::string const& name) const {
    if (protocol < 4) return "c" + module + "\n" + name + "\n";
    auto const text = [](std::string const& plain) {
      return "\x8c" + std::string(1, static_cast<char>(plain.size())) + plain;
    };
    auto const today = module == "numpy.core.multiarray" ? "numpy._core.multiarray"
                       : module == "scipy.sparse.csr"    ? "scipy.sparse._csr"
                       : module == "__builtin__"         ? "builtins"
                                                         : module;
    return text(today) + text(name) + "\x93";
  }
  std::string tuple(std::initializer_list<std::string> items) const {
    std::string bytes;
    for (auto const& item : items) bytes += item;
    if (protocol == 0 || items.size() == 0 || items.size() > 3) return "(" + bytes + "t";
    return bytes + static_cast<char>(0x84 + items.size());
  }
  std::string list(std::vector<std::int32_t> const& numbers) const {
    std::string bytes = protocol >= 2 ? "](" : "(l";
    for (auto const number : numbers) bytes += integer(number) + (protocol >= 2 ? "" : "a");
    return bytes + (protocol >= 2 ? "e" : "");
  }
  /// The items, after the dictionary that gets them.
  std::string items(std::vector<std::pair<std::string, std::string>> const& pairs) const {
    std::string bytes = protocol >= 2 ? "(" : "";
    for (auto const& [key, value] : pairs) bytes += key + value + (protocol >= 2 ? "" : "s");
    return bytes + (protocol >= 2 ? "u" : "");
  }
  std::string dictionary() const { return protocol >= 2 ? "}" : "(d"; }
  std::string lists() const {
    return global("collections", "defaultdict") + tuple({global("__builtin__", "list")}) + "R";
  }

  std::string type(char const* name, char const* order = "<") const {
    return global("numpy", "dtype") + tuple({string(name), integer(0), integer(1)}) + "R" +
           tuple({integer(3), string(order), "N", "N", "N", integer(-1), integer(-1), integer(0)}) + "b";
  }
  /// `shape` and `dtype` as written by `tuple` and `type`.
  std::string array(std::string const& dtype, std::string const& shape, std::string_view elements,
                    bool fortran = false) const {
    return global("numpy.core.multiarray", "_reconstruct") +
           tuple({global("numpy", "ndarray"), tuple({integer(0)}), string("b")}) + "R" +
           tuple({integer(1), shape, dtype, boolean(fortran), string(elements)}) + "b";
  }
  std::string matrix(std::int32_t rows, std::int32_t columns, std::initializer_list<std::int32_t> offsets,
                     std::initializer_list<std::int32_t> indices, std::initializer_list<float> values) const {
    auto const vector = [&](char const* name, auto const& elements) {
      return array(type(name), tuple({integer(static_cast<std::int32_t>(elements.size()))}), bytes_of(elements));
    };
    auto const made =
        protocol >= 2
            ? global("scipy.sparse.csr", "csr_matrix") + ")\x81"
            : global("copy_reg", "_reconstructor") +
                  tuple({global("scipy.sparse.csr", "csr_matrix"), global("__builtin__", "object"), "N"}) + "R";
    return made + dictionary() +
           items({{string("format"), string("csr")},
                  {string("_shape"), tuple({integer(rows), integer(columns)})},
                  {string("indptr"), vector("i4", offsets)},
                  {string("indices"), vector("i4", indices)},
                  {string("data"), vector("f4", values)}}) +
           "b";
  }
};

}  // namespace edgewise::testing
