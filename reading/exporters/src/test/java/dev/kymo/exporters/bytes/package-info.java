@NullMarked
package dev.kymo.exporters.bytes;

import org.jspecify.annotations.NullMarked;
