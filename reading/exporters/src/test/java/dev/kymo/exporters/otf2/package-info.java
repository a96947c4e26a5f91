@NullMarked
package dev.kymo.exporters.otf2;

import org.jspecify.annotations.NullMarked;
