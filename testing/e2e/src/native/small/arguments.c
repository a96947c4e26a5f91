/* calls: main 1, many 1, mixed 1 */
static int many(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}
static double mixed(int a, double b, int c, double d, float e, double f, double g, double h, double i, double j, double k) {
  return a + b + c + d + e + f + g + h + i + j + k;
}
int main(void) {
  return many(1, 1, 1, 1, 1, 1, 1, 1, 1, 1) == 55 && mixed(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) == 66 ? 0 : 1;
}
