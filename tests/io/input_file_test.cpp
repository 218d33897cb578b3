#include <edgewise/io/input_file.hpp>

#include <filesystem>
#include <string>

#include "support/catch.hpp"

#include "../format/message.hpp"
#include "temporary_folder.hpp"

namespace edgewise {
namespace {

TEST_CASE("a file is read in parts and to its end") {
  testing::temporary_folder const folder;
  std::string const content = std::string(200000, 'x') + "end";
  detail::input_file file(folder.write("a", content));
  char start[3];
  CHECK(file.num_left() == content.size());
  CHECK(file.read(start, 3) == 3);
  CHECK(std::string(start, 3) == "xxx");
  CHECK(file.num_left() == content.size() - 3);
  CHECK(file.read_rest() == content.substr(3));
  CHECK(file.num_left() == 0);
  CHECK(file.read(start, 3) == 0);
  CHECK(file.read_rest().empty());
  CHECK(detail::input_file(folder.write("empty", "")).read_rest().empty());
}

TEST_CASE("what is no file, and what cannot be read, is an io_error") {
  testing::temporary_folder const folder;
  auto const refusal = [](std::string const& path) {
    return testing::message_of<io_error>([&] {
      detail::input_file file(path);
      file.read_rest();
    });
  };
  CHECK(refusal(folder.file("none")) == folder.file("none") + ": cannot be opened");
  CHECK(refusal(folder.path().string()) == folder.path().string() + ": is a folder, must be a file");
  CHECK(refusal("") == ": cannot be opened");
  CHECK(refusal(std::string(5000, 'x')).find("x: cannot be opened") != std::string::npos);
  // Memory at address 0, which Linux opens and does not read.
  if (std::filesystem::exists("/proc/self/mem")) {
    CHECK(refusal("/proc/self/mem") == "/proc/self/mem: cannot be read after byte 0");
  }
}

TEST_CASE("devices that never end are not read whole") {
  if (!std::filesystem::exists("/dev/zero")) return;
  CHECK(testing::message_of<io_error>([] { detail::input_file("/dev/zero").read_rest(); }) ==
        "/dev/zero: must be a regular file");
  CHECK(testing::message_of<io_error>([] { detail::input_file("/dev/zero").num_left(); }) ==
        "/dev/zero: must be a regular file");
}

TEST_CASE("messages show the beginning of what a file has, on one line") {
  CHECK(detail::shown("ab c") == "ab c");
  CHECK(detail::shown("a\x1b[2J\n\xc3\xa4\x7f") == "a?[2J?\xc3\xa4?");
  CHECK(detail::shown(std::string(60, 'x')) == std::string(60, 'x'));
  CHECK(detail::shown(std::string(61, 'x')) == std::string(60, 'x') + "...");
}

TEST_CASE("a link to nothing is there, though it cannot be opened") {
  testing::temporary_folder const folder;
  std::filesystem::create_symlink(folder.path() / "nothing", folder.path() / "link");
  CHECK(detail::is_there(folder.path() / "link"));
  CHECK(!detail::is_there(folder.path() / "nothing"));
  CHECK(!detail::is_there(folder.write("file", "") + "/within"));
}

}  // namespace
}  // namespace edgewise
