/** Questions in SQL. */
@NullMarked
package dev.kymo.query.ask;

import org.jspecify.annotations.NullMarked;
