package dev.kymo.agent.weave;

import java.nio.ByteBuffer;
import org.objectweb.asm.ClassReader;

/** Finds the code of methods in a class file. */
final class CodeBytes {
  private CodeBytes() {}

  /** From where to where the code attribute of a method goes: sizes, code, handlers, and frames. */
  static int[] of(byte[] classFile, int method) {
    ClassReader reader = new ClassReader(classFile);
    ByteBuffer in = ByteBuffer.wrap(classFile);
    in.position(reader.header + 6);
    int interfaces = in.getShort();
    in.position(in.position() + 2 * interfaces);
    int fields = in.getShort();
    for (int i = 0; i < fields; i++) {
      skipMember(in);
    }
    in.getShort();
    for (int i = 0; i < method; i++) {
      skipMember(in);
    }
    in.position(in.position() + 6);
    for (int i = in.getShort(); i > 0; i--) {
      boolean code = "Code".equals(reader.readUTF8(in.position(), new char[classFile.length]));
      in.getShort();
      int size = in.getInt();
      if (code) {
        return new int[] {in.position(), in.position() + size};
      }
      in.position(in.position() + size);
    }
    throw new IllegalArgumentException("a method without code: index=" + method);
  }

  private static void skipMember(ByteBuffer in) {
    in.position(in.position() + 6);
    for (int i = in.getShort(); i > 0; i--) {
      in.getShort();
      int size = in.getInt();
      in.position(in.position() + size);
    }
  }
}
