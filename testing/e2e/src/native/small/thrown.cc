/* calls: main 1, tries 3, inner 3, Guard::Guard 3, Guard::~Guard 3 */
#include <stdexcept>
static int open_guards;
struct Guard {
  Guard() { open_guards++; }
  ~Guard() { open_guards--; }
};
static void inner(int n) {
  if (n > 0) throw n;
}
static int tries(int n) {
  try {
    Guard guard;
    inner(n);
    return 0;
  } catch (int caught) {
    return caught;
  }
}
int main() { return tries(0) + tries(1) + tries(2) == 3 && open_guards == 0 ? 0 : 1; }
