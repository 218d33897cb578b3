#include <edgewise/io/pickled_arrays.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"

#include "../format/message.hpp"
#include "pickle_bytes.hpp"
#include "python3_pickles.hpp"

namespace edgewise {
namespace {

using namespace std::string_literals;
using testing::bytes_of;
using testing::pickle_writer;

/// What `use` makes of a file with these bytes.
template <class Use>
auto read(std::string const& bytes, Use use) {
  testing::temporary_folder const folder;
  detail::pickle const file(folder.write("x", bytes), detail::array_globals);
  return use(file, file.root());
}

/// The message from the byte on.
template <class Use>
std::string refusal(std::string const& bytes, Use use) {
  auto const message = testing::message_of<io_error>([&] { read(bytes, use); });
  auto const start = message.find(": byte ");
  auto const end = start == message.npos ? start : message.find(": ", start + 2);
  return end == message.npos ? message : message.substr(end + 2);
}

template <class T>
std::vector<T> elements(detail::pickle const& file, detail::pickle_value const& value) {
  return detail::elements_of<T>(file, detail::read_array(file, value));
}

TEST_CASE("arrays of four types in three protocols") {
  for (int const protocol : {0, 2, 4}) {
    pickle_writer const w{protocol};
    auto const shape = w.tuple({w.integer(1), w.integer(2)});
    auto const file = [&](char const* type, std::string const& elements) {
      return w.whole(w.array(w.type(type), shape, elements));
    };
    CHECK(read(file("i4", bytes_of<std::int32_t>({-1, 70000})), elements<std::int64_t>) ==
          std::vector<std::int64_t>{-1, 70000});
    CHECK(read(file("i8", bytes_of<std::int64_t>({-1, std::int64_t{1} << 40})), elements<std::int64_t>) ==
          std::vector<std::int64_t>{-1, std::int64_t{1} << 40});
    CHECK(read(file("f4", bytes_of<float>({0.5f, -2})), elements<double>) == std::vector<double>{0.5, -2});
    CHECK(read(file("f8", bytes_of<double>({0.1, 3})), elements<float>) == std::vector<float>{0.1f, 3});
    CHECK(read(file("f8", bytes_of<double>({0, 3})), [](auto const& pickle, auto const& value) {
            return detail::read_array(pickle, value).shape;
          }) == std::vector<std::int64_t>{1, 2});
    CHECK(read(w.whole(w.array(w.type("i4"), w.tuple({w.integer(3), w.integer(0)}), "")), elements<double>).empty());
  }
}

TEST_CASE("a NumPy scalar is an int") {
  // Written by Python's pickler with the strings of Python 2, protocols 0 and 2.
  auto const number = [](auto const& file, auto const& value) { return detail::read_integer(file, value, "it"); };
  CHECK(read("cnumpy.core.multiarray\nscalar\np0\n(cnumpy\ndtype\np1\n(S'i8'\np2\nI00\nI01\ntp3\nRp4\n(I3\nS'<'\np5\n"
             "NNNI-1\nI-1\nI0\ntp6\nbS'\\x05\\x00\\x00\\x00\\x00\\x00\\x00\\x00'\np7\ntp8\nRp9\n."s,
             number) == 5);
  auto const in_protocol_2 =
      "\200\002cnumpy.core.multiarray\nscalar\nq\000cnumpy\ndtype\nq\001U\002i8q\002\211\210\207q\003Rq\004(K\003U\001"
      "<q\005NNNJ\377\377\377\377J\377\377\377\377K\000tq\006bU\010\005\000\000\000\000\000\000\000q\007\206q\010Rq\011."s;
  CHECK(read(in_protocol_2, number) == 5);
  auto of_floats = in_protocol_2;
  of_floats[of_floats.find("i8")] = 'f';
  CHECK(refusal(of_floats, number) == "it is a NumPy scalar of type 'f8' in 8 bytes, must be an int");
  CHECK(refusal("N."s, number) == "it is None, must be an int");
}

TEST_CASE("a sparse matrix in three protocols") {
  for (int const protocol : {0, 2, 4}) {
    pickle_writer const w{protocol};
    auto const matrix = read(w.whole(w.matrix(3, 4, {0, 2, 2, 3}, {3, 0, 1}, {1, 2, 3})), detail::read_csr_matrix);
    CHECK(matrix.num_rows == 3);
    CHECK(matrix.num_columns == 4);
    auto const dense = to_dense(matrix);
    CHECK(std::vector<float>(dense.values.begin(), dense.values.end()) ==
          std::vector<float>{2, 0, 0, 1, 0, 0, 0, 0, 0, 3, 0, 0});
  }
}

TEST_CASE("arrays of Python 3 in all its protocols") {
  using ints = std::vector<std::int64_t>;
  namespace python3 = testing::python3;
  for (auto const& bytes : python3::arrays) CHECK(read(bytes, elements<std::int64_t>) == ints{1, -2, 0, 300});
  for (auto const& bytes : python3::fortran_arrays) CHECK(read(bytes, elements<std::int64_t>) == ints{1, -2, 0, 300});
  for (auto const& bytes : python3::big_endian_arrays) {
    CHECK(read(bytes, elements<std::int64_t>) == ints{1, -2, 0, 300});
  }
  for (auto const& bytes : python3::empty_arrays) CHECK(read(bytes, elements<std::int64_t>).empty());
  for (auto const& bytes : python3::scalars) {
    CHECK(read(bytes, [](auto const& file, auto const& value) { return detail::read_integer(file, value, "it"); }) ==
          5);
  }
  auto const check_matrix = [](std::string const& bytes) {
    auto const dense = to_dense(read(bytes, detail::read_csr_matrix));
    CHECK(dense.num_columns == 3);
    CHECK(std::vector<float>(dense.values.begin(), dense.values.end()) == std::vector<float>{1, 0, 0, 0, 2, 0.5f});
  };
  for (auto const& bytes : python3::matrices) check_matrix(bytes);
  check_matrix(python3::sparse_array);
}

TEST_CASE("files of Python 3 that were cut off") {
  for (auto const& bytes : testing::python3::arrays) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      CHECK(refusal(bytes.substr(0, size), elements<std::int64_t>).find("cut off: ") != std::string::npos);
    }
  }
}

