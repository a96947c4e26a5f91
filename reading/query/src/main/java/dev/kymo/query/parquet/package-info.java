/** Tables as files of Parquet. */
@NullMarked
package dev.kymo.query.parquet;

import org.jspecify.annotations.NullMarked;
