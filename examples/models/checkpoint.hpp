// Named arrays in a file, from which training goes on or inference starts.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/io/input_file.hpp>
#include <edgewise/io/output_file.hpp>

namespace edgewise::models {

static_assert(std::endian::native == std::endian::little,
              "checkpoint: files hold the bytes of a little-endian machine");

/// Arrays by name. A file of it holds, all numbers little-endian: 8 bytes of magic, the version (u32), the number of
/// arrays (u32), the size of the file in bytes (u64); for each array, in the order of names, the length of its name
/// (u32), its element type (u32, `element`), the number of elements (u64), the name and the elements; and at its end
/// FNV-1a of 64 bits over all bytes before (u64).
class checkpoint {
public:
  enum class element : std::uint32_t { text, int64, uint64, float32, float64 };

  /// Adds an array, or takes it in place of one of this name. T: char, int64_t, uint64_t, float or double.
  template <class T>
  void set(std::string const& name, std::span<T const> elements) {
    stored& array = arrays_[name];
    array.type = element_of<T>();
    array.bytes.assign(reinterpret_cast<char const*>(elements.data()), elements.size_bytes());
  }
  template <class T>
  void set(std::string const& name, std::vector<T> const& elements) {
    set(name, std::span<T const>(elements));
  }
  void set(std::string const& name, std::string const& text) { set(name, std::span<char const>(text)); }

  /// The array of this name. Throws `io_error` naming the file and the array where there is none or one of another
  /// element type.
  template <class T>
  std::vector<T> get(std::string const& name) const {
    auto const found = arrays_.find(name);
    if (found == arrays_.end()) fail(edgewise::detail::text("has no array '", name, "'"));
    stored const& array = found->second;
    if (array.type != element_of<T>()) {
      fail(edgewise::detail::text("array '", name, "' has elements of ", name_of(array.type), ", must have ",
                                  name_of(element_of<T>())));
    }
    std::vector<T> elements(array.bytes.size() / sizeof(T));
    if (!elements.empty()) std::memcpy(elements.data(), array.bytes.data(), array.bytes.size());
    return elements;
  }
  /// The same, of `count` elements: throws `io_error` where there are more or fewer.
  template <class T>
  std::vector<T> get(std::string const& name, std::size_t count) const {
    std::vector<T> elements = get<T>(name);
    if (elements.size() != count) {
      fail(edgewise::detail::text("array '", name, "' has ", elements.size(), " elements, must have ", count));
    }
    return elements;
  }
  std::string get_text(std::string const& name) const {
    auto const letters = get<char>(name);
    return {letters.begin(), letters.end()};
  }

  /// Throws an `io_error` that names the file.
  [[noreturn]] void fail(std::string const& reason) const {
    throw io_error(edgewise::detail::text(path_.string(), ": ", reason));
  }

  /// Writes all arrays, to `path` with ".part" behind it, which takes the place of `path` once all is written. Throws
  /// `io_error` naming the file.
  void save(std::filesystem::path const& path) const {
    header begin;
    begin.num_arrays = static_cast<std::uint32_t>(arrays_.size());
    begin.num_bytes = sizeof(header) + sizeof(std::uint64_t);
    for (auto const& [name, array] : arrays_)
      begin.num_bytes += sizeof(array_header) + name.size() + array.bytes.size();

    edgewise::detail::new_file file(path);
    edgewise::detail::byte_checksum sum;
    auto const write = [&](void const* data, std::size_t size) {
      sum.add(data, size);
      file.write(data, size);
    };
    write(&begin, sizeof(begin));
    for (auto const& [name, array] : arrays_) {
      array_header const about{static_cast<std::uint32_t>(name.size()), array.type,
                               array.bytes.size() / size_of(array.type)};
      write(&about, sizeof(about));
      write(name.data(), name.size());
      write(array.bytes.data(), array.bytes.size());
    }
    std::uint64_t const value = sum.value();
    file.write(&value, sizeof(value));
    file.keep();
  }

