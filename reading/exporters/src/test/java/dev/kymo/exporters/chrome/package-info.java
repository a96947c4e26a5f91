@NullMarked
package dev.kymo.exporters.chrome;

import org.jspecify.annotations.NullMarked;
