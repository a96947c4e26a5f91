/* calls: main 1, try 3, level 9, fail 3 */
#include <setjmp.h>
static jmp_buf out;
static int caught;
static void fail(void) { longjmp(out, 1); }
static void level(int n) { if (n == 0) fail(); else level(n - 1); }
static void try(void) { if (setjmp(out) == 0) level(2); else caught++; }
int main(void) { try(); try(); try(); return caught == 3 ? 0 : 1; }
