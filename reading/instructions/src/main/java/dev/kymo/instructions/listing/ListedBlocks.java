package dev.kymo.instructions.listing;

import dev.kymo.instructions.trace.Blocks;
import dev.kymo.instructions.trace.CodeFile;
import dev.kymo.instructions.trace.ProcessFacts;
import dev.kymo.instructions.trace.TracedModule;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Listed code of a process's blocks; each is made once. */
final class ListedBlocks {
  private final ProcessFacts facts;
  private final CodeNames names;
  private final Disassembler disassembler;
  private final InstructionListing.@Nullable SourceLines sourceLines;
  private final Map<String, CodeFile> files;

  /** By block; null: not asked for yet. */
  private final ListedCode[] @Nullable [] known;

  /**
   * Blocks of a process.
   *
   * @param sourceLines null: without them
   * @param files that were read for them, by path
   */
  ListedBlocks(
      ProcessFacts facts,
      CodeNames names,
      Disassembler disassembler,
      InstructionListing.@Nullable SourceLines sourceLines,
      Map<String, CodeFile> files) {
    this.facts = facts;
    this.names = names;
    this.disassembler = disassembler;
    this.sourceLines = sourceLines;
    this.files = files;
    this.known = new ListedCode[facts.blocks().count()][];
  }

  ListedCode[] of(int block) {
    ListedCode[] found = known[block];
    if (found == null) {
      found = make(block);
      known[block] = found;
    }
    return found;
  }

  private ListedCode[] make(int block) {
    Blocks blocks = facts.blocks();
    byte[] code = blocks.code(block);
    String[] texts = disassembler.texts(blocks, block);
    String digits = HexFormat.of().formatHex(code);
    TracedModule module = facts.module(block);
    String file = module == null ? "" : module.name();
    ListedCode[] codes = new ListedCode[blocks.instructions(block)];
    int at = 0;
    for (int i = 0; i < codes.length; i++) {
      int end = at + blocks.length(block, i);
      long address = blocks.address(block) + at;
      codes[i] =
          new ListedCode(
              address,
              file,
              names.function(module, address),
              source(module, address),
              digits.substring(2 * at, 2 * end),
              texts[i]);
      at = end;
    }
    return codes;
  }

  private String source(@Nullable TracedModule module, long address) {
    if (sourceLines == null || module == null || module.isNoFile()) {
      return "";
    }
    CodeFile file = files.computeIfAbsent(module.path(), CodeFile::read);
    long inFile = file.address(address - module.address() + module.offset());
    return sourceLines.of(module.path(), inFile);
  }
}
