/* calls: main 1, down 10001
 * uftrace: follows 1024 levels */
static int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }
int main(void) { return down(10000) == 10000 ? 0 : 1; }
