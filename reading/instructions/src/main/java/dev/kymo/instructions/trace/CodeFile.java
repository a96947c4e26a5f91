package dev.kymo.instructions.trace;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.fornwall.jelf.ElfFile;
import net.fornwall.jelf.ElfNoteSection;
import net.fornwall.jelf.ElfSection;
import net.fornwall.jelf.ElfSegment;
import net.fornwall.jelf.ElfSymbol;
import net.fornwall.jelf.ElfSymbolTableSection;
import org.jspecify.annotations.Nullable;

/** Facts that an ELF file gives of its code: where functions begin, and its build id. */
public final class CodeFile {
  private static final int INDIRECT_FUNCTION = 10; // STT_GNU_IFUNC

  /** A part of the file that is mapped. */
  private record Segment(long offset, long address, long size) {}

  private final List<Segment> segments = new ArrayList<>();
  private final TreeMap<Long, String> functions = new TreeMap<>();
  private String buildId = "";

  private CodeFile() {}

  /** Reads a file; one that cannot be read, or is not ELF, has no functions. */
  public static CodeFile read(String path) {
    CodeFile code = new CodeFile();
    try {
      code.read(ElfFile.from(new File(path)));
    } catch (IOException | RuntimeException e) {
      // Its functions have addresses for names.
    }
    return code;
  }

  /**
   * Reads the symbols of a kernel, as its {@code /proc/kallsyms} has them: a line for each, with
   * address, kind and name.
   */
  public static CodeFile kernel(Path symbols) throws IOException {
    CodeFile code = new CodeFile();
    for (String line : Files.readAllLines(symbols)) {
      String[] words = line.split(" ");
      if (words.length == 3 && "tTwW".contains(words[1]) && !words[2].endsWith(".cold")) {
        code.functions.merge(Long.parseUnsignedLong(words[0], 16), words[2], CodeFile::better);
      }
    }
    return code;
  }

  private void read(ElfFile file) {
    for (int i = 0; i < file.e_phnum; i++) {
      ElfSegment segment = file.getProgramHeader(i);
      if (segment.p_type == ElfSegment.PT_LOAD) {
        segments.add(new Segment(segment.p_offset, segment.p_vaddr, segment.p_filesz));
      }
    }
    add(file.getDynamicSymbolTableSection());
    add(file.getSymbolTableSection());
    if (file.e_entry != 0) {
      functions.putIfAbsent(file.e_entry, "_start");
    }
    ElfSection note = file.firstSectionByName(".note.gnu.build-id");
    if (note instanceof ElfNoteSection id) {
      buildId = HexFormat.of().formatHex(id.descriptorBytes());
    }
  }

  private void add(@Nullable ElfSymbolTableSection table) {
    if (table == null) {
      return;
    }
    for (ElfSymbol symbol : table.symbols) {
      boolean function =
          symbol.getType() == ElfSymbol.STT_FUNC || symbol.getType() == INDIRECT_FUNCTION;
      if (function && symbol.st_value != 0 && symbol.st_shndx != 0) {
        String name = symbol.getName();
        // Cold parts of a function are jumped to and from: they are not functions.
        if (name != null && !name.isEmpty() && !name.endsWith(".cold")) {
          functions.merge(symbol.st_value, name, CodeFile::better);
        }
      }
    }
  }

  /** Of several names of a function, the one without underscores in front, then the shorter one. */
  private static String better(String one, String other) {
    int ones = underscores(one);
    int others = underscores(other);
    if (ones != others) {
      return ones < others ? one : other;
    }
    return other.length() < one.length() ? other : one;
  }

  private static int underscores(String name) {
    int count = 0;
    while (count < name.length() && name.charAt(count) == '_') {
      count++;
    }
    return count;
  }

  /** Functions by their addresses in the file. */
  public Map<Long, String> functions() {
    return functions;
  }

  /** In hexadecimal digits, or empty. */
  public String buildId() {
    return buildId;
  }

  /** The address that the file has for one of its bytes; the same if it has none. */
  public long address(long offset) {
    for (Segment segment : segments) {
      if (offset >= segment.offset && offset < segment.offset + segment.size) {
        return offset - segment.offset + segment.address;
      }
    }
    return offset;
  }

  /** Where the file has the byte of an address; the same if it has none. */
  public long offset(long address) {
    for (Segment segment : segments) {
      if (address >= segment.address && address < segment.address + segment.size) {
        return address - segment.address + segment.offset;
      }
    }
    return address;
  }
}
