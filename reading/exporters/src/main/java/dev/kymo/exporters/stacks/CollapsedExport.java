package dev.kymo.exporters.stacks;

import dev.kymo.exporters.bytes.BytesOut;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntToLongFunction;

/**
 * Collapsed stacks, a line a stack: {@code a;b;c 1234}. The number is the time in nanoseconds that
 * the calls of c with this stack took themselves, over all threads, or how many samples have the
 * stack. Stacks without either have no line.
 */
public final class CollapsedExport implements StackFormat {
  private final String sampled;

  public CollapsedExport() {
    this(AUTOMATIC);
  }

  private CollapsedExport(String sampled) {
    this.sampled = sampled;
  }

  @Override
  public CollapsedExport of(String samples) {
    return new CollapsedExport(samples);
  }

  @Override
  public String name() {
    return "collapsed";
  }

  @Override
  public String description() {
    return "stacks with their own time in ns or samples, for flamegraph.pl, inferno and speedscope";
  }

  @Override
  public boolean hasCommands() {
    return false;
  }

  @Override
  public String write(ExportSource source, Path to) throws IOException {
    Frames<String> frames = new Frames<>(method -> frame(source.method(method).qualifiedName()));
    StackTree tree = new StackTree(source, frames::of);
    Optional<Samples> samples = Samples.of(source, sampled);
    if (samples.isPresent()) {
      source.tracks().forEach(track -> samples.get().read(track, tree::sample));
    } else {
      for (ExportTrack track : StackTree.tracks(source)) {
        tree.reset();
        source.walk(track, tree);
      }
    }
    try (BytesOut out = BytesOut.to(to)) {
      String stacks = lines(tree, samples.isPresent() ? tree::calls : tree::self, frames, out);
      return samples.map(of -> stacks + ", " + of.says()).orElse(stacks);
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

  private static String lines(
      StackTree tree, IntToLongFunction amount, Frames<String> frames, BytesOut out) {
    int[] stack = new int[16];
    long lines = 0;
    for (int node = 1; node < tree.size(); node++) {
      if (amount.applyAsLong(node) > 0) {
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
        out.number(amount.applyAsLong(node)).put('\n');
        lines++;
      }
    }
    return lines + " stacks";
  }
}
