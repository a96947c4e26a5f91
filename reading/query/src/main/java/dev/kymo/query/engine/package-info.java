/** What DuckDB needs to see the tables. */
@NullMarked
package dev.kymo.query.engine;

import org.jspecify.annotations.NullMarked;
