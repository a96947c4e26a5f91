/** What an export is made from: the tracks of a recording, one after the other. */
@NullMarked
package dev.kymo.exporters.source;

import org.jspecify.annotations.NullMarked;
