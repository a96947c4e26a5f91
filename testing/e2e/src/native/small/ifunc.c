/* The loader calls a function that chooses another one, before any library is ready: that call is not recorded.
 * calls: main 1, plain 10 */
static int plain(int x) {
  return x + 1;
}

static int never(int x) {
  return x + 2;
}

static int choice(void) {
  return 1;
}

static int (*choose(void))(int) {
  return choice() ? plain : never;
}

int api(int x) __attribute__((ifunc("choose")));

int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++) {
    sum += api(i);
  }
  return sum == 55 ? 0 : 1;
}
