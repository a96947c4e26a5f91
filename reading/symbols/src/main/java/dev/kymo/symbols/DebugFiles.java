package dev.kymo.symbols;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Looks addresses up in ELF files, and in separate debug files where there are some, by libdw.
 * Reading damaged files with libdw can kill the virtual machine, so this class is used in a process
 * of its own, {@link SymbolServer}. Used by one thread.
 */
final class DebugFiles {
  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final long LONGEST = 1 << 16;

  private final Arena arena = Arena.global();
  private final Linker linker = Linker.nativeLinker();
  private final SymbolLookup lookup;
  private final MethodHandle begin;
  private final MethodHandle report;
  private final MethodHandle reportEnd;
  private final MethodHandle buildId;
  private final MethodHandle symbol;
  private final MethodHandle line;
  private final MethodHandle lineFacts;
  private final InlinedCode inlined;
  private final MemorySegment callbacks;
  private final MemorySegment scratch = arena.allocate(64, 8);
  private final Map<String, MemorySegment> modules = new HashMap<>();

  record SourceLocation(String symbol, long offset, String file, int line) {
    static final SourceLocation NONE = new SourceLocation("", 0, "", 0);
  }

  private DebugFiles(String library) {
    lookup = SymbolLookup.libraryLookup(library, arena);
    begin = call("dwfl_begin", FunctionDescriptor.of(POINTER, POINTER));
    report =
        call(
            "dwfl_report_elf",
            FunctionDescriptor.of(
                POINTER, POINTER, POINTER, POINTER, INT, LONG, ValueLayout.JAVA_BOOLEAN));
    reportEnd = call("dwfl_report_end", FunctionDescriptor.of(INT, POINTER, POINTER, POINTER));
    buildId = call("dwfl_module_build_id", FunctionDescriptor.of(INT, POINTER, POINTER, POINTER));
    symbol =
        call(
            "dwfl_module_addrinfo",
            FunctionDescriptor.of(
                POINTER, POINTER, LONG, POINTER, POINTER, POINTER, POINTER, POINTER));
    line = call("dwfl_module_getsrc", FunctionDescriptor.of(POINTER, POINTER, LONG));
    lineFacts =
        call(
            "dwfl_lineinfo",
            FunctionDescriptor.of(POINTER, POINTER, POINTER, POINTER, POINTER, POINTER, POINTER));
    inlined = new InlinedCode(linker, lookup, arena);
    callbacks = arena.allocate(MemoryLayout.sequenceLayout(4, POINTER));
    callbacks.setAtIndex(POINTER, 0, lookup.findOrThrow("dwfl_build_id_find_elf"));
    callbacks.setAtIndex(POINTER, 1, lookup.findOrThrow("dwfl_standard_find_debuginfo"));
    callbacks.setAtIndex(POINTER, 2, lookup.findOrThrow("dwfl_offline_section_address"));
  }

  /** Null where libdw is not installed. */
  static @Nullable DebugFiles open() {
    return open("libdw.so.1");
  }

  static @Nullable DebugFiles open(String library) {
    try {
      return new DebugFiles(library);
    } catch (IllegalArgumentException | NoSuchElementException e) {
      return null;
    }
  }

  private MethodHandle call(String name, FunctionDescriptor types) {
    return linker.downcallHandle(lookup.findOrThrow(name), types);
  }

  /**
   * What is known of an address as the file has it; nothing if the file does not have this build
   * id.
   *
   * @param build in hexadecimal digits, empty if the file had none
   */
  SourceLocation find(String path, String build, long address) {
    return find(path, build, address, true);
  }

  /**
   * The same.
   *
   * @param symbol whether the symbol is needed: in a large library it takes milliseconds to find
   */
  SourceLocation find(String path, String build, long address, boolean symbol) {
    try {
      MemorySegment module =
          modules.computeIfAbsent(path + '\n' + build, key -> moduleOf(path, build));
      return module.address() == 0 ? SourceLocation.NONE : find(module, address, symbol);
    } catch (Throwable e) {
      throw new IllegalStateException("cannot call libdw: file=" + path, e);
    }
  }

  /**
   * The same for code that calls something: the function that the code belongs to, also if
   * functions are inlined there.
   */
  InlinedCode.Code findCode(String path, String build, long address) {
    SourceLocation place = find(path, build, address);
    MemorySegment module = modules.getOrDefault(path + '\n' + build, MemorySegment.NULL);
    try {
      return module.address() == 0
          ? new InlinedCode.Code("", "", 0)
          : inlined.find(module, address, place);
    } catch (Throwable e) {
      throw new IllegalStateException("cannot call libdw: file=" + path, e);
    }
  }

  private MemorySegment moduleOf(String path, String build) {
    MemorySegment module = load(path, build);
    boolean hasId = build.length() > 2 && build.chars().allMatch(c -> Character.digit(c, 16) >= 0);
    if (module.address() == 0 && hasId) {
      // The file is gone or a different one: the debug file alone has symbols and lines as well.
      String debug =
          "/usr/lib/debug/.build-id/%s/%s.debug"
              .formatted(build.substring(0, 2), build.substring(2));
      module = load(debug, build);
    }
    return module;
  }

  private MemorySegment load(String path, String build) {
    if (!Files.isRegularFile(Path.of(path))) {
      return MemorySegment.NULL;
    }
    try {
      MemorySegment file = arena.allocateFrom(path);
      MemorySegment session = (MemorySegment) begin.invokeExact(callbacks);
      if (session.address() == 0) {
        return MemorySegment.NULL;
      }
      // The name must not be null: libdw compares it.
      MemorySegment module = (MemorySegment) report.invokeExact(session, file, file, -1, 0L, true);
      int end = (int) reportEnd.invokeExact(session, MemorySegment.NULL, MemorySegment.NULL);
      return end == 0 && module.address() != 0 && build.equals(buildOf(module))
          ? module
          : MemorySegment.NULL;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot call libdw: file=" + path, e);
    }
  }

  private String buildOf(MemorySegment module) throws Throwable {
    MemorySegment bytes = scratch.asSlice(0, 8);
    int length = (int) buildId.invokeExact(module, bytes, scratch.asSlice(8, 8));
    return length <= 0
        ? ""
        : HexFormat.of()
            .formatHex(bytes.get(POINTER, 0).reinterpret(length).toArray(ValueLayout.JAVA_BYTE));
  }

  private SourceLocation find(MemorySegment module, long address, boolean withSymbol)
      throws Throwable {
    MemorySegment no = MemorySegment.NULL;
    String function = "";
    long behind = 0;
    if (withSymbol) {
      MemorySegment offset = scratch.asSlice(0, 8);
      MemorySegment details = scratch.asSlice(8, 24); // an Elf64_Sym
      MemorySegment name =
          (MemorySegment) symbol.invokeExact(module, address, offset, details, no, no, no);
      function = text(name);
      behind = offset.get(LONG, 0);
    }
    MemorySegment found = (MemorySegment) line.invokeExact(module, address);
    if (found.address() == 0) {
      return new SourceLocation(function, behind, "", 0);
    }
    MemorySegment number = scratch.asSlice(0, 4);
    MemorySegment file = (MemorySegment) lineFacts.invokeExact(found, no, number, no, no, no);
    return new SourceLocation(function, behind, text(file), Math.max(0, number.get(INT, 0)));
  }

  static String text(MemorySegment text) {
    return text.address() == 0 ? "" : text.reinterpret(LONGEST).getString(0);
  }
}
