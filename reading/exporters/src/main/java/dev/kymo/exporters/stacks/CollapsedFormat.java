package dev.kymo.exporters.stacks;

import dev.kymo.exporters.bytes.BytesOut;
import dev.kymo.exporters.source.ExportFormat;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Collapsed stacks, a line a stack: {@code a;b;c 1234}. The number is the time in nanoseconds that
 * the calls of c with this stack took themselves, over all threads. Stacks without time of their
 * own have no line.
 */
public final class CollapsedFormat implements ExportFormat {
  @Override
  public String name() {
    return "collapsed";
  }

  @Override
  public String description() {
    return "stacks with their own time in ns, for flamegraph.pl, inferno and speedscope";
  }

  @Override
  public String write(ExportSource source, Path to) throws IOException {
    Frames<String> frames = new Frames<>(method -> frame(source.method(method).qualifiedName()));
    StackTree tree = new StackTree(source, frames::of);
    for (ExportTrack track : StackTree.tracks(source)) {
      tree.reset();
      source.walk(track, tree);
    }
    try (BytesOut out = BytesOut.to(to)) {
      return lines(tree, frames, out) + " stacks";
    }
  }

  /** What separates frames and ends lines cannot be in a name. */
  private static String frame(String name) {
    StringBuilder text = new StringBuilder(name.length());
    name.codePoints()
        .map(c -> c == ';' ? ':' : Character.isISOControl(c) ? ' ' : c)
        .forEach(text::appendCodePoint);
    return text.toString();
  }

  private static long lines(StackTree tree, Frames<String> frames, BytesOut out) {
    int[] stack = new int[16];
    long lines = 0;
    for (int node = 1; node < tree.size(); node++) {
      if (tree.self(node) > 0) {
        int depth = 0;
        for (int at = node; at != 0; at = tree.parent(at)) {
          if (depth == stack.length) {
            stack = Arrays.copyOf(stack, 2 * depth);
          }
          stack[depth++] = tree.frame(at);
        }
        while (depth > 0) {
          out.put(frames.all().get(stack[--depth])).put(depth == 0 ? ' ' : ';');
        }
        out.number(tree.self(node)).put('\n');
        lines++;
      }
    }
    return lines;
  }
}
