/**
 * Decides which methods are recorded and weaves the probes into them. The agent is a guest in the
 * program: a failure here is reported once and never reaches the program.
 */
@NullMarked
package dev.kymo.agent;

import org.jspecify.annotations.NullMarked;
