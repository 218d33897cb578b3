// Python pickles of protocols 0 to 5, read as data: nothing that they name is imported, called or run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <edgewise/core/error.hpp>
#include <edgewise/io/pickle_cursor.hpp>

namespace edgewise::inline v0::detail {

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

/// The name of a global as Python 2, NumPy 1 and older SciPy have it, which is how the readers know it.
inline std::string old_global(std::string_view module, std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> renamed[] = {
      {"builtins", "__builtin__"},
      {"copyreg", "copy_reg"},
      {"numpy._core.multiarray", "numpy.core.multiarray"},
      {"numpy._core.numeric", "numpy.core.numeric"},
      {"scipy.sparse._csr", "scipy.sparse.csr"},
  };
  for (auto const& [today, before] : renamed) {
    if (module == today) module = before;
  }
  return joined(module, " ", name);
}

/// All values of a pickle; the constructor reads them, or throws `io_error` naming the file, the byte and the opcode.
/// Opcodes are those by which Python 2 and 3 write containers, ints, strings, bytes and objects; floats, sets and
/// persistent ids are refused, and so is a global that is not among `globals` ("module name", as `old_global` has it).
/// Bytes and text are both strings here, text in UTF-8. Takes memory and time in proportion to the file, however often
/// it names a value again; whoever walks the values must see to that itself (`size_bytes`).
/// Source: pickletools.py of CPython.
class pickle {
public:
  pickle(std::filesystem::path path, std::span<std::string_view const> globals)
      : file_(std::move(path)), globals_(globals) {
    while (!stopped_) read_opcode();
    file_.require_end();
    root_ = pop();
    if (!stack_.empty() || !marks_.empty()) file_.fail("more than one value is left at the end");
    file_.forget_bytes();
    memo_.clear();
  }

  /// Bytes of the file: each byte of it can name one value, at most.
  std::size_t size_bytes() const { return file_.size(); }
  pickle_value const& root() const { return values_[root_]; }
  pickle_value const& operator[](pickle_id id) const { return values_[id]; }

  [[noreturn]] void fail_at(std::size_t at, std::string const& reason) const { file_.fail_at(at, reason); }

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
    switch (file_.next_opcode()) {
      case 0x80:  // PROTO
        return read_protocol();
      case 0x95:  // FRAME
        return read_frame();
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
        return push_integer(static_cast<std::int32_t>(file_.bytes_as_number(4)));
      case 'K':  // BININT1
        return push_integer(static_cast<std::int64_t>(file_.bytes_as_number(1)));
      case 'M':  // BININT2
        return push_integer(static_cast<std::int64_t>(file_.bytes_as_number(2)));
      case 0x8a:  // LONG1
        return read_long();
      case 'S':  // STRING
        return push_string(file_.unquoted(file_.line()));
      case 'V':  // UNICODE
        return push_string(file_.raw_unicode(file_.line()));
      case 'U':   // SHORT_BINSTRING
      case 'C':   // SHORT_BINBYTES
      case 0x8c:  // SHORT_BINUNICODE
        return push_string(file_.counted_bytes(1));
      case 'T':  // BINSTRING
      case 'B':  // BINBYTES
      case 'X':  // BINUNICODE
        return push_string(file_.counted_bytes(4));
      case 0x8d:  // BINUNICODE8
      case 0x8e:  // BINBYTES8
      case 0x96:  // BYTEARRAY8
        return push_string(file_.counted_bytes(8));
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
      case 0x93:  // STACK_GLOBAL
        return make_global();
      case 'R':   // REDUCE
      case 0x81:  // NEWOBJ
        return make_object();
      case 'b':  // BUILD
        return set_state();
      case 0x94:  // MEMOIZE
        return put(static_cast<std::int64_t>(memo_.size()));
      case 'p':  // PUT
        return put(file_.line_as_number(file_.line()));
      case 'q':  // BINPUT
        return put(static_cast<std::int64_t>(file_.bytes_as_number(1)));
      case 'r':  // LONG_BINPUT
        return put(static_cast<std::int64_t>(file_.bytes_as_number(4)));
      case 'g':  // GET
        return get(file_.line_as_number(file_.line()));
      case 'h':  // BINGET
        return get(static_cast<std::int64_t>(file_.bytes_as_number(1)));
      case 'j':  // LONG_BINGET
        return get(static_cast<std::int64_t>(file_.bytes_as_number(4)));
      default:
        file_.fail("is not read here");
    }
  }

  void read_protocol() {
    auto const protocol = file_.bytes_as_number(1);
    if (protocol > 5) file_.fail(text("protocol ", protocol, ", must be 0 to 5"));
  }
  /// How many bytes are read at once is of no matter here, where all are there.
  void read_frame() {
    auto const count = file_.bytes_as_number(8);
    file_.require_bytes(count);
  }
  /// Protocols 0 and 1 write bools as 00 and 01.
  void read_int_line() {
    auto const digits = file_.line();
    if (digits == "00" || digits == "01") return push_number(pickle_kind::boolean, digits[1] - '0');
    push_integer(file_.line_as_number(digits));
  }
  void read_long_line() {
    auto digits = file_.line();
    if (!digits.empty() && digits.back() == 'L') digits.remove_suffix(1);
    push_integer(file_.line_as_number(digits));
  }
  /// Two's complement of as few bytes as hold the number.
  void read_long() {
    auto const count = file_.bytes_as_number(1);
    if (count > 8) file_.fail(text("an integer of ", count, " bytes, must have at most 8"));
    auto number = file_.bytes_as_number(count);
    if (count > 0 && count < 8 && (number >> (8 * count - 1)) != 0) number |= ~std::uint64_t{0} << (8 * count);
    push_integer(static_cast<std::int64_t>(number));
  }
  void read_global() {
    auto const module = file_.line();
    push_global(module, file_.line());
  }
  void make_global() {
    auto const names = last(2);
    auto const &module = values_[names[0]], &name = values_[names[1]];
    if (module.kind != pickle_kind::string || name.kind != pickle_kind::string) {
      file_.fail(
          text("names a global by ", name_of(module.kind), " and ", name_of(name.kind), ", must be two strings"));
    }
    push_global(module.bytes, name.bytes);
  }
  void push_global(std::string_view module, std::string_view name) {
    auto global = old_global(module, name);
    if (std::find(globals_.begin(), globals_.end(), global) == globals_.end()) {
      file_.fail(text("global \"", shown(module), " ", shown(name),
                      "\" is not one that such a file needs; nothing of it was run"));
    }
    push({.kind = pickle_kind::global, .bytes = std::move(global)});
  }

