/* Compiled so that the begin and end of each function are recorded. */
static int inner(int n) { return n + 1; }

static int outer(int n) { return inner(n) + inner(n + 1); }

int main(void) {
  int sum = 0;
  for (int i = 0; i < 50; i++) {
    sum += outer(i);
  }
  return sum > 0 ? 0 : 1;
}
