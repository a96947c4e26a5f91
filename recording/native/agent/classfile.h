/* Class files as bytes: chapter 4 of the Java virtual machine's specification. Every offset and length is checked
 * against the file's end, because programs may define classes from any bytes. */
#ifndef KYMO_AGENT_CLASSFILE_H
#define KYMO_AGENT_CLASSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads forward. After the end it reads zeros, and is bad from then on. */
struct cursor {
  const uint8_t *bytes;
  uint32_t at;
  uint32_t end;
  bool bad;
};

/* A range of bytes in the file. */
struct span {
  uint32_t at;
  uint32_t length;
};

enum tag {
  TAG_UTF8 = 1,
  TAG_INTEGER = 3,
  TAG_LONG = 5,
  TAG_DOUBLE = 6,
  TAG_CLASS = 7,
  TAG_METHOD = 10,
  TAG_INTERFACE_METHOD = 11,
  TAG_NAME_AND_TYPE = 12
};

enum access { ACCESS_STATIC = 0x0008, ACCESS_NATIVE = 0x0100 };

struct class_file {
  const uint8_t *bytes;
  uint32_t size;
  uint32_t version;
  uint32_t constants_end;
  /* Where each constant's tag is; 0: the number is not that of a constant. */
  uint32_t *constants;
  uint32_t constant_count;
  uint32_t this_class;
  uint32_t super_class;
  /* Where the number of methods is. */
  uint32_t methods;
};

struct method {
  uint32_t access;
  uint32_t name;
  uint32_t descriptor;
  /* From access flags to the last attribute's end. */
  struct span all;
  /* Where the number of attributes is. */
  uint32_t attributes;
  /* The contents of the Code attribute; length 0 if there is none. */
  struct span code;
};

struct code {
  uint32_t max_stack;
  uint32_t max_locals;
  struct span instructions;
  /* Of 8 bytes each. */
  uint32_t handler_count;
  uint32_t handlers;
  /* Where the number of attributes is. */
  uint32_t attributes;
  uint32_t end;
};

struct cursor cursor_of(const struct class_file *file, uint32_t at, uint32_t end);
uint32_t read1(struct cursor *in);
uint32_t read2(struct cursor *in);
uint32_t read4(struct cursor *in);
void skip(struct cursor *in, uint32_t bytes);

/* False if it is not a class file; class_file_close must be called in any case. */
bool class_file_open(struct class_file *file, const uint8_t *bytes, uint32_t size);
void class_file_close(struct class_file *file);

/* The text of a constant; empty, at 0, if there is none. */
struct span utf8(const struct class_file *file, uint32_t constant);
/* The constant that field `number` of a constant refers to; 0 if there is none. */
uint32_t reference(const struct class_file *file, uint32_t constant, uint32_t number);
uint32_t tag_of(const struct class_file *file, uint32_t constant);
bool is_text(const struct class_file *file, struct span text, const char *expected);
bool are_equal(const struct class_file *file, struct span one, struct span other);

/* Reads a method or a field and moves on to the next one. */
struct method read_method(const struct class_file *file, struct cursor *in);
bool read_code(const struct class_file *file, const struct method *method, struct code *code);

/* Reads the head of an attribute and returns its name; the contents are at the cursor and end at *end. */
struct span read_attribute(const struct class_file *file, struct cursor *in, uint32_t *end);

enum opcode {
  BIPUSH = 16,
  SIPUSH = 17,
  LDC = 18,
  LDC_W = 19,
  ILOAD = 21,
  LLOAD = 22,
  ALOAD = 25,
  LLOAD_0 = 30,
  ISTORE = 54,
  LSTORE = 55,
  ASTORE = 58,
  LSTORE_0 = 63,
  IINC = 132,
  IFEQ = 153,
  GOTO = 167,
  JSR = 168,
  RET = 169,
  TABLESWITCH = 170,
  LOOKUPSWITCH = 171,
  IRETURN = 172,
  RETURN = 177,
  INVOKEVIRTUAL = 182,
  INVOKESPECIAL = 183,
  INVOKESTATIC = 184,
  INVOKEDYNAMIC = 186,
  NEW = 187,
  ATHROW = 191,
  WIDE = 196,
  IFNULL = 198,
  IFNONNULL = 199,
  GOTO_W = 200,
  JSR_W = 201
};

/* Size of the instruction at an offset of code in bytes; 0 if there is none, or if it ends after the code. */
uint32_t instruction_length(const uint8_t *code, uint32_t at, uint32_t end);
bool is_return(uint8_t opcode);
/* Whether the instruction is a jump with an offset of 16 bits. */
bool is_jump(uint8_t opcode);
uint32_t big2(const uint8_t *bytes);
uint32_t big4(const uint8_t *bytes);

#endif
