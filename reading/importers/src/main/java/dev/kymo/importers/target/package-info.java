/**
 * What all imports share: how a format is recognised, the recording that an import writes, and what
 * it reports. Formats see this package; it sees no format.
 */
@NullMarked
package dev.kymo.importers.target;

import org.jspecify.annotations.NullMarked;
