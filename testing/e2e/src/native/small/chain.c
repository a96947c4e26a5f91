/* calls: main 1, a 1, b 1, c 1 */
#include <unistd.h>
static int c(void) { return getpid() > 0; }
static int b(void) { return c(); }
static int a(void) { return b(); }
int main(void) { return a() - 1; }
