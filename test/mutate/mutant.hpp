#pragma once

// Mutants that are compiled together: the environment variable MUTANT names the one that is active.
//
// A binary operator becomes a named operator of the same precedence, which evaluates both. `a < b`
// becomes `a < mutant::less<7> > b`: the first `<` keeps a and the number of the mutant, the second
// compares. Everything else is a function or a condition.

#include <atomic>
#include <type_traits>

namespace mutant {

constexpr int kMost = 20000;

extern const int active;
extern std::atomic<bool> reached[kMost];
extern bool applicable[kMost];

/// Notes that the tests came here; true for the mutant that is active.
inline bool is_active(int number) {
  reached[number].store(true, std::memory_order_relaxed);
  return active == number;
}

inline bool mark(int number) {
  return applicable[number] = true;
}

/// An operator is a mutant only where its operands are numbers.
template <int number>
struct Applicable {
  static inline const bool marked = mark(number);
};

/// True where the active mutant computes, leaves out a statement, or does not enter a branch.
template <int number>
bool is_active_number() {
  return Applicable<number>::marked && is_active(number);
}

template <class A, class B>
constexpr bool are_numbers = std::is_arithmetic_v<std::remove_reference_t<A>>&&
    std::is_arithmetic_v<std::remove_reference_t<B>>;

template <class A, int number, char kind>
struct Left {
  const A& a;
};

template <int number, char kind>
struct Named {};

template <int number>
inline constexpr Named<number, '<'> less{};
template <int number>
inline constexpr Named<number, 'l'> less_equal{};
template <int number>
inline constexpr Named<number, '>'> greater{};
template <int number>
inline constexpr Named<number, 'g'> greater_equal{};
template <int number>
inline constexpr Named<number, '='> equal{};
template <int number>
inline constexpr Named<number, '!'> unequal{};
template <int number>
inline constexpr Named<number, '+'> plus{};
template <int number>
inline constexpr Named<number, '-'> minus{};
template <int number>
inline constexpr Named<number, '*'> times{};
template <int number>
inline constexpr Named<number, '/'> divided{};

template <class A, int number, char kind>
Left<A, number, kind> operator<(const A& a, Named<number, kind>) {
  return {a};
}
template <class A, int number, char kind>
Left<A, number, kind> operator==(const A& a, Named<number, kind>) {
  return {a};
}
template <class A, int number, char kind>
Left<A, number, kind> operator+(const A& a, Named<number, kind>) {
  return {a};
}
template <class A, int number, char kind>
Left<A, number, kind> operator*(const A& a, Named<number, kind>) {
  return {a};
}

template <class A, int number, char kind, class B>
bool operator>(Left<A, number, kind> left, const B& b) {
  if constexpr (are_numbers<A, B>) {
    const bool changed = is_active_number<number>();
    if constexpr (kind == '<') return changed ? left.a <= b : left.a < b;
    if constexpr (kind == 'l') return changed ? left.a < b : left.a <= b;
    if constexpr (kind == '>') return changed ? left.a >= b : left.a > b;
    if constexpr (kind == 'g') return changed ? left.a > b : left.a >= b;
  } else {
    if constexpr (kind == '<') return left.a < b;
    if constexpr (kind == 'l') return left.a <= b;
    if constexpr (kind == '>') return left.a > b;
    if constexpr (kind == 'g') return left.a >= b;
  }
}

template <class A, int number, char kind, class B>
bool operator==(Left<A, number, kind> left, const B& b) {
  const bool changed = is_active_number<number>();
  return (left.a == b) != (changed != (kind == '!'));
}

template <class A, int number, char kind, class B>
auto operator+(Left<A, number, kind> left, const B& b) {
  if constexpr (are_numbers<A, B>) {
    const bool changed = is_active_number<number>();
    return changed == (kind == '+') ? left.a - b : left.a + b;
  } else if constexpr (kind == '+') {
    return left.a + b;
  } else {
    return left.a - b;
  }
}

template <class A, int number, char kind, class B>
auto operator*(Left<A, number, kind> left, const B& b) {
  if constexpr (are_numbers<A, B> && std::is_floating_point_v<decltype(left.a * b)>) {
    const bool changed = is_active_number<number>();
    return changed == (kind == '*') ? left.a / b : left.a * b;
  } else if constexpr (kind == '*') {
    return left.a * b;
  } else {
    return left.a / b;
  }
}

/// A literal and its successor.
template <int number, class A>
A constant(A a) {
  return is_active_number<number>() ? static_cast<A>(a + 1) : a;
}

}  // namespace mutant
