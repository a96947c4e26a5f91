package dev.kymo.session.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where members lie, as types made here say it, and what becomes of damaged ones. */
class BtfTypesTest {
  private static final int INT = 1;
  private static final int POINTER = 2;
  private static final int ARRAY = 3;
  private static final int STRUCT = 4;
  private static final int UNION = 5;
  private static final int ENUM = 6;
  private static final int FORWARD = 7;
  private static final int TYPEDEF = 8;
  private static final int VOLATILE = 9;
  private static final int CONST = 10;
  private static final int RESTRICT = 11;
  private static final int FUNCTION = 12;
  private static final int PROTOTYPE = 13;
  private static final int VARIABLE = 14;
  private static final int SECTION = 15;
  private static final int FLOAT = 16;
  private static final int DECLARATION_TAG = 17;
  private static final int TYPE_TAG = 18;
  private static final int ENUM_64 = 19;

  private static final int HEADER = 24;
  private static final String WRONG = "the kernel's types cannot be read, ";

  /** Builds what the kernel shows. */
  private static final class Builder {
    private final ByteArrayOutputStream types = new ByteArrayOutputStream();
    private final ByteArrayOutputStream names = new ByteArrayOutputStream();
    private int count;

    Builder() {
      names.write(0);
    }

    private int name(String name) {
      if (name.isEmpty()) {
        return 0;
      }
      int at = names.size();
      names.writeBytes((name + "\0").getBytes(StandardCharsets.UTF_8));
      return at;
    }

    private void numbers(int... all) {
      ByteBuffer bytes = ByteBuffer.allocate(4 * all.length).order(ByteOrder.LITTLE_ENDIAN);
      bytes.asIntBuffer().put(all);
      types.writeBytes(bytes.array());
    }

    /** The number of a type: name, kind and count, size or type, and what follows. */
    int type(int kind, String name, int parts, int third, int... rest) {
      return flagged(false, kind, name, parts, third, rest);
    }

    private int flagged(boolean flag, int kind, String name, int parts, int third, int... rest) {
      numbers(name(name), (flag ? 1 << 31 : 0) | kind << 24 | parts, third);
      numbers(rest);
      return ++count;
    }

    /** Name, type and bits of a member. */
    int[] member(String name, int type, int bits) {
      return new int[] {name(name), type, bits};
    }

    int structure(int kind, String name, int[]... members) {
      return type(kind, name, members.length, 64, flat(members));
    }

    private static int[] flat(int[]... members) {
      return Arrays.stream(members).flatMapToInt(Arrays::stream).toArray();
    }

    byte[] bytes() {
      ByteBuffer all =
          ByteBuffer.allocate(HEADER + types.size() + names.size()).order(ByteOrder.LITTLE_ENDIAN);
      all.putShort((short) 0xEB9F).put((byte) 1).put((byte) 0).putInt(HEADER);
      all.putInt(0).putInt(types.size()).putInt(types.size()).putInt(names.size());
      return all.put(types.toByteArray()).put(names.toByteArray()).array();
    }
  }

  /**
   * One of each kind, and
   *
   * <pre>
   *   struct task {
   *     int pid;                  // 0
   *     union {                   // 8
   *       int first;              // 8
   *       struct {                // 8, through a typedef and qualifiers
   *         int low;              // 8
   *         int high;             // 12
   *       };
   *     };
   *     struct inner named;       // 24
   *     int last;                 // 40
   *   };
   * </pre>
   */
  private static byte[] sample() {
    Builder b = new Builder();
    int number = b.type(INT, "int", 0, 4, 32);
    int pointer = b.type(POINTER, "", 0, number);
    b.type(ARRAY, "", 0, 0, number, number, 4);
    b.type(ENUM, "colour", 2, 4, b.name("RED"), 0, b.name("BLUE"), 1);
    b.type(FORWARD, "task", 0, 0);
    int prototype = b.type(PROTOTYPE, "", 2, number, b.name("a"), number, b.name("b"), pointer);
    b.type(FUNCTION, "run", 1, prototype);
    b.type(VARIABLE, "jiffies", 0, number, 1);
    b.type(SECTION, ".data", 1, 8, 8, 0, 8);
    b.type(FLOAT, "double", 0, 8);
    b.type(DECLARATION_TAG, "tag", 0, number, -1);
    b.type(ENUM_64, "large", 1, 8, b.name("HUGE"), 0, 1);
    int inside = b.structure(STRUCT, "", b.member("low", number, 0), b.member("high", number, 32));
    int tagged = b.type(TYPE_TAG, "rcu", 0, inside);
    int restricted = b.type(RESTRICT, "", 0, tagged);
    int constant = b.type(CONST, "", 0, restricted);
    int changing = b.type(VOLATILE, "", 0, constant);
    int renamed = b.type(TYPEDEF, "pair_t", 0, changing);
    int union = b.structure(UNION, "", b.member("first", number, 0), b.member("", renamed, 0));
    int inner =
        b.structure(STRUCT, "inner", b.member("hidden", number, 0), b.member("last", number, 64));
    b.structure(
        STRUCT,
        "task",
        b.member("pid", number, 0),
        b.member("", union, 64),
        b.member("named", inner, 192),
        b.member("last", number, 320));
    return b.bytes();
  }

