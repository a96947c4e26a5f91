package dev.kymo.api;

/** As the real one, for the compiler. */
public @interface Unrecorded {}
