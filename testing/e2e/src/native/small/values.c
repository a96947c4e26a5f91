/* Structures, floating point and long double given back in all the registers there are.
 * calls: main 1, small 1, large 1, single 1, twice 1, longest 1, complexes 1 */
#include <complex.h>
struct small { int a; double b; };
struct large { char bytes[200]; };
static struct small small(int a) { return (struct small) {a, a * 0.5}; }
static struct large large(char c) { struct large l = {{0}}; l.bytes[199] = c; return l; }
static float single(float f) { return f + 1; }
static double twice(double d) { return d * 2; }
static long double longest(long double l) { return l / 2; }
static double complex complexes(double complex c) { return c * I; }
int main(void) {
  struct small s = small(4);
  return s.a == 4 && s.b == 2.0 && large('x').bytes[199] == 'x' && single(1.5f) == 2.5f && twice(2.5) == 5.0
      && longest(3.0L) == 1.5L && complexes(1.0) == 1.0 * I ? 0 : 1;
}