  private static void assertOffset(byte[] bytes, String structure, String member, long offset)
      throws IOException {
    assertThat(BtfTypes.read(bytes).offset(structure, member)).hasValue(offset);
  }

  @Test
  void members() throws IOException {
    assertOffset(sample(), "task", "pid", 0);
    assertOffset(sample(), "task", "named", 24);
    assertOffset(sample(), "task", "last", 40);
    assertOffset(sample(), "inner", "last", 8);
  }

  @Test
  void membersOfWhatHasNoName() throws IOException {
    assertOffset(sample(), "task", "first", 8);
    assertOffset(sample(), "task", "low", 8);
    assertOffset(sample(), "task", "high", 12);
  }

  @Test
  void othersAreNotThere() throws IOException {
    BtfTypes types = BtfTypes.read(sample());
    assertThat(types.offset("task", "hidden")).isEmpty();
    assertThat(types.offset("task", "pi")).isEmpty();
    assertThat(types.offset("task", "pid2")).isEmpty();
    assertThat(types.offset("tas", "pid")).isEmpty();
    assertThat(types.offset("ask", "pid")).isEmpty();
    assertThat(types.offset("none", "pid")).isEmpty();
    assertThat(types.offset("int", "pid")).isEmpty();
    assertThat(types.offset("pair_t", "low")).isEmpty();
  }

  @Test
  void answersAreTheSameAgain() throws IOException {
    BtfTypes types = BtfTypes.read(sample());
    for (int i = 0; i < 100_000; i++) {
      assertThat(types.offset("task", "high").orElse(-1)).isEqualTo(12);
    }
  }

  /** With the flag, an offset's upper byte is the size of a bit field. */
  @Test
  void bitFields() throws IOException {
    Builder b = new Builder();
    int number = b.type(INT, "int", 0, 4, 32);
    int[] inner = b.member("flag", number, 3 << 24 | 37);
    int fields = b.flagged(true, STRUCT, "", 1, 8, inner);
    int[] outer = Builder.flat(b.member("whole", number, 64), b.member("", fields, 128));
    b.flagged(true, STRUCT, "task", 2, 32, outer);
    assertOffset(b.bytes(), "task", "whole", 8);
    assertOffset(b.bytes(), "task", "flag", 20);
  }

  @Test
  void farMembers() throws IOException {
    Builder b = new Builder();
    int number = b.type(INT, "int", 0, 4, 32);
    int inner = b.structure(STRUCT, "", b.member("far", number, 0xFFFFFFF8));
    b.structure(STRUCT, "task", b.member("", inner, 0xFFFFFFF8), b.member("wide", number, 1 << 31));
    assertOffset(b.bytes(), "task", "wide", 1L << 28);
    assertOffset(b.bytes(), "task", "far", (1L << 30) - 2);
  }

  @Test
  void oneOfSeveralWithTheSameName() throws IOException {
    Builder b = new Builder();
    int number = b.type(INT, "int", 0, 4, 32);
    b.structure(UNION, "path", b.member("dentry", number, 8));
    b.structure(STRUCT, "path", b.member("other", number, 16));
    b.structure(STRUCT, "path", b.member("other", number, 24), b.member("dentry", number, 32));
    assertOffset(b.bytes(), "path", "dentry", 4);
    assertOffset(b.bytes(), "path", "other", 2);
  }

