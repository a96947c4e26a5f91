/* A function whose code is chosen when the program begins.
 * calls: main 1, fast 3 */
static int fast(int n) { return n * 2; }
__attribute__((no_instrument_function)) static int (*choose(void))(int) { return fast; }
int twice(int n) __attribute__((ifunc("choose")));
int main(void) { return twice(1) + twice(2) + twice(3) == 12 ? 0 : 1; }
