@NullMarked
package dev.kymo.exporters.otf2.library;

import org.jspecify.annotations.NullMarked;
