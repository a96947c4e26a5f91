/** Starts itself again, with and without touching the environment. */
public class Parent {
  static int spawn(boolean environment) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            System.getProperty("java.home") + "/bin/java",
            "-cp",
            System.getProperty("java.class.path"),
            "Parent",
            "child");
    if (environment) {
      builder.environment().put("CHILD", "1");
    }
    builder.redirectOutput(ProcessBuilder.Redirect.INHERIT);
    return builder.start().waitFor();
  }

  static void child() {
    System.out.println("child " + (System.getenv("CHILD") == null ? "plain" : "marked"));
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0) {
      child();
      return;
    }
    int exits = spawn(false) + spawn(true);
    System.out.println("parent " + exits + " " + (System.getenv("JAVA_TOOL_OPTIONS") == null));
  }
}
