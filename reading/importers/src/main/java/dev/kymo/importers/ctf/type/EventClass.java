package dev.kymo.importers.ctf.type;

/** A kind of event of a stream. */
public record EventClass(long id, String name, StructType context, StructType fields) {}
