package dev.kymo.symbols;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions of {@link SymbolProcess}, a line each. A question is file, build id, address,
 * the symbol as far as it is known, and {@link #CALL} if something is called there; the answer is
 * name, parameters, source file and line. Tabs separate them. It is a process of its own, because
 * damaged files may kill it.
 */
public final class SymbolServer {
  /** The address is not where a function begins. */
  static final String CALL = "call";

  private final Demangler demangler = new Demangler();
  private final @Nullable DebugFiles files = DebugFiles.open();

  private SymbolServer() {}

  /** Answers until there are no more questions. */
  public static void main(String[] args) throws IOException {
    SymbolServer server = new SymbolServer();
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.print(server.answer(line.split("\t", -1)).replace('\n', ' ') + "\n");
      out.flush();
    }
  }

  private String answer(String[] question) {
    DebugFiles.SourceLocation place = DebugFiles.SourceLocation.NONE;
    if (files != null && !question[0].isEmpty()) {
      long address = HexFormat.fromHexDigitsToLong(question[2]);
      boolean symbol = isVague(question[3]) || question[4].equals(CALL);
      place = files.find(question[0], question[1], address, symbol);
    }
    FunctionName name = name(question[3], place);
    boolean begins = place.offset() == 0 && !place.symbol().isEmpty(); // a thread's function
    if (files == null || question[0].isEmpty() || begins || !question[4].equals(CALL)) {
      return answer(name, place.file(), place.line());
    }
    long address = HexFormat.fromHexDigitsToLong(question[2]);
    InlinedCode.Code code = files.findCode(question[0], question[1], address);
    FunctionName own = code.function().isEmpty() ? name : demangler.of(code.function());
    return answer(own, code.file(), code.line());
  }

  private static String answer(FunctionName name, String file, int line) {
    return String.join(
        "\t",
        name.name().replace('\t', ' '),
        name.parameters().replace('\t', ' '),
        file.replace('\t', ' '),
        Integer.toString(line));
  }

  private static boolean isVague(String symbol) {
    return symbol.startsWith("0x") || symbol.contains("+0x");
  }

  /** The process has seen what is in the file itself; a debug file may contain more. */
  private FunctionName name(String known, DebugFiles.SourceLocation place) {
    if (!isVague(known)) {
      return demangler.of(known);
    }
    if (!place.symbol().isEmpty() && place.offset() == 0) {
      return demangler.of(place.symbol());
    }
    String near = known;
    if (known.startsWith("0x") && !place.symbol().isEmpty()) {
      near = place.symbol() + "+0x" + Long.toHexString(place.offset());
    }
    int plus = near.lastIndexOf("+0x");
    return plus < 0
        ? new FunctionName(near, "")
        : new FunctionName(demangler.of(near.substring(0, plus)).name() + near.substring(plus), "");
  }
}
