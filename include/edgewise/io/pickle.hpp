// Python pickles of protocols 0 to 2, read as data: nothing that they name is imported, called or run.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>

namespace edgewise::detail {

enum class pickle_kind { none, boolean, integer, string, tuple, list, dictionary, global, object };

constexpr char const* name_of(pickle_kind kind) {
  constexpr char const* names[] = {"None",   "a bool", "an int",   "a string", "a tuple",
                                   "a list", "a dict", "a global", "an object"};
  return names[static_cast<int>(kind)];
}

/// Values name each other by number, since a pickle may name one many times, or a list within itself.
using pickle_id = std::uint32_t;
constexpr pickle_id no_pickle_id = 0xffffffff;

/// A value as the file has it. An object is what it would be made by, `callable(*arguments)`, and its state.
struct pickle_value {
  pickle_kind kind = pickle_kind::none;
  std::size_t at = 0;              // byte of its opcode
  std::int64_t number = 0;         // boolean, integer
  std::string bytes{};             // string; global: "module name"
  std::vector<pickle_id> items{};  // tuple, list; dictionary, object with items: key, value, key, value
  pickle_id callable = no_pickle_id, arguments = no_pickle_id, state = no_pickle_id;  // object
};

/// All values of a pickle; the constructor reads them, or throws `io_error` naming the file, the byte and the opcode.
/// Opcodes are those by which Python 2 writes containers, ints, strings and objects; text, floats and persistent ids
/// are refused, and so is a global that is not among `globals` ("module name"). Takes memory in proportion to the file.
/// Source: pickletools.py of CPython.
class pickle {
public:
  pickle(std::filesystem::path path, std::span<std::string_view const> globals)
      : path_(std::move(path)), globals_(globals) {
    std::ifstream file(path_, std::ios::binary);
    if (!file) throw io_error(text(path_.string(), ": cannot be opened"));
    file_.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    if (file.bad()) throw io_error(text(path_.string(), ": cannot be read"));
    while (!stopped_) read_opcode();
    if (next_ != file_.size()) fail_at(next_, "the file goes on after the pickle");
    root_ = pop();
    if (!stack_.empty() || !marks_.empty()) fail("more than one value is left at the end");
    file_.clear();
    memo_.clear();
  }

  pickle_value const& root() const { return values_[root_]; }
  pickle_value const& operator[](pickle_id id) const { return values_[id]; }

  [[noreturn]] void fail_at(std::size_t at, std::string const& reason) const {
    throw io_error(text(path_.string(), ": byte ", at, ": ", reason));
  }

  /// The value, which must be of this kind; `what` names it in the message.
  pickle_value const& require(pickle_value const& value, pickle_kind kind, char const* what) const {
    if (value.kind != kind) fail_at(value.at, text(what, " is ", name_of(value.kind), ", must be ", name_of(kind)));
    return value;
  }

  /// Whether the value is an object that this global makes.
  bool is_made_by(pickle_value const& value, std::string_view global) const {
    return value.kind == pickle_kind::object && values_[value.callable].bytes == global;
  }

private:
  /// Opcodes by the names of pickletools.
  void read_opcode() {
    at_ = next_;
    if (next_ == file_.size()) fail_at(at_, "cut off: the pickle has not ended");
    opcode_ = static_cast<unsigned char>(file_[next_++]);
    switch (opcode_) {
      case 0x80:
        return read_protocol();
      case '.':  // STOP
        stopped_ = true;
        return;
      case '(':  // MARK
        return marks_.push_back(stack_.size());
      case 'N':  // NONE
        return push({.kind = pickle_kind::none});
      case 0x88:  // NEWTRUE
        return push_number(pickle_kind::boolean, 1);
      case 0x89:  // NEWFALSE
        return push_number(pickle_kind::boolean, 0);
      case 'I':  // INT
        return read_int_line();
      case 'L':  // LONG
        return read_long_line();
      case 'J':  // BININT
        return push_integer(static_cast<std::int32_t>(bytes_as_number(4)));
      case 'K':  // BININT1
        return push_integer(static_cast<std::int64_t>(bytes_as_number(1)));
      case 'M':  // BININT2
        return push_integer(static_cast<std::int64_t>(bytes_as_number(2)));
      case 0x8a:  // LONG1
        return read_long();
      case 'S':  // STRING
        return push_string(unquoted(line()));
      case 'T':  // BINSTRING
        return push_string(bytes(bytes_as_number(4)));
      case 'U':  // SHORT_BINSTRING
        return push_string(bytes(bytes_as_number(1)));
      case ')':  // EMPTY_TUPLE
        return push({.kind = pickle_kind::tuple});
      case 't':  // TUPLE
        return push_items(pickle_kind::tuple, mark());
      case 0x85:  // TUPLE1
        return push_items(pickle_kind::tuple, last(1));
      case 0x86:  // TUPLE2
        return push_items(pickle_kind::tuple, last(2));
      case 0x87:  // TUPLE3
        return push_items(pickle_kind::tuple, last(3));
      case ']':  // EMPTY_LIST
        return push({.kind = pickle_kind::list});
      case 'l':  // LIST
        return push_items(pickle_kind::list, mark());
      case 'a':  // APPEND
        return append(last(1));
      case 'e':  // APPENDS
        return append(mark());
      case '}':  // EMPTY_DICT
        return push({.kind = pickle_kind::dictionary});
      case 'd':  // DICT
        return push_dictionary(mark());
      case 's':  // SETITEM
        return set_items(last(2));
      case 'u':  // SETITEMS
        return set_items(mark());
      case 'c':  // GLOBAL
        return read_global();
      case 'R':   // REDUCE
      case 0x81:  // NEWOBJ
        return make_object();
      case 'b':  // BUILD
        return set_state();
      case 'p':  // PUT
        return put(line_as_number(line()));
      case 'q':  // BINPUT
        return put(static_cast<std::int64_t>(bytes_as_number(1)));
      case 'r':  // LONG_BINPUT
        return put(static_cast<std::int64_t>(bytes_as_number(4)));
      case 'g':  // GET
        return get(line_as_number(line()));
      case 'h':  // BINGET
        return get(static_cast<std::int64_t>(bytes_as_number(1)));
      case 'j':  // LONG_BINGET
        return get(static_cast<std::int64_t>(bytes_as_number(4)));
      default:
        fail("is not read here");
    }
  }

