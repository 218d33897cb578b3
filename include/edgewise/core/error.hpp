// The exceptions that host functions throw: `error` is the root, its children say whose contract was broken.
#pragma once

#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace edgewise::inline v0 {

/// Root of every exception of the library. An error keeps its type where there is no memory for its message, which then
/// says so.
class error : public std::runtime_error {
public:
  explicit error(std::string const& what) : std::runtime_error(kept(what.c_str())) {}
  explicit error(char const* what) : std::runtime_error(kept(what)) {}

  char const* what() const noexcept override {
    char const* const message = std::runtime_error::what();
    return *message != '\0' ? message : "there was no memory for the message of this error";
  }

private:
  static std::runtime_error kept(char const* message) {
    try {
      return std::runtime_error(message);
    } catch (std::bad_alloc const&) {
      return std::runtime_error("");
    }
  }
};

/// The caller broke a contract: the message names the operand, both shapes or the first bad index.
class invalid_argument : public error {
public:
  using error::error;
};

/// A file is missing or does not hold what its format promises: the message names the file and the place.
class io_error : public error {
public:
  using error::error;
};

/// A CUDA call failed; `code()` is the cudaError_t.
class cuda_error : public error {
public:
  cuda_error(int code, std::string const& what) : error(what), code_(code) {}
  int code() const noexcept { return code_; }

private:
  int code_;
};

namespace detail {

/// Writes a part of a text: as `operator<<` does, or what it returns where it is a function.
template <class T>
void write_part(std::ostream& stream, T const& part) {
  if constexpr (std::is_invocable_v<T const&>) {
    stream << part();
  } else {
    stream << part;
  }
}

/// Concatenates its arguments as `operator<<` prints them, whole: throws `std::bad_alloc` where there is no memory for
/// it. Functions among them are called for what they return.
template <class... T>
std::string joined(T const&... parts) {
  std::ostringstream stream;
  stream.exceptions(std::ios_base::badbit);  // else a text would end where memory did
  (write_part(stream, parts), ...);
  return stream.str();
}

/// The text of an error's message, which is empty where there is no memory for it (`error`).
template <class... T>
std::string text(T const&... parts) {
  try {
    return joined(parts...);
  } catch (std::bad_alloc const&) {
    return {};
  }
}

}  // namespace detail
}  // namespace edgewise::inline v0
