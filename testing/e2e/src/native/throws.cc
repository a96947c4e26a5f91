// Throws through several functions; prints how often it was caught.
#include <cstdio>
#include <stdexcept>

__attribute__((noinline)) static void throwing(int n) {
  if (n == 0) {
    throw std::runtime_error("deep");
  }
  throwing(n - 1);
  std::puts("never");
}

__attribute__((noinline)) static bool catching() {
  try {
    throwing(3);
  } catch (const std::runtime_error &) {
    return true;
  }
  return false;
}

int main() {
  int caught = 0;
  for (int i = 0; i < 5; i++) {
    caught += catching();
  }
  std::printf("caught %d\n", caught);
}
