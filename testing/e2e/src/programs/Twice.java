import java.util.Arrays;

/** Runs another program twice; before the second time it waits for a line, or for the input's end. */
class Twice {
  public static void main(String[] args) throws Exception {
    Class<?> program = Class.forName(args[0]);
    String[] rest = Arrays.copyOfRange(args, 1, args.length);
    run(program, rest);
    System.out.println("ready");
    int read = System.in.read();
    while (read >= 0 && read != '\n') {
      read = System.in.read();
    }
    run(program, rest);
  }

  private static void run(Class<?> program, String[] args) throws Exception {
    var main = program.getDeclaredMethod("main", String[].class);
    main.setAccessible(true);
    main.invoke(null, (Object) args);
  }
}
