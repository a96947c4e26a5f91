import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockConstruction;
import static org.mockito.Mockito.mockStatic;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

/** Mocks a final class, static methods and constructors, for which Mockito changes the class. */
class Mocked {
  static final class Clerk {
    private final int base;

    Clerk(int base) {
      this.base = base;
    }

    int serve(int customer) {
      int sum = base;
      for (int i = 0; i < customer; i++) {
        sum += i;
      }
      return sum;
    }

    static String name(int number) {
      return "clerk " + number;
    }
  }

  public static void main(String[] args) {
    Clerk real = new Clerk(100);
    print("real", real);
    Clerk mock = mock(Clerk.class);
    when(mock.serve(3)).thenReturn(9);
    print("mock", mock);
    verify(mock).serve(4);
    Clerk spy = spy(real);
    when(spy.serve(3)).thenReturn(8);
    print("spy", spy);
    try (var names = mockStatic(Clerk.class)) {
      names.when(() -> Clerk.name(1)).thenReturn("mocked name");
      print("static", real);
    }
    try (var made = mockConstruction(Clerk.class)) {
      print("made", new Clerk(7));
    }
    print("real", real);
  }

  private static void print(String what, Clerk clerk) {
    System.out.println(what + " " + clerk.serve(3) + " " + clerk.serve(4) + " " + Clerk.name(1));
  }
}
