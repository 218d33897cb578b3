// The exceptions that host functions throw: `error` is the root, its children say whose contract was broken.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace edgewise {

/// Root of every exception of the library.
class error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
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

/// Concatenates its arguments as `operator<<` prints them: the building block of error messages.
template <class... T>
std::string text(T const&... parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

}  // namespace detail
}  // namespace edgewise
