/* Objects that are made before main and when they are first used.
 * calls: main 1, Counter::Counter 2, Counter::~Counter 2, late 3 */
struct Counter {
  int n;
  explicit Counter(int from) : n(from) {}
  ~Counter() { n = 0; }
};
static Counter early(5);
static int late() {
  static Counter counter(10);
  return counter.n++;
}
int main() { return late() + late() + late() == 33 && early.n == 5 ? 0 : 1; }
