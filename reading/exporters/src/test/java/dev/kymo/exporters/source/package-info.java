@NullMarked
package dev.kymo.exporters.source;

import org.jspecify.annotations.NullMarked;
