/** Kernel events: services, a tracing instance of Kymo's own, its pages, merged by time. */
@NullMarked
package dev.kymo.kernel;

import org.jspecify.annotations.NullMarked;
