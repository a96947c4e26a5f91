// What only programs in C++ do.
#include <any>
#include <atomic>
#include <condition_variable>
#include <coroutine>
#include <cstdlib>
#include <csignal>
#include <cstring>
#include <cxxabi.h>
#include <execinfo.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <omp.h>
#include <pthread.h>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <unwind.h>
#include <vector>

static int argument_count;

static __attribute__((noinline)) int one_more(int n) {
  asm volatile("");
  return n + 1;
}

static int calls(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum = one_more(sum);
  }
  return sum;
}

struct Noisy {
  const char *name;
  explicit Noisy(const char *name) : name(name) {}
  Noisy(const Noisy &) = default;
  ~Noisy() {
    std::cout << "~" << name << calls(1) << " " << std::flush;
  }
};

static int throw_below(int depth) {
  Noisy noisy(depth % 10 == 0 ? "ten" : "");
  if (depth == 0) {
    throw std::runtime_error("from below");
  }
  return throw_below(depth - 1) + depth;
}

static int exception_through_many_frames() {
  try {
    return throw_below(50);
  } catch (const std::exception &e) {
    std::cout << e.what() << "\n";
  }
  return calls(2);
}

static int thousand_exceptions() {
  int caught = 0;
  for (int i = 0; i < 1000; i++) {
    try {
      throw calls(2);
    } catch (int two) {
      caught += two;
    }
  }
  std::cout << caught << "\n";
  return 0;
}

static int rethrown() {
  try {
    try {
      throw_below(3);
    } catch (...) {
      std::throw_with_nested(std::logic_error("outer"));
    }
  } catch (const std::exception &e) {
    std::cout << e.what();
    try {
      std::rethrow_if_nested(e);
    } catch (const std::exception &inner) {
      std::cout << " of " << inner.what() << "\n";
    }
  }
  return 1;
}

static int compare(const void *, const void *) {
  throw 17;
}

static int exception_through_c() {
  int numbers[] = {3, 2, 1};
  try {
    qsort(numbers, 3, sizeof numbers[0], compare);
  } catch (int got) {
    return got;
  }
  return 0;
}

static int uncaught() {
  throw std::runtime_error("nobody catches this");
}

static void not_throwing() noexcept {
  throw_below(2);
}

static int thrown_where_it_may_not() {
  not_throwing();
  return 0;
}

static int own_end() {
  std::set_terminate([] {
    std::cout << "own end " << std::uncaught_exceptions() << std::endl;
    _exit(41);
  });
  throw 5;
}

static int exception_of_a_thread() {
  auto result = std::async(std::launch::async, [] { return throw_below(5); });
  try {
    return result.get();
  } catch (const std::runtime_error &e) {
    std::cout << e.what() << "\n";
  }
  return calls(3);
}

static int thread_that_is_not_joined() {
  std::thread thread([] { calls(3); });
  return 0;
}

static int joining_threads() {
  std::atomic<int> sum{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 10; i++) {
      threads.emplace_back([&sum](std::stop_token token) {
        while (!token.stop_requested()) {
          std::this_thread::yield();
        }
        sum += calls(5);
      });
    }
  }
  return sum;
}

static int waiting() {
  std::mutex mutex;
  std::condition_variable changed;
  int turn = 0;
  std::thread other([&] {
    for (int i = 0; i < 20; i++) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return turn % 2 == 1; });
      turn++;
      changed.notify_all();
    }
  });
  for (int i = 0; i < 20; i++) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return turn % 2 == 0; });
    turn++;
    changed.notify_all();
  }
  other.join();
  return turn;
}

struct OfThread {
  int count = 0;
  ~OfThread() {
    std::cout << "count " << count << " " << std::flush;
  }
};

static thread_local OfThread of_thread;

static int memory_of_threads() {
  for (int i = 1; i < 4; i++) {
    std::thread([i] { of_thread.count += calls(i); }).join();
  }
  return of_thread.count;
}

