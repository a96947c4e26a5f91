/* calls: main 1, outer 1, inner 1
 * exit: 9
 * uftrace: reports nothing of a program that fails */
#include <stdlib.h>
static void inner(void) { exit(9); }
static void outer(void) { inner(); }
int main(void) { outer(); return 0; }
