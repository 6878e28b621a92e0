// Writes, for each test, its time and the mutants that it reached: into the file named by REACHED.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "mutant.hpp"

namespace {

class Reached : public testing::EmptyTestEventListener {
 public:
  explicit Reached(const char* file) : file_(file) {
    for (int number = 0; number < mutant::kMost; ++number)
      if (mutant::applicable[number]) file_ << number << ' ';
    file_ << '\n';
  }

 private:
  void OnTestStart(const testing::TestInfo&) override {
    for (std::atomic<bool>& one : mutant::reached) one = false;
  }

  void OnTestEnd(const testing::TestInfo& test) override {
    file_ << test.test_suite_name() << '.' << test.name() << ' ' << test.result()->elapsed_time();
    for (int number = 0; number < mutant::kMost; ++number)
      if (mutant::reached[number]) file_ << ' ' << number;
    file_ << std::endl;
  }

  std::ofstream file_;
};

/// Before the first test, after all static objects.
class Environment : public testing::Environment {
  void SetUp() override {
    if (const char* file = std::getenv("REACHED"))
      testing::UnitTest::GetInstance()->listeners().Append(new Reached(file));
  }
};

const testing::Environment* const environment = testing::AddGlobalTestEnvironment(new Environment);

}  // namespace
