@NullMarked
package dev.kymo.events.maven;

import org.jspecify.annotations.NullMarked;
