#pragma once

// Small numbers and doubles from the fuzzer's bytes; zeros after their end.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace anonkit {

class RawBytes {
 public:
  RawBytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  bool empty() const { return at_ >= size_; }

  std::uint8_t byte() { return empty() ? std::uint8_t{0} : data_[at_++]; }

  int between(int low, int high) { return low + byte() % (high - low + 1); }

  bool flag() { return (byte() & 1) != 0; }

  /// One of eight doubles is any bit pattern, even an infinity or NaN; the others are small and
  /// tie.
  double number() {
    const int kind = byte();
    if (kind % 8 != 0) return kind % 8 < 6 ? kind / 8 : (kind - 128) / 7.0;
    double any = 0;
    std::uint8_t bits[sizeof any];
    for (std::uint8_t& b : bits) b = byte();
    std::memcpy(&any, bits, sizeof any);
    return std::isfinite(any) ? any : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

}  // namespace anonkit
