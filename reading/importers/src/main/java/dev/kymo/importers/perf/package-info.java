/** perf.data: samples become events with stacks, from which flame graphs are made. */
@NullMarked
package dev.kymo.importers.perf;

import org.jspecify.annotations.NullMarked;
