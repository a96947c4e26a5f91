/* Two functions, one as if it were of C++; compiled with -finstrument-functions. */
#include <stdio.h>
#include <unistd.h>

extern int inner(int number) __asm__("_ZN2ns5innerEiPKc");

__attribute__((noinline, used)) int inner(int number) {
  __asm__ volatile("");
  return number + 1;
}

__attribute__((noinline, used)) int plain(int number) {
  __asm__ volatile("");
  return inner(number) + 2;
}

int main(int count, char **arguments) {
  int sum = 0;
  (void) arguments;
  for (int i = 0; i < 10; i++) {
    sum += plain(i);
  }
  if (count > 1) {
    puts("ready");
    fflush(stdout);
    pause();
  }
  return sum == 75 ? 0 : 1;
}
