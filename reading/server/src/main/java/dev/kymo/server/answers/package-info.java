/** One class for each question about a recording; the contract is docs/design/server.md. */
@NullMarked
package dev.kymo.server.answers;

import org.jspecify.annotations.NullMarked;
