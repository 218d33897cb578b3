#include <edgewise/io/npy_header.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "support/catch.hpp"

#include "../format/message.hpp"
#include "temporary_folder.hpp"

namespace edgewise {
namespace {

using shape = std::vector<std::int64_t>;

detail::npy_header parse(std::string const& header, int version = 1) {
  testing::temporary_folder const folder;
  detail::input_file file(folder.write("a.npy", testing::npy_bytes(header, "", version)));
  return detail::read_npy_header(file);
}

/// What is said of a header with this shape.
std::string refusal(std::string const& header, int version = 1) {
  auto const message = testing::message_of<io_error>([&] { parse(header, version); });
  auto const start = message.find("a.npy: ");
  return start == message.npos ? message : message.substr(start + 7);
}
std::string with_shape(std::string const& shape_text) {
  return "{'descr': '<i4', 'fortran_order': False, 'shape': " + shape_text + ", }\n";
}

TEST_CASE("headers as NumPy and others write them") {
  for (auto const* header : {"{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }      \n",
                             "{'descr':'<i4','fortran_order':True,'shape':(2,3)}",
                             "{'shape': (2,\n3), 'fortran_order':\tTrue, 'descr':\t'<i4'}\r\n",
                             "  {\"descr\": \"<i4\", u'fortran_order': True, 'shape': ( 2 , 3 , ) }",
                             "{'descr': u'<i4', 'fortran_order': True, 'shape': (2L, 3L), }"}) {
    CAPTURE(header);
    auto const parsed = parse(header);
    CHECK(parsed.type == "<i4");
    CHECK(parsed.fortran_order);
    CHECK(parsed.shape == shape{2, 3});
  }
  CHECK(parse(with_shape("()")).shape.empty());
  CHECK(parse(with_shape("(0,)")).shape == shape{0});
  CHECK(parse(with_shape("(7,)"), 2).shape == shape{7});
  CHECK(parse(with_shape("(7,)"), 3).shape == shape{7});
  CHECK(parse(with_shape("(2L, 3)"), 2).shape == shape{2, 3});
  std::string ones;
  for (int axis = 0; axis < 64; ++axis) ones += "1,";
  CHECK(parse(with_shape("(" + ones + ")")).shape.size() == 64);
  CHECK(refusal(with_shape("(" + ones + "1,)")) == "npy header has 65 axes, must have at most 64");
}

TEST_CASE("shapes that NumPy does not read") {
  auto const bad = [](std::string const& shape_text) { return refusal(with_shape(shape_text)); };
  CHECK(bad("(2 3)") == "npy header has neither a comma nor ) after an extent of its shape: 3), }?");
  CHECK(bad("(6)") == "npy header has no tuple as shape: (6)");
  CHECK(bad("6") == "npy header has no tuple as shape: 6, }?");
  CHECK(bad("[2, 3]") == "npy header has no tuple as shape: [2, 3], }?");
  for (auto const* extent :
       {"(2,,3)", "(,)", "(-1,)", "(-0,)", "(02,)", "(True,)", "('2',)", "(9223372036854775808,)"}) {
    CAPTURE(extent);
    CHECK(bad(extent).find("npy header has a bad extent in its shape: ") == 0);
  }
  for (auto const* end : {"(2.0, 3)", "(0x2, 3)", "(2_0,)", "(2junk, 3)", "(2L L,)", "(2-0,)", "(2l,)"}) {
    CAPTURE(end);
    CHECK(bad(end).find("npy header has neither a comma nor )") == 0);
  }
  CHECK(refusal(with_shape("(2L, 3L)"), 3).find("npy header has neither a comma nor )") == 0);
}

TEST_CASE("dictionaries that NumPy does not write") {
  CHECK(refusal("{}") == "npy header has no 'descr': {}");
  CHECK(refusal("{'descr': '<i4', 'shape': (1,)}") ==
        "npy header has no 'fortran_order': {'descr': '<i4', 'shape': (1,)}");
  CHECK(refusal("{'descr': '<i4', 'fortran_order': False}") ==
        "npy header has no 'shape': {'descr': '<i4', 'fortran_order': False}");
  CHECK(refusal("{'descr': '<i4', 'fortran_order': False, 'shape': (1,), 'x': 1}") ==
        "npy header has the key 'x', which NumPy does not write");
  CHECK(refusal("{'descr': '<i4', 'shape': (1,), 'fortran_order': False, 'shape': (2,)}") ==
        "npy header has 'shape' twice");
  CHECK(refusal(with_shape("(1,)") + "junk") == "npy header goes on after its dictionary: junk");
  CHECK(refusal(with_shape("(1,)") + std::string(1, '\0')).find("npy header goes on after its dictionary: ") == 0);
  CHECK(refusal("{'descr': '<i4', 'fortran_order': 1, 'shape': (1,)}") ==
        "npy header has neither True nor False as 'fortran_order': 1, 'shape': (1,)}");
  CHECK(refusal("{'descr': '<i4', 'fortran_order': Truely, 'shape': (1,)}") ==
        "npy header has neither a comma nor } after a value: ly, 'shape': (1,)}");
  CHECK(refusal("{'descr': '<i4', 'fortran_order': 'True', 'shape': (1,)}").find("has neither True nor False") !=
        std::string::npos);
  CHECK(refusal("{'descr': '<i4' 'fortran_order': True, 'shape': (1,)}") ==
        "npy header has neither a comma nor } after a value: 'fortran_order': True, 'shape': (1,)}");
  CHECK(refusal("{'descr' '<i4'}") == "npy header has no colon after a key: '<i4'}");
  CHECK(refusal("{,}") == "npy header has no string for a key: ,}");
  CHECK(refusal("") == "npy header does not begin with {: ");
  CHECK(refusal("['descr']") == "npy header does not begin with {: ['descr']");
  CHECK(refusal("{'descr': '<i4', 'fortran_order': False, 'shape': (1,)").find("neither a comma nor }") !=
        std::string::npos);
  CHECK(refusal("{'des\\x63r': '<i4'}") == "npy header has an escape or a line end in a string: des\\x63r");
  CHECK(refusal("{'descr': [('x', '<i4')], 'fortran_order': False, 'shape': (1,)}") ==
        "npy elements are not of one plain type: [('x', '<i4')], 'fortran_order': False, 'shape': (1,)}");
}

TEST_CASE("versions and sizes of headers") {
  testing::temporary_folder const folder;
  auto const of_bytes = [&](std::string const& bytes) {
    auto const path = folder.write("a.npy", bytes);
    return testing::message_of<io_error>([&] {
             detail::input_file file(path);
             detail::read_npy_header(file);
           })
        .substr(path.size() + 2);
  };
  auto bytes = testing::npy_bytes(with_shape("(1,)"), "");
  bytes[6] = 4;
  CHECK(of_bytes(bytes) == "npy format 4.0, must be 1.0, 2.0 or 3.0");
  bytes[6] = '\xff';
  CHECK(of_bytes(bytes) == "npy format 255.0, must be 1.0, 2.0 or 3.0");
  bytes[6] = 1, bytes[7] = 1;
  CHECK(of_bytes(bytes) == "npy format 1.1, must be 1.0, 2.0 or 3.0");
  CHECK(of_bytes(testing::npy_bytes(with_shape("(1,)") + std::string(10000, ' '), "")) ==
        "npy header of 10058 bytes, must be at most 10000");
  CHECK(of_bytes(std::string("\x93NUMPY\3\0\xff\xff\xff\xff{", 13)) ==
        "npy header of 4294967295 bytes, must be at most 10000");
  CHECK(of_bytes(std::string("\x93NUMPY\3\0\1", 9)) == "npy header is cut off");
  CHECK(of_bytes(std::string("\x93NUMPY\3\0\5\0\0\0{", 13)) == "npy header is cut off");
  CHECK(of_bytes("\x93NUMPX") == "not an npy file");
}

}  // namespace
}  // namespace edgewise
