@NullMarked
package dev.kymo.exporters.paje;

import org.jspecify.annotations.NullMarked;
