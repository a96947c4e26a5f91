/**
 * Decides which methods are recorded and weaves the probes into them. A guest in the program: what
 * fails here is said once and never reaches it.
 */
@NullMarked
package dev.kymo.agent;

import org.jspecify.annotations.NullMarked;
