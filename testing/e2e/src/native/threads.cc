// What C++ makes of the thread library.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

int main() {
  std::mutex mutex;
  std::condition_variable condition;
  long sum = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([&] {
      for (int j = 0; j < 1000; j++) {
        std::lock_guard<std::mutex> lock(mutex);
        sum++;
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  bool go = false;
  std::thread other([&] {
    std::lock_guard<std::mutex> lock(mutex);
    go = true;
    condition.notify_all();
  });
  bool waited;
  {
    std::unique_lock<std::mutex> lock(mutex);
    condition.wait(lock, [&] { return go; });
    condition.wait_for(lock, std::chrono::milliseconds(1));
    waited = go;
  }
  other.join();
  int caught = 0;
  int once_count = 0;
  std::once_flag once;
  for (int i = 0; i < 4; i++) {
    try {
      std::call_once(once, [&] {
        if (i < 2) {
          throw std::runtime_error("not yet"); // through the thread library
        }
        once_count++;
      });
    } catch (const std::runtime_error &) {
      caught++;
    }
  }
  std::printf("sum=%ld waited=%d caught=%d once=%d\n", sum, waited, caught, once_count);
}
