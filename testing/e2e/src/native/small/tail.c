/* Calls at the very end, which the compiler makes jumps.
 * calls: main 1, first 3, second 3, third 3
 * options: -O2 */
__attribute__((noinline)) int third(int n) { return n + 1; }
__attribute__((noinline)) int second(int n) { return third(n * 2); }
__attribute__((noinline)) int first(int n) { return second(n + 3); }
int main(int count, char **arguments) {
  (void) arguments;
  return first(count) + first(count) + first(count) == 27 ? 0 : 1;
}
