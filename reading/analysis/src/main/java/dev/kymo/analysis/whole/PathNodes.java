package dev.kymo.analysis.whole;

import java.util.Arrays;

/**
 * Nodes of trees of callers and callees, in columns: one each for a method called by the same path
 * of callers. Node 0 means none; the children of a node are a list.
 */
public final class PathNodes {
  public int[] method = new int[1024];
  public int[] child = new int[1024];
  public int[] sibling = new int[1024];
  public long[] calls = new long[1024];
  public long[] total = new long[1024];
  public long[] self = new long[1024];

  /** Those that were freed, as a list of siblings. */
  private int free;

  private int used = 1;
  private int freed;

  public PathNodes() {}

  /** Nodes in use. */
  public int count() {
    return used - 1 - freed;
  }

  /** All nodes have smaller numbers than this. */
  public int end() {
    return used;
  }

  /** Finds a method in a list, and brings it to the front; 0 if it is not there. */
  int find(int list, int wanted) {
    int before = 0;
    for (int node = list; node != 0; node = sibling[node]) {
      if (method[node] == wanted) {
        if (before != 0) {
          sibling[before] = sibling[node];
          sibling[node] = list;
        }
        return node;
      }
      before = node;
    }
    return 0;
  }

  /** A node at the front of a list, which it then stands for. */
  public int add(int list, int newMethod) {
    int node = free;
    if (node != 0) {
      free = sibling[node];
      freed--;
    } else {
      node = used++;
      if (node == method.length) {
        grow();
      }
    }
    method[node] = newMethod;
    child[node] = 0;
    sibling[node] = list;
    calls[node] = 0;
    total[node] = 0;
    self[node] = 0;
    return node;
  }

  public void count(int node, long newCalls, long newTotal, long newSelf) {
    calls[node] += newCalls;
    total[node] += newTotal;
    self[node] += newSelf;
  }

  void free(int node) {
    sibling[node] = free;
    free = node;
    freed++;
  }

  private void grow() {
    int length = method.length * 2;
    method = Arrays.copyOf(method, length);
    child = Arrays.copyOf(child, length);
    sibling = Arrays.copyOf(sibling, length);
    calls = Arrays.copyOf(calls, length);
    total = Arrays.copyOf(total, length);
    self = Arrays.copyOf(self, length);
  }
}