  @Test
  void moreTypesThanThereIsRoomForAtFirst() throws IOException {
    Builder b = new Builder();
    int number = b.type(INT, "int", 0, 4, 32);
    for (int i = 0; i < 3000; i++) {
      b.structure(STRUCT, "s" + i, b.member("m", number, 8 * i));
    }
    assertOffset(b.bytes(), "s2999", "m", 2999);
  }

  @Test
  void unknownHeaderIsSkipped() throws IOException {
    byte[] known = sample();
    byte[] longer = new byte[known.length + 8];
    System.arraycopy(known, 0, longer, 0, HEADER);
    System.arraycopy(known, HEADER, longer, HEADER + 8, known.length - HEADER);
    longer[4] = HEADER + 8;
    assertOffset(longer, "task", "high", 12);
  }

  @Test
  void empty() throws IOException {
    assertThat(BtfTypes.read(new Builder().bytes()).offset("task", "pid")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void wrongMagic(int at) {
    byte[] bytes = sample();
    bytes[at]++;
    assertWrong(bytes, "they are no BTF");
  }

  /** As big-endian machines have it. */
  @Test
  void otherOrderOfBytes() {
    byte[] bytes = sample();
    bytes[0] = (byte) 0xEB;
    bytes[1] = (byte) 0x9F;
    assertWrong(bytes, "they are no BTF");
  }

  private static void assertWrong(byte[] bytes, String why) {
    assertThatThrownBy(() -> BtfTypes.read(bytes).offset("task", "pid"))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage(WRONG + why);
  }

  @Test
  void cutAnywhere() {
    byte[] bytes = sample();
    for (int length = 0; length < bytes.length; length++) {
      assertWrong(
          Arrays.copyOf(bytes, length),
          length < HEADER
              ? "they are no BTF"
              : "they are cut: bytes=%d needed=%d"
                  .formatted(
                      length, length < namesOf(bytes) ? typesEnd(bytes, length) : bytes.length));
    }
  }

  private static int namesOf(byte[] bytes) {
    return HEADER + ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(16);
  }

  /** The types come first, and are checked first. */
  private static int typesEnd(byte[] bytes, int length) {
    assertThat(length).isLessThan(namesOf(bytes));
    return namesOf(bytes);
  }

  /** The types' length says less than there is, at each place. */
  @Test
  void typesCutAnywhere() throws IOException {
    byte[] bytes = sample();
    int whole = namesOf(bytes) - HEADER;
    for (int length = 0; length < whole; length++) {
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(12, length);
      assertAnswers(bytes);
    }
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(12, whole - 1);
    assertWrong(bytes, "type 21 is cut");
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(12, 11);
    assertWrong(bytes, "type 1 is cut");
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 12, 16, 20})
  void wildHeader(int at) throws IOException {
    for (int value : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 16, -HEADER}) {
      byte[] bytes = sample();
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
      assertThatThrownBy(() -> BtfTypes.read(bytes))
          .isExactlyInstanceOf(IOException.class)
          .hasMessageStartingWith(WRONG + "they are cut: bytes=" + bytes.length);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 20, 31})
  void unknownKinds(int kind) {
    Builder b = new Builder();
    b.type(kind, "x", 0, 0);
    assertWrong(b.bytes(), "type 1 has unknown kind " + kind);
  }

  @Test
  void structureInItself() {
    Builder b = new Builder();
    b.structure(STRUCT, "task", b.member("", 1, 0));
    assertWrong(b.bytes(), "a structure contains itself");
  }

  @Test
  void structuresInEachOther() {
    Builder b = new Builder();
    b.structure(STRUCT, "task", b.member("", 2, 0), b.member("", 3, 0));
    b.structure(UNION, "", b.member("", 3, 0), b.member("", 3, 0));
    b.structure(STRUCT, "", b.member("", 2, 0), b.member("", 2, 0));
    assertWrong(b.bytes(), "a structure contains itself");
  }

