package dev.kymo.reader;

import java.util.Comparator;

/** Orders names as people do: numbers by their value, so that ring-9 comes before ring-10. */
enum NaturalOrder implements Comparator<String> {
  INSTANCE;

  @Override
  public int compare(String a, String b) {
    int i = 0;
    int j = 0;
    while (i < a.length() && j < b.length()) {
      if (digit(a, i) && digit(b, j)) {
        int endA = numberEnd(a, i);
        int endB = numberEnd(b, j);
        int order = Integer.compare(endA - i, endB - j);
        order = order != 0 ? order : a.substring(i, endA).compareTo(b.substring(j, endB));
        if (order != 0) {
          return order;
        }
        i = endA;
        j = endB;
      } else if (a.charAt(i) != b.charAt(j)) {
        return Character.compare(a.charAt(i), b.charAt(j));
      } else {
        i++;
        j++;
      }
    }
    return Integer.compare(a.length() - i, b.length() - j);
  }

  private static boolean digit(String s, int at) {
    return s.charAt(at) >= '0' && s.charAt(at) <= '9';
  }

  private static int numberEnd(String s, int from) {
    int end = from;
    while (end < s.length() && digit(s, end)) {
      end++;
    }
    return end;
  }
}
