/** What sender and receiver say to each other: frames, and how they prove who they are. */
@NullMarked
package dev.kymo.network.wire;

import org.jspecify.annotations.NullMarked;