  // The stack. What lies below the last mark is out of reach until something takes the mark.

  void push(pickle_value value) {
    if (values_.size() == no_pickle_id) file_.fail("more than 2^32 - 1 values");
    value.at = file_.at();
    stack_.push_back(static_cast<pickle_id>(values_.size()));
    values_.push_back(std::move(value));
  }
  void push_number(pickle_kind kind, std::int64_t number) { push({.kind = kind, .number = number}); }
  void push_integer(std::int64_t number) { push_number(pickle_kind::integer, number); }
  void push_string(std::string_view string) { push({.kind = pickle_kind::string, .bytes = std::string(string)}); }
  void push_items(pickle_kind kind, std::vector<pickle_id> items) { push({.kind = kind, .items = std::move(items)}); }

  void require_values(std::size_t count) const {
    auto const reach = stack_.size() - (marks_.empty() ? 0 : marks_.back());
    if (reach < count) file_.fail(text("takes ", count, " values, there are ", reach));
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
    if (marks_.empty()) file_.fail("there is no mark");
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
    if (list.kind != pickle_kind::list) file_.fail(text("appends to ", name_of(list.kind), ", must be a list"));
    list.items.insert(list.items.end(), items.begin(), items.end());
  }
  void push_dictionary(std::vector<pickle_id> items) {
    if (items.size() % 2 != 0) file_.fail("a key has no value");
    push_items(pickle_kind::dictionary, std::move(items));
  }
  void set_items(std::vector<pickle_id> const& items) {
    auto& target = top();
    if (target.kind != pickle_kind::dictionary && target.kind != pickle_kind::object) {
      file_.fail(text("sets items of ", name_of(target.kind), ", must be a dict or an object"));
    }
    if (items.size() % 2 != 0) file_.fail("a key has no value");
    target.items.insert(target.items.end(), items.begin(), items.end());
  }
  void make_object() {
    auto const made = last(2);
    if (values_[made[0]].kind != pickle_kind::global || values_[made[1]].kind != pickle_kind::tuple) {
      file_.fail(text("makes an object from ", name_of(values_[made[0]].kind), " and ", name_of(values_[made[1]].kind),
                      ", must be a global and a tuple"));
    }
    auto const& global = values_[made[0]].bytes;
    if (global == "_codecs encode") return push_encoded(values_[made[1]]);
    if (global == "__builtin__ bytes" && values_[made[1]].items.empty()) return push_string({});
    push({.kind = pickle_kind::object, .callable = made[0], .arguments = made[1]});
  }
  /// Bytes, which protocols 0 to 2 know as text of the letters with these numbers: encode(text, 'latin1').
  void push_encoded(pickle_value const& arguments) {
    if (arguments.items.size() != 2 || values_[arguments.items[0]].kind != pickle_kind::string ||
        values_[arguments.items[1]].bytes != "latin1") {
      file_.fail("encodes something else than text as latin1");
    }
    auto const& letters = values_[arguments.items[0]].bytes;
    // Text that is named again and again takes memory each time.
    num_encoded_ += letters.size();
    if (num_encoded_ > file_.size()) file_.fail("encodes more text than the file has");
    std::string plain;
    for (std::size_t k = 0; k < letters.size(); ++k) {
      auto const byte = static_cast<unsigned char>(letters[k]);
      if (byte < 0x80) {
        plain += letters[k];
      } else if ((byte == 0xc2 || byte == 0xc3) && k + 1 < letters.size() &&
                 (static_cast<unsigned char>(letters[k + 1]) & 0xc0) == 0x80) {
        plain += static_cast<char>((byte & 3) << 6 | (static_cast<unsigned char>(letters[++k]) & 0x3f));
      } else {
        file_.fail("encodes text as latin1 that has other letters");
      }
    }
    push_string(plain);
  }
  void set_state() {
    auto const state = pop();
    auto& object = top();
    if (object.kind != pickle_kind::object) file_.fail(text("sets the state of ", name_of(object.kind)));
    if (object.state != no_pickle_id) file_.fail("sets the state of an object that has one");
    object.state = state;
  }
  void put(std::int64_t key) {
    require_values(1);
    memo_[key] = stack_.back();
  }
  void get(std::int64_t key) {
    auto const found = memo_.find(key);
    if (found == memo_.end()) file_.fail(text("memo ", key, " has not been written"));
    stack_.push_back(found->second);
  }

  pickle_cursor file_;
  std::span<std::string_view const> globals_;
  std::size_t num_encoded_ = 0;  // letters of text
  bool stopped_ = false;
  std::deque<pickle_value> values_;  // grows without copies, which would take twice the memory
  std::vector<pickle_id> stack_;
  std::vector<std::size_t> marks_;          // sizes of the stack
  std::map<std::int64_t, pickle_id> memo_;  // keys are the file's: no hash that it could be written against
  pickle_id root_ = no_pickle_id;
};

}  // namespace edgewise::inline v0::detail
