// As callers.c, in C++.
#include <cstdio>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace shop {

class Queue {
 public:
  __attribute__((noinline)) void use() {
    mutex.lock(); // waits
    mutex.unlock();
  }

  __attribute__((noinline)) void hold() {
    inlined();
    taken = 1;
    while (*(volatile int *) &mutex.native_handle()->__data.__lock != 2) {
      usleep(100);
    }
    mutex.unlock();
  }

  volatile int taken = 0;

 private:
  __attribute__((always_inline)) void inlined() {
    mutex.lock(); // holds
  }

  std::mutex mutex;
};

} // namespace shop

int main() {
  static shop::Queue queue;
  std::thread waiter([] {
    while (!queue.taken) {
      usleep(100);
    }
    queue.use();
  });
  queue.hold();
  waiter.join();
  std::puts("done");
}
