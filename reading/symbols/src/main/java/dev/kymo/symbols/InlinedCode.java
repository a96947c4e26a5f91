package dev.kymo.symbols;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * Finds the function of an address where functions are inlined into each other: the innermost
 * function that is not in the system's headers, because nobody looks for a lock there. By libdw.
 * Used by one thread.
 */
final class InlinedCode {
  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  /** Size of libdw's Dwarf_Die, and of its Dwarf_Attribute. */
  private static final long ENTRY_SIZE = 32;

  private static final long ATTRIBUTE_SIZE = 24;

  /** Numbers of the DWARF standard. */
  private static final int INLINED_SUBROUTINE = 0x1d;

  private static final int SUBPROGRAM = 0x2e;
  private static final int CALL_FILE = 0x58;
  private static final int CALL_LINE = 0x59;
  private static final int LINKAGE_NAME = 0x6e;

  private static final List<String> SYSTEM =
      List.of("/usr/include/", "/usr/lib/", "/usr/local/include/");

  private final Linker linker;
  private final SymbolLookup lookup;
  private final MethodHandle unit;
  private final MethodHandle scopes;
  private final MethodHandle scopesAround;
  private final MethodHandle tag;
  private final MethodHandle attribute;
  private final MethodHandle number;
  private final MethodHandle string;
  private final MethodHandle name;
  private final MethodHandle sources;
  private final MethodHandle source;
  private final MethodHandle free;
  private final MemorySegment found;
  private final MemorySegment fact;

  /**
   * A place in a source file.
   *
   * @param function that is inlined there, as the linker would call it; empty if it is the symbol's
   *     function
   */
  record Code(String function, String file, int line) {}

  InlinedCode(Linker linker, SymbolLookup lookup, SegmentAllocator memory) {
    this.linker = linker;
    this.lookup = lookup;
    unit = call("dwfl_module_addrdie", FunctionDescriptor.of(POINTER, POINTER, LONG, POINTER));
    scopes = call("dwarf_getscopes", FunctionDescriptor.of(INT, POINTER, LONG, POINTER));
    scopesAround = call("dwarf_getscopes_die", FunctionDescriptor.of(INT, POINTER, POINTER));
    tag = call("dwarf_tag", FunctionDescriptor.of(INT, POINTER));
    attribute = call("dwarf_attr_integrate", FunctionDescriptor.of(POINTER, POINTER, INT, POINTER));
    number = call("dwarf_formudata", FunctionDescriptor.of(INT, POINTER, POINTER));
    string = call("dwarf_formstring", FunctionDescriptor.of(POINTER, POINTER));
    name = call("dwarf_diename", FunctionDescriptor.of(POINTER, POINTER));
    sources = call("dwarf_getsrcfiles", FunctionDescriptor.of(INT, POINTER, POINTER, POINTER));
    source = call("dwarf_filesrc", FunctionDescriptor.of(POINTER, POINTER, LONG, POINTER, POINTER));
    free =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("free"), FunctionDescriptor.ofVoid(POINTER));
    found = memory.allocate(16, 8);
    fact = memory.allocate(ATTRIBUTE_SIZE, 8);
  }

  private MethodHandle call(String function, FunctionDescriptor types) {
    return linker.downcallHandle(lookup.findOrThrow(function), types);
  }

  /**
   * The function whose code is at an address.
   *
   * @param innermost its place by the table of lines
   */
  Code find(MemorySegment module, long address, DebugFiles.SourceLocation innermost)
      throws Throwable {
    Code code = new Code("", innermost.file(), innermost.line());
    MemorySegment of = (MemorySegment) unit.invokeExact(module, address, found);
    if (of.address() == 0) {
      return code;
    }
    int inner = (int) scopes.invokeExact(of, address - found.get(LONG, 0), found);
    if (inner <= 0) {
      return code;
    }
    MemorySegment first = found.get(POINTER, 0).reinterpret(ENTRY_SIZE);
    int count = (int) scopesAround.invokeExact(first, found);
    free.invokeExact(first);
    if (count <= 0) {
      return code;
    }
    MemorySegment around = found.get(POINTER, 0).reinterpret(count * ENTRY_SIZE);
    Code own = outOfSystem(of, around, code);
    free.invokeExact(around);
    return own;
  }

  private Code outOfSystem(MemorySegment of, MemorySegment scopes, Code innermost)
      throws Throwable {
    Code code = innermost;
    for (long at = 0; at < scopes.byteSize(); at += ENTRY_SIZE) {
      MemorySegment scope = scopes.asSlice(at, ENTRY_SIZE);
      int kind = (int) tag.invokeExact(scope);
      if (kind == SUBPROGRAM) {
        return code;
      }
      if (kind == INLINED_SUBROUTINE) {
        if (SYSTEM.stream().noneMatch(code.file::startsWith)) {
          return new Code(function(scope), code.file, code.line);
        }
        code = new Code("", file(of, number(scope, CALL_FILE)), (int) number(scope, CALL_LINE));
      }
    }
    return code;
  }

  private String function(MemorySegment scope) throws Throwable {
    MemorySegment linked = (MemorySegment) attribute.invokeExact(scope, LINKAGE_NAME, fact);
    MemorySegment text =
        linked.address() == 0
            ? (MemorySegment) name.invokeExact(scope)
            : (MemorySegment) string.invokeExact(linked);
    return DebugFiles.text(text);
  }

  private long number(MemorySegment scope, int which) throws Throwable {
    MemorySegment of = (MemorySegment) attribute.invokeExact(scope, which, fact);
    found.set(LONG, 0, 0);
    int failed = of.address() == 0 ? 1 : (int) number.invokeExact(of, found);
    return failed == 0 ? found.get(LONG, 0) : 0;
  }

  private String file(MemorySegment of, long number) throws Throwable {
    int failed = (int) sources.invokeExact(of, found, found.asSlice(8, 8));
    if (failed != 0 || number < 0 || number >= found.get(LONG, 8)) {
      return "";
    }
    MemorySegment no = MemorySegment.NULL;
    return DebugFiles.text(
        (MemorySegment) source.invokeExact(found.get(POINTER, 0), number, no, no));
  }
}
