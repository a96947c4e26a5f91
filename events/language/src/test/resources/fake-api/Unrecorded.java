package dev.kymo.api;

/** Stands for the real annotation, for the compiler. */
public @interface Unrecorded {}
