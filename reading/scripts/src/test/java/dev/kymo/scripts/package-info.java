@NullMarked
package dev.kymo.scripts;

import org.jspecify.annotations.NullMarked;
