/** Reads the text of Chrome's trace events; knows nothing of recordings. */
@NullMarked
package dev.kymo.foreign.chrome.json;

import org.jspecify.annotations.NullMarked;
