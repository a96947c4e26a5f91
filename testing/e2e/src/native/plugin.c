/* A library to be loaded; it is not the same library with another N. */
#ifndef N
#define N 1
#endif

#define TEXT_(n) #n
#define TEXT(n) TEXT_(n)

static __attribute__((noinline, used)) int inner_function(int number) {
  __asm__ volatile("");
  return number + N;
}

__attribute__((weak)) int plug(int number) {
  __asm__ volatile("# " TEXT(N));
  return inner_function(number) - N;
}

int plugged(int number) {
  return plug(number) * N;
}
