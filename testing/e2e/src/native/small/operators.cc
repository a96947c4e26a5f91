/* calls: main 1, Big::operator+ 2, Big::operator== 1, Big::Big 4 */
struct Big {
  int value;
  explicit Big(int v) : value(v) {}
  Big operator+(const Big &other) const { Big sum(value + other.value); return sum; }
  bool operator==(int other) const { return value == other; }
};
int main() {
  Big one(1), two(2);
  return (one + two) + one == 4 ? 0 : 1;
}
