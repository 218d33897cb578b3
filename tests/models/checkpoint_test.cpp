#include "models/checkpoint.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "support/catch.hpp"

#include "../format/message.hpp"
#include "../io/temporary_folder.hpp"

namespace edgewise::models {
namespace {

using testing::message_of;

checkpoint small() {
  checkpoint made;
  made.set("name", std::string("gcn"));
  made.set("weights", std::vector<float>{1.5f, -0.0f, std::numeric_limits<float>::infinity()});
  made.set("sizes", std::vector<std::int64_t>{-1, 1LL << 40});
  made.set("seed", std::vector<std::uint64_t>{~std::uint64_t{0}});
  made.set("losses", std::vector<double>{0.1, std::nan("")});
  made.set("none", std::vector<float>{});
  return made;
}

std::string bytes_of_file(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("checkpoint: a file gives back every array, to the bit", "[models]") {
  testing::temporary_folder const folder;
  auto const path = folder.file("small");
  small().save(path);
  auto const read = checkpoint::load(path);
  CHECK(read.get_text("name") == "gcn");
  auto const weights = read.get<float>("weights", 3);
  CHECK(weights[0] == 1.5f);
  CHECK(std::signbit(weights[1]));
  CHECK(std::isinf(weights[2]));
  CHECK(read.get<std::int64_t>("sizes") == std::vector<std::int64_t>{-1, 1LL << 40});
  CHECK(read.get<std::uint64_t>("seed") == std::vector<std::uint64_t>{~std::uint64_t{0}});
  CHECK(read.get<double>("losses")[0] == 0.1);
  CHECK(std::isnan(read.get<double>("losses")[1]));
  CHECK(read.get<float>("none").empty());

  // The same arrays make the same bytes, whatever was there before; nothing else is left in the folder.
  auto const bytes = bytes_of_file(path);
  read.save(path);
  CHECK(bytes_of_file(path) == bytes);
  CHECK(bytes_of_file(path + ".part").empty());
}

TEST_CASE("checkpoint: an array that is not there, or another, is named", "[models]") {
  testing::temporary_folder const folder;
  auto const path = folder.file("small");
  small().save(path);
  auto const read = checkpoint::load(path);
  CHECK(message_of<io_error>([&] { read.get<float>("bias"); }) == path + ": has no array 'bias'");
  CHECK(message_of<io_error>([&] { read.get<double>("weights"); }) ==
        path + ": array 'weights' has elements of float32, must have float64");
  CHECK(message_of<io_error>([&] { read.get<float>("weights", 4); }) ==
        path + ": array 'weights' has 3 elements, must have 4");
}

TEST_CASE("checkpoint: every cut and every flipped byte is refused", "[models]") {
  testing::temporary_folder const folder;
  auto const path = folder.file("small"), wrong = folder.file("wrong");
  small().save(path);
  auto const bytes = bytes_of_file(path);
  REQUIRE(bytes.size() > 150);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    INFO("the first " << size << " bytes");
    folder.write("wrong", bytes.substr(0, size));
    CHECK_THROWS_AS(checkpoint::load(wrong), io_error);
  }
  folder.write("wrong", bytes + '\0');
  CHECK_THROWS_AS(checkpoint::load(wrong), io_error);
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    for (int const bits : {0x01, 0x80, 0xff}) {
      INFO("byte " << k << " with bits " << bits << " flipped");
      auto flipped = bytes;
      flipped[k] = static_cast<char>(flipped[k] ^ bits);
      folder.write("wrong", flipped);
      CHECK_THROWS_AS(checkpoint::load(wrong), io_error);
    }
  }
}

TEST_CASE("checkpoint: refusals say what is wrong with the file", "[models]") {
  testing::temporary_folder const folder;
  auto const path = folder.file("small"), wrong = folder.file("wrong");
  small().save(path);
  auto const bytes = bytes_of_file(path);
  auto const refusal = [&](std::string const& changed) {
    folder.write("wrong", changed);
    return message_of<io_error>([&] { checkpoint::load(wrong); });
  };
  CHECK(refusal("") == wrong + ": is no checkpoint, or cut off");
  CHECK(refusal(std::string(100, 'x')) == wrong + ": is no checkpoint");
  auto changed = bytes;
  changed[8] = 2;
  CHECK(refusal(changed) == wrong + ": is a checkpoint of version 2, must be 1");
  CHECK(refusal(bytes.substr(0, 100)) == wrong + ": has 100 bytes, must have " + std::to_string(bytes.size()) +
                                             " as its header says: it is cut off or damaged");
  changed = bytes;
  changed[bytes.size() - 20] ^= 1;
  CHECK(refusal(changed) == wrong + ": is damaged: its checksum is not that of its bytes");
  CHECK(message_of<io_error>([&] { checkpoint::load(folder.file("none")); }) ==
        folder.file("none") + ": cannot be opened");
}

// Counts that no writer writes, with a checksum that is right.
TEST_CASE("checkpoint: counts are not believed", "[models]") {
  testing::temporary_folder const folder;
  auto const path = folder.file("small"), wrong = folder.file("wrong");
  small().save(path);
  auto const bytes = bytes_of_file(path);
  for (std::size_t k = 12; k < bytes.size() - 8; ++k) {
    if (k >= 16 && k < 24) continue;  // the size
    for (int const byte : {0x00, 0x01, 0x7f, 0xff}) {
      auto changed = bytes.substr(0, bytes.size() - 8);
      changed[k] = static_cast<char>(byte);
      edgewise::detail::byte_checksum sum;
      sum.add(changed.data(), changed.size());
      auto const value = sum.value();
      changed.append(reinterpret_cast<char const*>(&value), 8);
      folder.write("wrong", changed);
      try {  // what is read may differ, but nothing is read that is not there
        checkpoint::load(wrong).save(folder.file("again"));
      } catch (io_error const&) {
      }
    }
  }
  auto huge = bytes.substr(0, bytes.size() - 8);
  huge[24 + 8 + 7] = 0x7f;  // the number of elements of the first array
  edgewise::detail::byte_checksum sum;
  sum.add(huge.data(), huge.size());
  auto const value = sum.value();
  huge.append(reinterpret_cast<char const*>(&value), 8);
  folder.write("wrong", huge);
  CHECK(message_of<io_error>([&] { checkpoint::load(wrong); }) == wrong + ": has arrays that are longer than the file");
}

TEST_CASE("checkpoint: what cannot be written is named and leaves the old file", "[models]") {
  testing::temporary_folder const folder;
  auto const none = folder.file("none/small");
  CHECK(message_of<io_error>([&] { small().save(none); }) == none + ": cannot be written");
  // The part cannot be made where a folder has its name; the file stays.
  auto const path = folder.file("small");
  small().save(path);
  auto const bytes = bytes_of_file(path);
  std::filesystem::create_directory(path + ".part");
  checkpoint other;
  CHECK_THROWS_AS(other.save(path), io_error);
  CHECK(bytes_of_file(path) == bytes);
}

}  // namespace
}  // namespace edgewise::models
