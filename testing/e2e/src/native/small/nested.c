/* A function inside a function, called through a trampoline on the stack.
 * calls: main 1, apply 3, add.0 3
 * options: -Wl,-z,execstack */
static int apply(int (*function)(int), int value) { return function(value); }
int main(void) {
  int more = 4;
  int add(int value) { return value + more; }
  return apply(add, apply(add, apply(add, 0))) == 12 ? 0 : 1;
}
