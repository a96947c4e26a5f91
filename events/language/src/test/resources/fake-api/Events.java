package dev.kymo.api;

import java.util.ArrayList;
import java.util.List;

/** Writes down how it was called. Events whose number is 3 are off. */
public final class Events {
  public static final int INSTANT = 0;
  public static final int BEGIN = 1;
  public static final int END = 2;
  public static final int COUNTER = 3;
  public static final int SEND = 4;
  public static final int RECEIVE = 5;
  public static final List<String> CALLS = new ArrayList<>();
  private int count;

  public static Events subsystem(String name, int id, String category, String color) {
    CALLS.add("subsystem " + name + " " + id + " [" + category + "] [" + color + "]");
    return new Events();
  }

  public Events event(int id, String name, int kind, String description, String fields) {
    CALLS.add("event " + id + " " + name + " " + kind + " [" + description + "] [" + fields + "]");
    count++;
    return this;
  }

  public Events end(int id, String name, String begin, String description, String fields) {
    return event(id, name + " of " + begin, END, description, fields);
  }

  public int[] numbers() {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = i == 3 ? 0 : 100 + i;
    }
    return numbers;
  }

  public static int on(int[] numbers, int index) {
    return numbers[index];
  }

  public static void record(int event, long argument) {
    CALLS.add("record " + event + " " + argument);
  }

  public static Payload payload(int event) {
    return new Payload("payload " + event);
  }

  public static void enter(int event) {
    CALLS.add("enter " + event);
  }

  public static void leave(int event) {
    CALLS.add("leave " + event);
  }
}
