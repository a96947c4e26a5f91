/** What a stranger gets: packages, documents, examples, figures beside peers. */
@NullMarked
package dev.kymo.e2e.delivery;

import org.jspecify.annotations.NullMarked;
