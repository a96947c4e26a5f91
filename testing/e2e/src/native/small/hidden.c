/* Only some functions are recorded.
 * calls: main 1, seen 2 */
__attribute__((no_instrument_function)) static int unseen(int n) { return n + 1; }
static int seen(int n) { return unseen(n); }
int main(void) { return seen(1) + seen(2) + unseen(3) == 9 ? 0 : 1; }