  [[noreturn]] void fail(std::string const& reason) const {
    constexpr char digits[] = "0123456789abcdef";
    std::string name = {'0', 'x', digits[opcode_ >> 4], digits[opcode_ & 15]};
    if (opcode_ > 0x20 && opcode_ < 0x7f) name += text(" ('", static_cast<char>(opcode_), "')");
    fail_at(at_, text("opcode ", name, ": ", reason));
  }

  // What follows an opcode in the file.

  std::string_view bytes(std::uint64_t count) {
    if (count > file_.size() - next_) {
      fail(text("cut off: ", count, " bytes must follow, the file has ", file_.size() - next_, " more"));
    }
    std::string_view const found(file_.data() + next_, count);
    next_ += count;
    return found;
  }
  /// Little endian.
  std::uint64_t bytes_as_number(std::uint64_t count) {
    std::uint64_t number = 0;
    auto const found = bytes(count);
    for (std::size_t k = 0; k < count; ++k) number |= std::uint64_t{static_cast<unsigned char>(found[k])} << (8 * k);
    return number;
  }
  std::string_view line() {
    auto const end = file_.find('\n', next_);
    if (end == file_.npos) fail("cut off: a line must follow");
    auto const found = bytes(end - next_);
    ++next_;
    return found;
  }
  std::int64_t line_as_number(std::string_view digits) const {
    std::int64_t number = 0;
    auto const [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (status != std::errc() || end != digits.data() + digits.size()) {
      fail(text("\"", digits, "\" must be a 64-bit integer"));
    }
    return number;
  }
  /// A string as Python 2 prints it, in quotes of either kind.
  std::string unquoted(std::string_view printed) const {
    if (printed.size() < 2 || (printed.front() != '\'' && printed.front() != '"') ||
        printed.back() != printed.front()) {
      fail("the string must stand in quotes");
    }
    printed = printed.substr(1, printed.size() - 2);
    std::string plain;
    while (!printed.empty()) {
      if (printed.front() != '\\') {
        plain += printed.front();
        printed.remove_prefix(1);
        continue;
      }
      constexpr std::string_view escapes = "\\'\"nrt", meanings = "\\'\"\n\r\t";
      auto const escape = printed.size() < 2 ? escapes.npos : escapes.find(printed[1]);
      std::uint8_t code = 0;
      if (escape != escapes.npos) {
        plain += meanings[escape];
        printed.remove_prefix(2);
      } else if (printed.size() >= 4 && printed[1] == 'x' &&
                 std::from_chars(printed.data() + 2, printed.data() + 4, code, 16).ptr == printed.data() + 4) {
        plain += static_cast<char>(code);
        printed.remove_prefix(4);
      } else {
        fail("the string has an escape that Python 2 does not print");
      }
    }
    return plain;
  }

  void read_protocol() {
    auto const protocol = bytes_as_number(1);
    if (protocol > 2) fail(text("protocol ", protocol, ", must be 0, 1 or 2"));
  }
  /// Protocols 0 and 1 write bools as 00 and 01.
  void read_int_line() {
    auto const digits = line();
    if (digits == "00" || digits == "01") return push_number(pickle_kind::boolean, digits[1] - '0');
    push_integer(line_as_number(digits));
  }
  void read_long_line() {
    auto digits = line();
    if (!digits.empty() && digits.back() == 'L') digits.remove_suffix(1);
    push_integer(line_as_number(digits));
  }
  /// Two's complement of as few bytes as hold the number.
  void read_long() {
    auto const count = bytes_as_number(1);
    if (count > 8) fail(text("an integer of ", count, " bytes, must have at most 8"));
    auto number = bytes_as_number(count);
    if (count > 0 && count < 8 && (number >> (8 * count - 1)) != 0) number |= ~std::uint64_t{0} << (8 * count);
    push_integer(static_cast<std::int64_t>(number));
  }
  void read_global() {
    auto const module = line();
    auto global = joined(module, " ", line());
    if (std::find(globals_.begin(), globals_.end(), global) == globals_.end()) {
      fail(text("global \"", global, "\" is not one that such a file needs; nothing of it was run"));
    }
    push({.kind = pickle_kind::global, .bytes = std::move(global)});
  }

  // The stack. What lies below the last mark is out of reach until something takes the mark.

  void push(pickle_value value) {
    if (values_.size() == no_pickle_id) fail("more than 2^32 - 1 values");
    value.at = at_;
    stack_.push_back(static_cast<pickle_id>(values_.size()));
    values_.push_back(std::move(value));
  }
  void push_number(pickle_kind kind, std::int64_t number) { push({.kind = kind, .number = number}); }
  void push_integer(std::int64_t number) { push_number(pickle_kind::integer, number); }
  void push_string(std::string_view string) { push({.kind = pickle_kind::string, .bytes = std::string(string)}); }
  void push_items(pickle_kind kind, std::vector<pickle_id> items) { push({.kind = kind, .items = std::move(items)}); }

  void require_values(std::size_t count) const {
    auto const reach = stack_.size() - (marks_.empty() ? 0 : marks_.back());
    if (reach < count) fail(text("takes ", count, " values, there are ", reach));
  }
  pickle_id pop() {
    require_values(1);
    auto const id = stack_.back();
    stack_.pop_back();
    return id;
  }
  /// The last `count` values, taken off the stack in the order in which they came.
  std::vector<pickle_id> last(std::size_t count) {
    require_values(count);
    std::vector<pickle_id> const items(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
    stack_.resize(stack_.size() - count);
    return items;
  }
  /// All values since the last mark, taken off the stack with it.
  std::vector<pickle_id> mark() {
    if (marks_.empty()) fail("there is no mark");
    auto items = last(stack_.size() - marks_.back());
    marks_.pop_back();
    return items;
  }
  pickle_value& top() {
    require_values(1);
    return values_[stack_.back()];
  }

  void append(std::vector<pickle_id> const& items) {
    auto& list = top();
    if (list.kind != pickle_kind::list) fail(text("appends to ", name_of(list.kind), ", must be a list"));
    list.items.insert(list.items.end(), items.begin(), items.end());
  }
  void push_dictionary(std::vector<pickle_id> items) {
    if (items.size() % 2 != 0) fail("a key has no value");
    push_items(pickle_kind::dictionary, std::move(items));
  }
  void set_items(std::vector<pickle_id> const& items) {
    auto& target = top();
    if (target.kind != pickle_kind::dictionary && target.kind != pickle_kind::object) {
      fail(text("sets items of ", name_of(target.kind), ", must be a dict or an object"));
    }
    if (items.size() % 2 != 0) fail("a key has no value");
    target.items.insert(target.items.end(), items.begin(), items.end());
  }
  void make_object() {
    auto const made = last(2);
    if (values_[made[0]].kind != pickle_kind::global || values_[made[1]].kind != pickle_kind::tuple) {
      fail(text("makes an object from ", name_of(values_[made[0]].kind), " and ", name_of(values_[made[1]].kind),
                ", must be a global and a tuple"));
    }
    push({.kind = pickle_kind::object, .callable = made[0], .arguments = made[1]});
  }
  void set_state() {
    auto const state = pop();
    auto& object = top();
    if (object.kind != pickle_kind::object) fail(text("sets the state of ", name_of(object.kind)));
    if (object.state != no_pickle_id) fail("sets the state of an object that has one");
    object.state = state;
  }
  void put(std::int64_t key) {
    require_values(1);
    memo_[key] = stack_.back();
  }
  void get(std::int64_t key) {
    auto const found = memo_.find(key);
    if (found == memo_.end()) fail(text("memo ", key, " has not been written"));
    stack_.push_back(found->second);
  }

  std::filesystem::path path_;
  std::span<std::string_view const> globals_;
  std::string file_;
  std::size_t next_ = 0;  // byte to read next
  std::size_t at_ = 0;    // byte of the opcode at work
  unsigned opcode_ = 0;
  bool stopped_ = false;
  std::vector<pickle_value> values_;
  std::vector<pickle_id> stack_;
  std::vector<std::size_t> marks_;  // sizes of the stack
  std::unordered_map<std::int64_t, pickle_id> memo_;
  pickle_id root_ = no_pickle_id;
};

}  // namespace edgewise::detail
