/** Tests of the server and, in a real browser, of the viewer. */
@NullMarked
package dev.kymo.server;

import org.jspecify.annotations.NullMarked;