struct Generator {
  struct promise_type {
    int value = 0;
    Generator get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() {
      return {};
    }
    std::suspend_always final_suspend() noexcept {
      return {};
    }
    std::suspend_always yield_value(int next) {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {
      throw;
    }
  };
  std::coroutine_handle<promise_type> handle;
};

static Generator numbers(int most) {
  Noisy noisy("generator");
  for (int i = 0; i < most; i++) {
    co_yield calls(i);
  }
  throw std::out_of_range("no more");
}

static int coroutines() {
  auto one = numbers(4);
  auto other = numbers(2);
  int sum = 0;
  try {
    while (true) {
      one.handle.resume();
      other.handle.resume();
      sum += 10 * one.handle.promise().value + other.handle.promise().value;
    }
  } catch (const std::out_of_range &e) {
    std::cout << e.what() << "\n";
  }
  one.handle.destroy();
  return sum;
}

static int open_mp() {
  long sum = 0;
  omp_set_num_threads(4);
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 1000; i++) {
    sum += calls(3);
  }
  std::cout << sum << "\n";
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task shared(sum)
    {
#pragma omp atomic
      sum += calls(1);
    }
  }
  std::cout << sum << "\n";
  return 0;
}

static void *cancelled(void *) {
  Noisy noisy("cancelled");
  try {
    while (true) {
      pause();
    }
  } catch (abi::__forced_unwind &) {
    std::cout << "forced " << std::flush;
    throw;
  }
}

static int cancelled_thread() {
  pthread_t thread;
  pthread_create(&thread, nullptr, cancelled, nullptr);
  usleep(20000);
  pthread_cancel(thread);
  pthread_join(thread, nullptr);
  return calls(2);
}

static int at_exit_of_another(int) {
  static Noisy late("static");
  std::atexit([] { std::cout << "atexit " << std::flush; });
  return calls(2);
}

static int ends_in_order() {
  return at_exit_of_another(1);
}

static int exit_without_unwinding() {
  Noisy noisy("never");
  std::exit(calls(6));
}

static _Unwind_Reason_Code count_frame(struct _Unwind_Context *, void *count) {
  ++*static_cast<int *>(count);
  return _URC_NO_REASON;
}

static __attribute__((noinline)) int frames_below(int depth) {
  int count = 0;
  if (depth == 0) {
    _Unwind_Backtrace(count_frame, &count);
    return count;
  }
  count = frames_below(depth - 1);
  return count + calls(1) - 1;
}

static int stack_is_walked() {
  std::cout << frames_below(30) - frames_below(10) << "\n";
  void *frames[100];
  std::cout << (backtrace(frames, 100) > 2) << "\n";
  return 0;
}

static int thrown_in_a_handler() {
  std::signal(SIGUSR1, [](int) { calls(5); });
  for (int i = 0; i < 100; i++) {
    try {
      std::raise(SIGUSR1);
      throw i;
    } catch (int) {
    }
  }
  return 3;
}

static int no_memory() {
  try {
    std::vector<char> huge(std::size_t{1} << 46);
    return huge[5];
  } catch (const std::bad_alloc &) {
    return calls(7);
  }
}

static int library_of_the_language() {
  std::map<std::string, std::function<int(int)>> functions{{"a", calls}, {"b", one_more}};
  std::cout << functions["a"](3) + functions["b"](4) << " ";
  std::cout << std::regex_replace("kymo records", std::regex("re(c)"), "[$1]") << " ";
  std::ofstream("file") << "text";
  std::cout << std::filesystem::file_size("file") << " ";
  std::any any = std::string("any");
  try {
    std::any_cast<int>(any);
  } catch (const std::bad_any_cast &) {
    std::cout << "bad\n";
  }
  return 0;
}

static int called_once() {
  std::once_flag flag;
  int count = 0;
  for (int i = 0; i < 3; i++) {
    try {
      std::call_once(flag, [&] {
        if (count++ == 0) {
          throw 1;
        }
      });
    } catch (int) {
      std::cout << "again ";
    }
  }
  return count;
}

static const std::map<std::string, int (*)()> cases{
#define CASE(name) {#name, name}
    CASE(exception_through_many_frames), CASE(thousand_exceptions), CASE(rethrown), CASE(exception_through_c),
    CASE(uncaught), CASE(thrown_where_it_may_not), CASE(own_end), CASE(exception_of_a_thread),
    CASE(thread_that_is_not_joined), CASE(joining_threads), CASE(waiting), CASE(memory_of_threads), CASE(coroutines),
    CASE(open_mp), CASE(cancelled_thread), CASE(ends_in_order), CASE(exit_without_unwinding), CASE(stack_is_walked),
    CASE(thrown_in_a_handler), CASE(no_memory), CASE(library_of_the_language), CASE(called_once)};

static Noisy global("global");

int main(int count, char **words) {
  argument_count = count;
  if (count == 1) {
    for (const auto &each : cases) {
      std::cout << each.first << "\n";
    }
    _exit((std::cout << std::flush, 0));
  }
  auto found = cases.find(words[1]);
  return found == cases.end() ? 119 : found->second();
}
