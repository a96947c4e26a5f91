/** Tests of the package. */
@NullMarked
package dev.kymo.server.http;

import org.jspecify.annotations.NullMarked;
