// The main function of every test executable.
#define CATCH_CONFIG_RUNNER
#include "support/catch.hpp"

int main(int argc, char** argv) {
  // Catch exits with the number of failures, and 77 of them would read as CTest's "skipped".
  return Catch::Session().run(argc, argv) == 0 ? 0 : 1;
}
