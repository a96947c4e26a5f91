/* Without a C library: -nostdlib. */
static long call(long number, long first, long second, long third) {
#ifdef __x86_64__
  __asm__ volatile("syscall" : "+a"(number) : "D"(first), "S"(second), "d"(third) : "rcx", "r11", "memory");
  return number;
#else
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = first;
  register long x1 __asm__("x1") = second;
  register long x2 __asm__("x2") = third;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return x0;
#endif
}

void _start(void);

void _start(void) {
#ifdef __x86_64__
  call(1, 1, (long) "bare\n", 5);
  call(231, 43, 0, 0);
#else
  call(64, 1, (long) "bare\n", 5);
  call(94, 43, 0, 0);
#endif
  __builtin_trap();
}
