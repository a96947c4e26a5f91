/* calls: main 1, add 3, sub 2 */
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
int main(void) {
  int (*operations[])(int, int) = {add, sub, add, sub, add};
  int value = 0;
  for (int i = 0; i < 5; i++) value = operations[i](value, 2);
  return value == 2 ? 0 : 1;
}
