/** Makes of recordings what other tools read: one package a format. */
@NullMarked
package dev.kymo.exporters;

import org.jspecify.annotations.NullMarked;
