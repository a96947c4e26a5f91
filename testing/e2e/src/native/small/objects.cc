/* calls: main 1, Shape::Shape 3, Shape::~Shape 3, Circle::Circle 2, Circle::~Circle 2, Circle::area 2, Shape::area 1 */
struct Shape {
  Shape() {}
  virtual ~Shape() {}
  virtual int area() const { return 1; }
};
struct Circle : Shape {
  Circle() {}
  ~Circle() override {}
  int area() const override { return 3; }
};
int main() {
  Shape shape;
  Circle a, b;
  const Shape *all[] = {&shape, &a, &b};
  int sum = 0;
  for (const Shape *each : all) sum += each->area();
  return sum == 7 ? 0 : 1;
}
