/* calls: main 1, main::{lambda(int)#1}::operator() 5, apply 1
 * uftrace: has another name for the closure */
#include <functional>
extern "C" int apply(const std::function<int(int)> &function, int times) {
  int value = 0;
  for (int i = 0; i < times; i++) value = function(value);
  return value;
}
int main() {
  int step = 3;
  return apply([step](int n) { return n + step; }, 5) == 15 ? 0 : 1;
}
