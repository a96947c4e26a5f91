/* calls: main 1, even 6, odd 5 */
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int main(void) { return even(10) ? 0 : 1; }
