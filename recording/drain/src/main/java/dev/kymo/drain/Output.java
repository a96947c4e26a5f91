package dev.kymo.drain;

import dev.kymo.format.Redaction;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The destination of what is taken from rings, and how it is written there.
 *
 * @param recording its directory
 * @param uuid its identity
 * @param segments which files are written
 * @param redaction what of command lines is left out
 */
record Output(Path recording, UUID uuid, Segments segments, Redaction redaction) {}
