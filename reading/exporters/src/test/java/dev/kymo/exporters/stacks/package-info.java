@NullMarked
package dev.kymo.exporters.stacks;

import org.jspecify.annotations.NullMarked;
