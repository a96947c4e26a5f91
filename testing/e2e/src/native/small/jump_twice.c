/* One target that is jumped to again and again, also from one level up.
 * calls: main 1, below 6, at 4 */
#include <setjmp.h>
static jmp_buf out;
static void at(int value) { longjmp(out, value); }
static void below(int value) { if (value % 2) at(value); else { below(value + 1); } }
int main(void) {
  volatile int count = 0;
  switch (setjmp(out)) {
    case 0: count++; below(2); break;
    case 3: count++; below(4); break;
    case 5: count++; below(7); break;
    case 7: count++; below(9); break;
    default: count++;
  }
  return count == 5 ? 0 : 1;
}
