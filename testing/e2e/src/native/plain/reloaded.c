/* A library with one function of its own, FUNCTION, that others reach by another name. */
static int __attribute__((noinline)) FUNCTION(int n) {
  return n + 1;
}

int work(int n);

int __attribute__((no_instrument_function)) work(int n) {
  return FUNCTION(n);
}
