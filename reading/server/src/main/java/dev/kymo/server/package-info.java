/** Shows a recording to a browser on the same machine; the contract is docs/design/server.md. */
@NullMarked
package dev.kymo.server;

import org.jspecify.annotations.NullMarked;
