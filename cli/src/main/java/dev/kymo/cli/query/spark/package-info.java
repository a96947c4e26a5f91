/** Questions that Spark answers. */
@NullMarked
package dev.kymo.cli.query.spark;

import org.jspecify.annotations.NullMarked;
