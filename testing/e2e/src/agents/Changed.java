/** Has one of its classes changed by an agent, again and again. */
class Changed {
  static class Text {
    static String say(int number) {
      StringBuilder text = new StringBuilder("plain");
      for (int i = 0; i < number; i++) {
        text.append(i);
      }
      return text.toString();
    }
  }

  public static void main(String[] args) throws Exception {
    System.out.println(Text.say(1));
    for (int i = 0; i < 3; i++) {
      Changer.retransform(Text.class, "other");
      System.out.println(Text.say(2));
      Changer.redefine(Text.class, "third");
      System.out.println(Text.say(3));
      Changer.retransform(Text.class, "plain");
      System.out.println(Text.say(4));
    }
    Changer.retransform(Text.class, "other"); // it stays so
  }
}
