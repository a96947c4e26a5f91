/** Questions in SQL. */
@NullMarked
package dev.kymo.server.query;

import org.jspecify.annotations.NullMarked;
