@NullMarked
package dev.kymo.exporters.barrelfish;

import org.jspecify.annotations.NullMarked;
