package dev.kymo.api;

/** Writes down how it was called. */
public final class Payload {
  private String text;

  Payload(String text) {
    this.text = text;
  }

  private Payload add(String type, Object value) {
    text += " " + type + "=" + value;
    return this;
  }

  public Payload u8(long v) { return add("u8", v); }
  public Payload u16(long v) { return add("u16", v); }
  public Payload u32(long v) { return add("u32", v); }
  public Payload u64(long v) { return add("u64", v); }
  public Payload i8(long v) { return add("i8", v); }
  public Payload i16(long v) { return add("i16", v); }
  public Payload i32(long v) { return add("i32", v); }
  public Payload i64(long v) { return add("i64", v); }
  public Payload f32(float v) { return add("f32", v); }
  public Payload f64(double v) { return add("f64", v); }
  public Payload bool(boolean v) { return add("bool", v); }
  public Payload str(String v) { return add("str", v); }
  public Payload bytes(byte[] v) { return add("bytes", v.length); }
  public void commit() { Events.CALLS.add(text); }
}
