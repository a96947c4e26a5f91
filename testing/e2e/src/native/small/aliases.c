/* Two names for one function, and one that another file may replace.
 * calls: main 1, real 2, weak 1
 * uftrace: takes the other name */
int real(int n) { return n + 1; }
int other(int n) __attribute__((alias("real")));
__attribute__((weak)) int weak(int n) { return n; }
int main(void) { return real(1) + other(1) + weak(1) == 5 ? 0 : 1; }