  /** Twice as many in each, none of which contains itself. */
  @Test
  void manyInFew() {
    Builder b = new Builder();
    b.structure(STRUCT, "task", b.member("", 2, 0), b.member("", 2, 0), b.member("", 2, 0));
    for (int i = 2; i < 16; i++) {
      b.structure(STRUCT, "", b.member("", i + 1, 0), b.member("", i + 1, 0));
    }
    b.structure(STRUCT, "", b.member("x", 1, 0));
    assertWrong(b.bytes(), "a structure has too many members");
  }

  @Test
  void typesThatStandForThemselves() {
    Builder b = new Builder();
    b.structure(STRUCT, "task", b.member("", 2, 0));
    b.type(TYPEDEF, "a", 0, 3);
    b.type(CONST, "", 0, 2);
    assertWrong(b.bytes(), "type 2 stands for itself");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void typesThatAreNotThere(int type) {
    Builder b = new Builder();
    b.structure(STRUCT, "task", b.member("", type, 0));
    assertWrong(b.bytes(), "there is no type " + type);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void namesOutside(int name) {
    Builder member = new Builder();
    member.structure(STRUCT, "task", new int[] {name, 1, 0});
    assertWrong(member.bytes(), "a name is outside: offset=%d bytes=6".formatted(name));
    Builder structure = new Builder();
    structure.numbers(name, STRUCT << 24, 0);
    structure.count++;
    assertWrong(structure.bytes(), "a name is outside: offset=%d bytes=1".formatted(name));
  }

  @Test
  void nameWithoutEnd() throws IOException {
    Builder b = new Builder();
    int number = b.type(INT, "int", 0, 4, 32);
    int last = b.type(STRUCT, "", 1, 8, b.name("pid"), number, 0);
    assertThat(last).isEqualTo(2);
    byte[] bytes = b.bytes();
    ByteBuffer whole = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    whole.putInt(HEADER + 16, b.name("task"));
    byte[] named = b.bytes();
    ByteBuffer all = ByteBuffer.wrap(named).order(ByteOrder.LITTLE_ENDIAN);
    all.putInt(HEADER + 16, whole.getInt(HEADER + 16));
    assertOffset(named, "task", "pid", 0);
    all.putInt(20, all.getInt(20) - 1); // without the last zero
    assertThat(BtfTypes.read(named).offset("task", "pid")).isEmpty();
  }

  private static void assertAnswers(byte[] bytes) {
    try {
      BtfTypes types = BtfTypes.read(bytes);
      for (String member : new String[] {"pid", "high", "last", "none", ""}) {
        OptionalLong offset = types.offset("task", member);
        offset.ifPresent(value -> assertThat(value).isNotNegative());
      }
    } catch (IOException e) {
      assertThat(e).isExactlyInstanceOf(IOException.class).hasMessageStartingWith(WRONG);
    }
  }

  @Test
  void damagedAtRandom() {
    SplittableRandom random = new SplittableRandom(42);
    byte[] whole = sample();
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes =
          random.nextInt(8) == 0
              ? Arrays.copyOf(whole, random.nextInt(whole.length + 1))
              : whole.clone();
      int changes = random.nextInt(6) + 1;
      for (int k = 0; k < changes && bytes.length > 0; k++) {
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(3)) {
          case 0 -> bytes[at] = (byte) random.nextInt();
          case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
          default -> {
            int word = Math.max(0, Math.min(at & ~3, bytes.length - 4));
            if (bytes.length >= 4) {
              ByteBuffer.wrap(bytes)
                  .order(ByteOrder.LITTLE_ENDIAN)
                  .putInt(word, random.nextInt(-2, 30));
            }
          }
        }
      }
      assertAnswers(bytes);
    }
  }

  /** What this machine's kernel shows, where it shows it, damaged, too. */
  @Test
  void thisKernelsOwn() throws IOException {
    Path file = Path.of("/sys/kernel/btf/vmlinux");
    assumeTrue(Files.isReadable(file), "skipped: this kernel shows no types: path=" + file);
    byte[] bytes = Files.readAllBytes(file);
    BtfTypes types = BtfTypes.read(bytes);
    for (String structure : new String[] {"list_head", "hlist_node"}) {
      assertThat(types.offset(structure, "next")).as(structure).hasValue(0);
    }
    assertThat(types.offset("list_head", "prev")).hasValue(8);
    assertThat(types.offset("task_struct", "pid")).isPresent();
    assertThat(types.offset("task_struct", "none")).isEmpty();
  }
}