TEST_CASE("bytes and bools in Fortran order") {
  pickle_writer const w;
  auto const shape = w.tuple({w.integer(2), w.integer(3)});
  auto const array = [&](char const* type, char const* bytes) {
    return read(w.whole(w.array(w.type(type, "|"), shape, std::string(bytes, 6), true)), elements<double>);
  };
  CHECK(array("i1", "\1\4\2\5\3\6") == std::vector<double>{1, 2, 3, 4, 5, 6});
  CHECK(array("b1", "\1\0\0\1\2\0") == std::vector<double>{1, 0, 1, 0, 1, 0});
  CHECK(read(w.whole(w.array(w.type("i1", "|"), w.tuple({w.integer(0), w.integer(3)}), "", true)), elements<double>)
            .empty());
}

TEST_CASE("what is no such array is refused") {
  pickle_writer const w;
  auto const shape = w.tuple({w.integer(1), w.integer(2)});
  auto const eight = bytes_of<std::int32_t>({1, 2});
  auto const array = [&](std::string const& dtype, std::string const& its_shape, std::string const& bytes) {
    return refusal(w.whole(w.array(dtype, its_shape, bytes)), elements<std::int64_t>);
  };
  CHECK(array(w.type("i4", "native"), shape, eight) == "elements of byte order 'native', must be <, >, | or =");
  CHECK(array(w.type("c8"), shape, eight + eight) == "elements of type 'c8', must be bools, integers or floats");
  CHECK(array(w.type("u8"), w.tuple({w.integer(1)}), std::string(8, '\xff')) ==
        "element 0 is 18446744073709551615, which is too large");
  CHECK(array(w.type("f4"), shape, eight) == "elements of type 'f4', must be ints");
  CHECK(array("N", shape, eight) == "the type of elements must be a numpy.dtype");
  auto const misfit = [](int bytes) {
    return "an array has " + std::to_string(bytes) + " bytes of elements, its shape needs another number";
  };
  CHECK(array(w.type("i4"), shape, eight.substr(4)) == misfit(4));
  CHECK(array(w.type("i4"), shape, eight.substr(1)) == misfit(7));
  CHECK(array(w.type("i4"), shape, eight + eight) == misfit(16));
  CHECK(array(w.type("i4"), w.tuple({w.integer(0), w.integer(2)}), eight) == misfit(8));
  auto const large = w.integer(1 << 30);
  CHECK(array(w.type("i4"), w.tuple({large, large, large, w.integer(8)}), eight) == misfit(8));
  CHECK(array(w.type("i4"), w.tuple({w.integer(-2)}), eight) == "the shape of an array is -2");
  CHECK(array(w.type("i4"), w.integer(2), eight) == "the shape of an array is an int, must be a tuple");
  std::string ones;
  for (int axis = 0; axis < 65; ++axis) ones += w.integer(1);
  CHECK(array(w.type("i4"), "(" + ones + "t", eight) == "the shape of an array has 65 axes, must have at most 64");
  CHECK(refusal(w.whole("N"), elements<double>) == "must be a numpy.ndarray, is None");
  CHECK(refusal(w.whole(w.lists()), elements<double>) == "must be a numpy.ndarray, is an object");
  CHECK(refusal(w.whole(w.global("numpy.core.multiarray", "_reconstruct") + ")R)b"), elements<double>) ==
        "an array has 0 items");
}

TEST_CASE("what is no such matrix is refused") {
  pickle_writer const w;
  auto const matrix = [&](std::string const& bytes) { return refusal(w.whole(bytes), detail::read_csr_matrix); };
  CHECK(matrix(w.matrix(2, 2, {0, 1}, {0}, {1})) == "csr_matrix: indptr has 2 elements, must have rows + 1 = 3");
  CHECK(matrix(w.matrix(2, 2, {0, 1, 2}, {0}, {1})) == "csr_matrix: offsets[2] = 2, but the graph has 1 edges");
  CHECK(matrix(w.matrix(2, 2, {0, 1, 0}, {0}, {1})) == "csr_matrix: offsets[2] = 0 is less than offsets[1] = 1");
  CHECK(matrix(w.matrix(2, 2, {0, 0, 0}, {0}, {1})) == "csr_matrix: offsets[2] = 0, must be the number of edges 1");
  CHECK(matrix(w.matrix(1, 2, {0, 1}, {2}, {1})) == "csr_matrix: indices[0] = 2, but the matrix has 2 columns");
  CHECK(matrix(w.matrix(1, 2, {0, 1}, {-1}, {1})) == "csr_matrix: indices[0] = -1, but the matrix has 2 columns");
  CHECK(matrix(w.matrix(1, 2, {0, 1}, {0, 1}, {1})) ==
        "csr_matrix: indices has 2 elements, must have the size of data = 1");
  CHECK(matrix(w.lists()) == "must be a scipy.sparse.csr_matrix, is an object");
  CHECK(matrix(w.global("scipy.sparse.csr", "csr_matrix") + ")\x81}b") == "the csr_matrix has no _shape");
  CHECK(matrix(w.global("scipy.sparse.csr", "csr_matrix") + ")\x81Nb") ==
        "the state of a csr_matrix is None, must be a dict");
}

}  // namespace
}  // namespace edgewise
