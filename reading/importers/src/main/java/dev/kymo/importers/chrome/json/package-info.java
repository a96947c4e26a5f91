/** Reads the text of Chrome's trace events; knows nothing of recordings. */
@NullMarked
package dev.kymo.importers.chrome.json;

import org.jspecify.annotations.NullMarked;
