// Work that is the same every time, run again and again.
#pragma once

namespace edgewise::models {

/// Runs work that launches the same on the same memory each time. A context that can record it replays the record.
template <class Context>
class replay {
public:
  template <class Work>
  void run(Context const&, Work const& work) {
    work();
  }
};

}  // namespace edgewise::models
