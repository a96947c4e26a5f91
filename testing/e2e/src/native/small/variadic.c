/* calls: main 1, sum 2, mean 1 */
#include <stdarg.h>
static int sum(int count, ...) {
  va_list list;
  int total = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) total += va_arg(list, int);
  va_end(list);
  return total;
}
static double mean(int count, ...) {
  va_list list;
  double total = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) total += va_arg(list, double);
  va_end(list);
  return total / count;
}
int main(void) { return sum(3, 1, 2, 3) + sum(0) == 6 && mean(2, 1.0, 3.0) == 2.0 ? 0 : 1; }
