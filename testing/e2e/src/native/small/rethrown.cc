/* calls: main 1, a 1, b 1, c 1, d 1 */
#include <stdexcept>
#include <string>
static void d() { throw std::runtime_error("d"); }
static void c() { try { d(); } catch (...) { throw; } }
static void b() { c(); }
static void a() {
  try {
    b();
  } catch (const std::runtime_error &e) {
    throw std::logic_error(std::string(e.what()) + "a");
  }
}
int main() {
  try {
    a();
  } catch (const std::exception &e) {
    return std::string(e.what()) == "da" ? 0 : 1;
  }
  return 2;
}
