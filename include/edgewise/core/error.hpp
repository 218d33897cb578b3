// The exceptions that host functions throw: `error` is the root, its children say whose contract was broken.
#pragma once

#include <initializer_list>
#include <locale>
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

/// A part of a text: what `operator<<` prints, or a function (of the type `std::string()`) or function object that is
/// called for what it returns. It refers to that, and lives no longer than the expression that made it.
class text_part {
public:
  text_part(char const* text)
      : value_(text),
        write_([](std::ostream& stream, text_part const& part) { stream << static_cast<char const*>(part.value_); }) {}
  text_part(std::string (*function)())
      : function_(function), write_([](std::ostream& stream, text_part const& part) { stream << part.function_(); }) {}
  template <class T>
  text_part(T const& value)
      : value_(&value), write_([](std::ostream& stream, text_part const& part) {
          auto const& found = *static_cast<T const*>(part.value_);
          if constexpr (std::is_invocable_v<T const&>) {
            stream << found();
          } else {
            stream << found;
          }
        }) {}

  void write(std::ostream& stream) const { write_(stream, *this); }

private:
  union {
    void const* value_;
    std::string (*function_)();
  };
  void (*write_)(std::ostream& stream, text_part const& part);
};

/// Concatenates parts, whole: throws `std::bad_alloc` where there is no memory for it.
inline std::string join(std::initializer_list<text_part> parts) {
  std::ostringstream stream;
  stream.imbue(std::locale::classic());      // numbers without separators: the text may be read again
  stream.exceptions(std::ios_base::badbit);  // else a text would end where memory did
  for (text_part const& part : parts) part.write(stream);
  return stream.str();
}
/// The same for an error's message, which is empty where there is no memory for it (`error`).
inline std::string join_message(std::initializer_list<text_part> parts) {
  try {
    return join(parts);
  } catch (std::bad_alloc const&) {
    return {};
  }
}

// Instantiated for each combination of types, so that they hold next to no code.
template <class... T>
std::string joined(T const&... parts) {
  return join({text_part(parts)...});
}
template <class... T>
std::string text(T const&... parts) {
  return join_message({text_part(parts)...});
}

}  // namespace detail
}  // namespace edgewise::inline v0