  /// What `save` wrote. Throws `io_error` naming the file for one that cannot be read, is no checkpoint, is of another
  /// version, is cut off, or has a byte that was not written so.
  static checkpoint load(std::filesystem::path const& path) {
    edgewise::detail::input_file file(path);
    std::string const bytes = file.read_rest();
    header begin;
    if (bytes.size() < sizeof(begin)) file.fail("is no checkpoint, or cut off");
    std::memcpy(&begin, bytes.data(), sizeof(begin));
    if (begin.magic != expected_magic) file.fail("is no checkpoint");
    if (begin.version != expected_version) {
      file.fail(edgewise::detail::text("is a checkpoint of version ", begin.version, ", must be ", expected_version));
    }
    if (begin.num_bytes != bytes.size()) {
      file.fail(edgewise::detail::text("has ", bytes.size(), " bytes, must have ", begin.num_bytes,
                                       " as its header says: it is cut off or damaged"));
    }
    std::size_t const end = bytes.size() - sizeof(std::uint64_t);
    edgewise::detail::byte_checksum sum;
    sum.add(bytes.data(), end);
    std::uint64_t expected = 0;
    if (end >= sizeof(begin)) std::memcpy(&expected, bytes.data() + end, sizeof(expected));
    if (end < sizeof(begin) || sum.value() != expected) file.fail("is damaged: its checksum is not that of its bytes");

    // From here on only a file that was made to deceive is wrong; it must not be believed either.
    checkpoint result;
    result.path_ = path;
    std::size_t at = sizeof(begin);
    auto const take = [&](std::uint64_t size) {
      if (size > end - at) file.fail("has arrays that are longer than the file");
      char const* const from = bytes.data() + at;
      at += static_cast<std::size_t>(size);
      return from;
    };
    for (std::uint32_t k = 0; k < begin.num_arrays; ++k) {
      array_header about;
      std::memcpy(&about, take(sizeof(about)), sizeof(about));
      if (about.type > element::float64) file.fail("has an array of an unknown element type");
      if (about.num_elements > bytes.size()) file.fail("has arrays that are longer than the file");
      std::string const name(take(about.name_size), about.name_size);
      auto const size = static_cast<std::size_t>(about.num_elements) * size_of(about.type);
      result.arrays_[name] = {about.type, std::string(take(size), size)};
    }
    if (at != end) file.fail("has bytes behind its arrays");
    return result;
  }

private:
  static constexpr std::array<char, 8> expected_magic{'e', 'd', 'g', 'e', 'm', 'd', 'l', '\n'};
  static constexpr std::uint32_t expected_version = 1;
  struct header {
    std::array<char, 8> magic = expected_magic;
    std::uint32_t version = expected_version;
    std::uint32_t num_arrays = 0;
    std::uint64_t num_bytes = 0;
  };
  struct array_header {
    std::uint32_t name_size;
    element type;
    std::uint64_t num_elements;
  };
  static_assert(sizeof(header) == 24 && sizeof(array_header) == 16);
  struct stored {
    element type;
    std::string bytes;
  };

  template <class T>
  static constexpr element element_of() {
    if constexpr (std::is_same_v<T, char>) {
      return element::text;
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
      return element::int64;
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      return element::uint64;
    } else if constexpr (std::is_same_v<T, float>) {
      return element::float32;
    } else {
      static_assert(std::is_same_v<T, double>, "checkpoint: elements are char, int64_t, uint64_t, float or double");
      return element::float64;
    }
  }
  static constexpr std::size_t size_of(element type) {
    return type == element::text ? 1 : type == element::float32 ? 4 : 8;
  }
  static constexpr char const* name_of(element type) {
    constexpr std::array names{"text", "int64", "uint64", "float32", "float64"};
    return names[static_cast<std::size_t>(type)];
  }

  std::filesystem::path path_;  // of the file that it came from
  std::map<std::string, stored> arrays_;
};

}  // namespace edgewise::models
